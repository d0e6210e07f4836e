import { randomSuffix } from "../api/random-suffix.ts";
import type { EndpointSlice, KubeObject, Node, Pod, Service } from "../api/types.ts";
import { keyedRandom } from "../kernel/random.ts";
import { endpointsOf } from "../kube-controller-manager/endpoint/endpoint-controller.ts";
import { reconcileFamily } from "../kube-controller-manager/endpointslice/reconcile.ts";

/** The Endpoints and EndpointSlices that their controllers have made for Services which bring none. */
export function settledEndpoints(objects: readonly KubeObject[]): readonly KubeObject[] {
  const sliced = new Set(objects.filter((object) => object.kind === "EndpointSlice").map(({ metadata }) => `${metadata.namespace ?? ""}/${metadata.labels?.["kubernetes.io/service-name"] ?? ""}`));
  const pods = objects.filter((object) => object.kind === "Pod") as unknown as readonly Pod[];
  const nodes = new Map(objects.filter((object) => object.kind === "Node").map((object) => [object.metadata.name ?? "", object as Node]));
  const services = objects.filter((object) => object.kind === "Service") as unknown as readonly Service[];
  return services.flatMap((service) => {
    const { namespace = "", name = "" } = service.metadata;
    const selector = Object.entries(service.spec.selector ?? {});
    if (selector.length === 0 || service.spec.type === "ExternalName" || sliced.has(`${namespace}/${name}`)) return [];
    const selected = pods.filter(({ metadata }) => metadata.namespace === namespace && selector.every(([key, value]) => metadata.labels?.[key] === value));
    const listed = objects.some(({ kind, metadata }) => kind === "Endpoints" && metadata.namespace === namespace && metadata.name === name);
    const slices = reconcileFamily(service, selected, [], (node) => nodes.get(node), "IPv4").create.map((slice): EndpointSlice => {
      const { generateName = "", ...metadata } = slice.metadata;
      return { ...slice, metadata: { ...metadata, name: `${generateName}${randomSuffix((i) => keyedRandom(1, "slice", `${namespace}/${name}`, i))}` } };
    });
    return [...(listed ? [] : [endpointsOf(service, selected, { name, namespace }) as KubeObject]), ...slices];
  });
}
