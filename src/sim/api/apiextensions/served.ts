// Models kubernetes/staging/src/k8s.io/apiextensions-apiserver/pkg/apiserver/{customresource_handler,customresource_discovery_controller}.go
import type { ApiResource } from "../schema/resources.ts";
import type { KubeObject } from "../types.ts";
import { type CrdVersion, type CustomResourceDefinition, isCrd, isTrue } from "./types.ts";

const NO_RESOURCES: readonly ApiResource[] = [];
const known = new WeakMap<CustomResourceDefinition, readonly ApiResource[]>();

const subresourcesOf = ({ subresources }: CrdVersion): readonly string[] => [...(subresources?.scale === undefined ? [] : ["scale"]), ...(subresources?.status === undefined || subresources.status === null ? [] : ["status"])];

function resourcesOf(crd: CustomResourceDefinition): readonly ApiResource[] {
  const { group, scope, versions } = crd.spec;
  const storage = versions.find((version) => version.storage) ?? versions[0];
  const names = crd.status?.acceptedNames?.kind ? crd.status.acceptedNames : crd.spec.names;
  if (storage === undefined) return NO_RESOURCES;
  return versions.map((version): ApiResource => ({
    group, version: version.name, apiVersion: `${group}/${version.name}`, kind: names.kind, resource: names.plural, singular: names.singular ?? names.kind.toLowerCase(),
    shortNames: names.shortNames ?? [], namespaced: scope === "Namespaced", subresources: subresourcesOf(version), categories: names.categories ?? [], createOnly: false,
    etcdPrefix: `/registry/${group}/${names.plural}`, custom: { crd, version, storage },
  }));
}

/** One resource a version, served or not; none before the names are accepted. One array an object. */
function versionsOf(crd: CustomResourceDefinition): readonly ApiResource[] {
  let resources = known.get(crd);
  if (resources === undefined) {
    resources = isTrue(crd, "NamesAccepted") || isTrue(crd, "Established") ? resourcesOf(crd) : NO_RESOURCES;
    known.set(crd, resources);
  }
  return resources;
}

/** The resources that a definition makes the server serve. */
export const customResourcesOf = (crd: CustomResourceDefinition): readonly ApiResource[] => versionsOf(crd).filter((api) => api.custom?.version.served === true);

/** The version in which the objects are stored. */
export const storageResourceOf = (crd: CustomResourceDefinition): ApiResource | undefined => versionsOf(crd).find((api) => api.custom?.version === api.custom?.storage);

const MATURITY = ["", "beta", "alpha"];

/** apimachinery/pkg/version CompareKubeAwareVersionStrings: v2, v1, v1beta1, v1alpha1, then other names in order. */
export function compareVersions(a: string, b: string): number {
  const [x, y] = [/^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(a), /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(b)];
  if (x === null || y === null) return x === null && y === null ? (a < b ? -1 : a > b ? 1 : 0) : x === null ? 1 : -1;
  const stage = (m: RegExpExecArray): number => MATURITY.indexOf(m[2] ?? "");
  return stage(x) - stage(y) || Number(y[1]) - Number(x[1]) || Number(y[3] ?? 0) - Number(x[3] ?? 0);
}

/** As discovery lists them: only what is established, groups in order of their names, versions by priority. */
export function discoverable(objects: readonly KubeObject[]): readonly ApiResource[] {
  const all = objects.filter(isCrd).filter((crd) => isTrue(crd, "Established")).flatMap(customResourcesOf);
  return [...all].sort((a, b) => (a.group < b.group ? -1 : a.group > b.group ? 1 : compareVersions(a.version, b.version) || (a.resource < b.resource ? -1 : Number(a.resource > b.resource))));
}

/** What stores the kinds of every definition among these objects, by "apiVersion/Kind" of any of its versions. */
export function customKinds(objects: readonly KubeObject[]): ReadonlyMap<string, ApiResource> {
  return new Map(objects.filter(isCrd).flatMap((crd) => {
    const storage = storageResourceOf(crd);
    return storage === undefined ? [] : versionsOf(crd).map((api) => [`${api.apiVersion}/${api.kind}`, storage] as const);
  }));
}
