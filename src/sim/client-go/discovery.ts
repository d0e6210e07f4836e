// Models kubernetes/staging/src/k8s.io/client-go/discovery/{discovery_client,aggregated_discovery}.go
import { API_RESOURCES, type ApiResource, groupOf, versionOf } from "../api/schema/resources.ts";

interface DiscoveredResource {
  readonly resource: string;
  readonly responseKind: { readonly kind: string };
  readonly scope: string;
  readonly singularResource?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly subresources?: readonly { readonly subresource: string }[];
}
/** apidiscovery.k8s.io/v2 APIGroupDiscoveryList. */
interface GroupDiscovery {
  readonly kind?: string;
  readonly items?: readonly { readonly metadata: { readonly name?: string }; readonly versions: readonly { readonly version: string; readonly resources?: readonly DiscoveredResource[] }[] }[];
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
