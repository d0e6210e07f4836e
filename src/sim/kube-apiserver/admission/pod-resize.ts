// Models kubernetes/plugin/pkg/admission/{podresize,nodedeclaredfeatures}/admission.go and component-helpers/nodedeclaredfeatures/features/inplacepodresize
import { podRequests } from "../../api/pod-resources.ts";
import { compareQuantity, milliValue, value } from "../../api/quantity.ts";
import type { KubeObject, Node, Pod, ResourceList, Status } from "../../api/types.ts";
import { semanticEqual } from "../../api/validation/helpers.ts";
import { type AdmissionAttributes, type AdmissionPlugin, forbid } from "./attributes.ts";

const podUpdate = ({ group, resource, subresource, operation }: AdmissionAttributes, ...subresources: readonly string[]): boolean => group === "" && resource === "pods" && operation === "UPDATE" && subresources.includes(subresource);

/** The node of a bound Pod whose spec changes; undefined when there is nothing to judge. */
function nodeOf(object: KubeObject, attrs: AdmissionAttributes): Node | Status | undefined {
  const pod = object as Pod;
  const name = pod.spec.nodeName ?? "";
  if (name === "" || pod.metadata.generation === attrs.oldObject?.metadata.generation) return undefined;
  return (attrs.lookup("nodes", "", name) as Node | undefined) ?? forbid(attrs, pod, `node ${JSON.stringify(name)} not found`);
}

const isStatus = (found: Node | Status): found is Status => found.kind === "Status";

function tooLarge(pod: Pod, allocatable: ResourceList): string | undefined {
  const requests = podRequests(pod.spec);
  const cpu = compareQuantity(requests["cpu"], allocatable["cpu"]) > 0 ? [`cpu, requested: ${milliValue(requests["cpu"])}, allocatable: ${milliValue(allocatable["cpu"])}`] : [];
  const memory = compareQuantity(requests["memory"], allocatable["memory"]) > 0 ? [`memory, requested: ${value(requests["memory"])}, allocatable: ${value(allocatable["memory"])}`] : [];
  const all = [...cpu, ...memory];
  return all.length === 0 ? undefined : `node didn't have enough allocatable resources: ${all.join("; ")}`;
}

/** A Pod may not grow beyond its node. */
export const podResizeValidator = {
  name: "PodResizeValidator",
  handles: (attrs) => podUpdate(attrs, "resize"),
  validate(object, attrs) {
    const node = nodeOf(object, attrs);
    if (node === undefined || isStatus(node)) return node;
    const refuse = (text: string, reason: string): Status => {
      const status = forbid(attrs, object, text);
      return { ...status, details: { ...status.details, causes: [{ reason, message: "" }] } };
    };
    const os = node.metadata.labels?.["kubernetes.io/os"];
    if (os !== undefined && os !== "linux") return refuse(`pod resize is only supported on linux nodes, node ${JSON.stringify(node.metadata.name ?? "")} is ${JSON.stringify(os)}`, "UnsupportedPlatform");
    const text = tooLarge(object as Pod, (node.status as { readonly allocatable?: ResourceList } | undefined)?.allocatable ?? {});
    return text === undefined ? undefined : refuse(text, "NodeCapacity");
  },
} satisfies AdmissionPlugin;

/** What this update needs of the node's kubelet, by the names of its features. */
function neededFeatures(pod: Pod, old: Pod): readonly string[] {
  const initChanged = (pod.spec.initContainers ?? []).some((container, i) => container.restartPolicy !== "Always" && !semanticEqual(container.resources, old.spec.initContainers?.[i]?.resources));
  return [...(semanticEqual(pod.spec.resources, old.spec.resources) ? [] : ["InPlacePodLevelResourcesVerticalScaling"]), ...(initChanged ? ["InPlacePodVerticalScalingInitContainers"] : [])];
}

/** An update may need what an older kubelet does not know; the node declares what it does. */
export const nodeDeclaredFeatureValidator = {
  name: "NodeDeclaredFeatureValidator",
  handles: (attrs) => podUpdate(attrs, "", "resize"),
  validate(object, attrs) {
    const needed = neededFeatures(object as Pod, attrs.oldObject as Pod);
    if (needed.length === 0) return undefined;
    const node = nodeOf(object, attrs);
    if (node === undefined || isStatus(node)) return node;
    const declared = (node.status as { readonly declaredFeatures?: readonly string[] } | undefined)?.declaredFeatures ?? [];
    const missing = needed.filter((feature) => !declared.includes(feature));
    return missing.length === 0 ? undefined : forbid(attrs, object, `pod update requires features ${missing.join(", ")} which are not available on node ${JSON.stringify(node.metadata.name ?? "")}`);
  },
} satisfies AdmissionPlugin;
