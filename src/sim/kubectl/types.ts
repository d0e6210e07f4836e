// Models kubernetes/staging/src/k8s.io/client-go/{restmapper,discovery/cached}: what kubectl knows of the server's types
import { API_RESOURCES, type ApiResource, findResource, resourceForKind } from "../api/schema/resources.ts";
import type { Turn } from "./session.ts";

/** Types by what a user calls them, and by what a manifest does. */
export interface Types {
  readonly all: readonly ApiResource[];
  find(text: string): ApiResource | undefined;
  ofKind(apiVersion: string, kind: string): ApiResource | undefined;
}

/** Without any discovery: what every API server of this version serves. */
export const BUILT_IN: Types = { all: API_RESOURCES, find: (text) => findResource(text), ofKind: resourceForKind };

/** The cached discovery does not know a type: it is thrown away and asked for again, then the command goes on. */
export class StaleDiscovery extends Error {}

/** What a run knows. A type that is missing from an old cache throws StaleDiscovery. */
export function typesOf({ session }: Turn): Types {
  const all = [...API_RESOURCES, ...session.discovered];
  const or = (found: ApiResource | undefined): ApiResource | undefined => {
    if (found === undefined && !session.fresh) throw new StaleDiscovery();
    return found;
  };
  return { all, find: (text) => or(findResource(text, all)), ofKind: (apiVersion, kind) => or(resourceForKind(apiVersion, kind) ?? session.discovered.find((api) => api.apiVersion === apiVersion && api.kind === kind)) };
}

/** The order in which kubectl prints the category "all". */
export const ALL_CATEGORY = ["pods", "replicationcontrollers", "services", "daemonsets", "deployments", "replicasets", "statefulsets", "horizontalpodautoscalers", "cronjobs", "jobs"];

/** The types that one word of a command line stands for: a category's members, or the word itself. */
export function expandCategory(word: string, { all }: Types): readonly string[] {
  const custom = all.slice(API_RESOURCES.length).filter((api) => api.categories.includes(word)).map((api) => `${api.resource}.${api.version}.${api.group}`);
  const builtIn = word === "all" ? ALL_CATEGORY : API_RESOURCES.filter((api) => api.categories.includes(word)).map((api) => `${api.resource}.${api.group}`);
  return builtIn.length + custom.length === 0 ? [word] : [...builtIn, ...custom];
}
