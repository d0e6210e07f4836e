// Models kubernetes/staging/src/k8s.io/client-go/discovery/{discovery_client,aggregated_discovery}.go
import { API_RESOURCES, type ApiResource, groupOf, versionOf } from "../api/schema/resources.ts";

interface DiscoveredResource {
  readonly resource: string;
  readonly responseKind: { readonly kind: string };
  readonly scope: string;
  readonly singularResource?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly verbs?: readonly string[];
  readonly subresources?: readonly { readonly subresource: string }[];
}
/** apidiscovery.k8s.io/v2 APIGroupDiscoveryList. */
interface GroupDiscovery {
  readonly kind?: string;
  readonly items?: readonly { readonly metadata: { readonly name?: string }; readonly versions: readonly { readonly version: string; readonly freshness?: string; readonly resources?: readonly DiscoveredResource[] }[] }[];
}

/** What a client accepts as the answer to GET /api and /apis. */
export const DISCOVERY = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json";

/** The resources of a discovery document that are not built in. */
export function customOf(body: unknown): readonly ApiResource[] {
  const known = new Set(API_RESOURCES.map(({ apiVersion, resource }) => `${apiVersion}/${resource}`));
  return ((body as GroupDiscovery | undefined)?.items ?? []).flatMap(({ metadata, versions }) =>
    versions.flatMap(({ version, resources = [] }) =>
      resources.map((found): ApiResource => {
        const apiVersion = `${metadata.name ?? ""}/${version}`;
        return {
          group: groupOf(apiVersion), version: versionOf(apiVersion), apiVersion, kind: found.responseKind.kind, resource: found.resource, singular: found.singularResource || found.responseKind.kind.toLowerCase(), shortNames: found.shortNames ?? [],
          namespaced: found.scope === "Namespaced", subresources: (found.subresources ?? []).map(({ subresource }) => subresource), categories: found.categories ?? [], createOnly: false, etcdPrefix: "",
        };
      }).filter(({ apiVersion, resource }) => !known.has(`${apiVersion}/${resource}`))));
}

/** The resources that are not built in and know all of `verbs`. */
export function customWith(body: unknown, verbs: readonly string[]): readonly ApiResource[] {
  const able = new Set(((body as GroupDiscovery | undefined)?.items ?? []).flatMap(({ metadata, versions }) =>
    versions.flatMap(({ version, resources = [] }) => resources.filter((found) => verbs.every((verb) => found.verbs?.includes(verb) === true)).map(({ resource }) => `${metadata.name ?? ""}/${version}/${resource}`))));
  return customOf(body).filter(({ apiVersion, resource }) => able.has(`${apiVersion}/${resource}`));
}

/** Of several versions of a resource the one that its group prefers: discovery names it first. */
export function preferred(resources: readonly ApiResource[]): readonly ApiResource[] {
  const seen = new Set<string>();
  return resources.filter(({ group, resource }) => !seen.has(`${group}/${resource}`) && seen.add(`${group}/${resource}`) !== undefined);
}

/** Group versions whose server did not answer when the document was made, as "metrics.k8s.io/v1beta1". */
export const staleOf = (body: unknown): readonly string[] => ((body as GroupDiscovery | undefined)?.items ?? []).flatMap(({ metadata, versions }) => versions.filter(({ freshness }) => freshness === "Stale").map(({ version }) => `${metadata.name ?? ""}/${version}`));
