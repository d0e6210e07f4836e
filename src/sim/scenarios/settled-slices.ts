import { randomSuffix } from "../api/random-suffix.ts";
import type { EndpointSlice, KubeObject, Node, Pod, Service } from "../api/types.ts";
import { keyedRandom } from "../kernel/random.ts";
import { reconcileSlices } from "../kube-controller-manager/endpointslice/reconcile.ts";

/** The EndpointSlices that their controller has made for Services which bring none. */
export function settledSlices(objects: readonly KubeObject[]): readonly EndpointSlice[] {
  const sliced = new Set(objects.filter((object) => object.kind === "EndpointSlice").map(({ metadata }) => `${metadata.namespace ?? ""}/${metadata.labels?.["kubernetes.io/service-name"] ?? ""}`));
  const pods = objects.filter((object) => object.kind === "Pod") as unknown as readonly Pod[];
  const nodes = new Map(objects.filter((object) => object.kind === "Node").map((object) => [object.metadata.name ?? "", object as Node]));
  const services = objects.filter((object) => object.kind === "Service") as unknown as readonly Service[];
  return services.flatMap((service) => {
    const { namespace = "", name = "" } = service.metadata;
    const selector = Object.entries(service.spec.selector ?? {});
    if (selector.length === 0 || service.spec.type === "ExternalName" || sliced.has(`${namespace}/${name}`)) return [];
    const selected = pods.filter(({ metadata }) => metadata.namespace === namespace && selector.every(([key, value]) => metadata.labels?.[key] === value));
    return reconcileSlices(service, selected, [], (node) => nodes.get(node)).create.map((slice): EndpointSlice => {
      const { generateName = "", ...metadata } = slice.metadata;
      return { ...slice, metadata: { ...metadata, name: `${generateName}${randomSuffix((i) => keyedRandom(1, "slice", `${namespace}/${name}`, i))}` } };
    });
  });
}
