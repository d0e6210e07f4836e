// Models kubernetes/staging/src/k8s.io/kubectl/pkg/describe/describe.go (NodeDescriber)
import { humanDuration } from "../api/duration.ts";
import { podLimits, podRequests } from "../api/pod-resources.ts";
import { addQuantity, canonicalQuantity, milliValue, value } from "../api/quantity.ts";
import { parseRfc3339 } from "../api/time.ts";
import type { KubeObject, Pod, ResourceList } from "../api/types.ts";
import { annotationsText, labelsText, line, rfc1123z, sorted } from "./describe-util.ts";
import { statusOf as refusal } from "./errors.ts";
import { chunkOf, listOrNothing } from "./paging.ts";
import type { Process } from "./process.ts";

interface Spec {
  readonly podCIDR?: string;
  readonly podCIDRs?: readonly string[];
  readonly providerID?: string;
  readonly unschedulable?: boolean;
  readonly taints?: readonly { readonly key: string; readonly value?: string; readonly effect: string }[];
}
interface Status {
  readonly capacity?: ResourceList;
  readonly allocatable?: ResourceList;
  readonly conditions?: readonly { readonly type: string; readonly status: string; readonly reason?: string; readonly message?: string; readonly lastHeartbeatTime?: string; readonly lastTransitionTime?: string }[];
  readonly addresses?: readonly { readonly type: string; readonly address: string }[];
  readonly nodeInfo?: Readonly<Record<string, string>>;
}

const INFO: readonly (readonly [string, string])[] = [
  ["Machine ID", "machineID"], ["System UUID", "systemUUID"], ["Boot ID", "bootID"], ["Kernel Version", "kernelVersion"], ["OS Image", "osImage"], ["Operating System", "operatingSystem"], ["Architecture", "architecture"],
  ["Container Runtime Version", "containerRuntimeVersion"], ["Kubelet Version", "kubeletVersion"],
];
const ROLE = "node-role.kubernetes.io/";

function rolesOf(labels: Readonly<Record<string, string>> | undefined): string {
  const roles = Object.entries(labels ?? {}).flatMap(([key, text]) => (key.startsWith(ROLE) ? [key.slice(ROLE.length)] : key === "kubernetes.io/role" ? [text] : [])).filter((role) => role !== "");
  return [...new Set(roles)].sort().join(",") || "<none>";
}

function lease(p: Process, name: string): string {
  const answer = p.ask({ method: "GET", path: `/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/${name}`, subject: `lease/kube-node-lease/${name}` });
  if (answer.status !== 200) return `Lease:\tFailed to get lease: ${refusal(answer)?.message ?? ""}\n`;
  const { holderIdentity = "<unset>", acquireTime, renewTime } = ((answer.body as KubeObject).spec ?? {}) as { readonly holderIdentity?: string; readonly acquireTime?: string; readonly renewTime?: string };
  const time = (text: string | undefined): string => (text ? rfc1123z(text) : "<unset>");
  return `Lease:\n  HolderIdentity:\t${holderIdentity}\n  AcquireTime:\t${time(acquireTime)}\n  RenewTime:\t${time(renewTime)}\n`;
}

const resources = (title: string, list: ResourceList | undefined): string => (list === undefined || Object.keys(list).length === 0 ? "" : `${title}:\n${sorted(list).map(([name, quantity]) => `  ${name}:\t${canonicalQuantity(quantity)}\n`).join("")}`);

/** "100m (1%)" of what the node can give. */
function share(list: ResourceList, name: string, allocatable: ResourceList): string {
  const own = list[name] ?? "0";
  const of = allocatable[name];
  const percent = name === "cpu" ? (milliValue(of) === 0 ? 0 : (milliValue(own) * 100) / milliValue(of)) : value(of) === 0 ? 0 : (value(own) * 100) / value(of);
  return `${canonicalQuantity(own)} (${Math.trunc(percent)}%)`;
}

/** Simplified: quantities of a sum keep the format of the first one; upstream too. */
function sum(lists: readonly ResourceList[]): ResourceList {
  const total: Record<string, string> = {};
  for (const list of lists) for (const [name, quantity] of Object.entries(list)) total[name] = total[name] === undefined ? canonicalQuantity(quantity) : addQuantity(total[name], quantity);
  return total;
}

function podRows(pods: readonly Pod[], allocatable: ResourceList, now: number): string {
  const rows = pods.map((pod) => {
    const [requests, limits] = [podRequests(pod.spec), podLimits(pod.spec)];
    const created = pod.metadata.creationTimestamp;
    return `  ${pod.metadata.namespace ?? ""}\t${pod.metadata.name ?? ""}\t${share(requests, "cpu", allocatable)}\t${share(limits, "cpu", allocatable)}\t${share(requests, "memory", allocatable)}\t${share(limits, "memory", allocatable)}\t${created ? humanDuration(now - parseRfc3339(created)) : "<unknown>"}\n`;
  });
  return `Non-terminated Pods:\t(${pods.length} in total)\n  Namespace\tName\t\tCPU Requests\tCPU Limits\tMemory Requests\tMemory Limits\tAge\n  ---------\t----\t\t------------\t----------\t---------------\t-------------\t---\n${rows.join("").replaceAll(/^(  \S+\t\S+\t)/gm, "$1\t")}`;
}

const ALWAYS = ["cpu", "memory", "ephemeral-storage"];
function allocated(pods: readonly Pod[], allocatable: ResourceList): string {
  const [requests, limits] = [sum(pods.map((pod) => podRequests(pod.spec))), sum(pods.map((pod) => podLimits(pod.spec)))];
  const others = Object.keys(allocatable).filter((name) => !ALWAYS.includes(name) && name !== "pods").sort();
  const extended = (name: string): boolean => !name.startsWith("hugepages-");
  const rows = [...ALWAYS, ...others.filter((name) => !extended(name)), ...others.filter(extended)].map((name) => (extended(name) && !ALWAYS.includes(name) ? `  ${name}\t${canonicalQuantity(requests[name] ?? "0")}\t${canonicalQuantity(limits[name] ?? "0")}\n` : `  ${name}\t${share(requests, name, allocatable)}\t${share(limits, name, allocatable)}\n`));
  return `Allocated resources:\n  (Total limits may be over 100 percent, i.e., overcommitted.)\n  Resource\tRequests\tLimits\n  --------\t--------\t------\n${rows.join("")}`;
}

export function nodeText(object: KubeObject, p: Process, events: () => string): string {
  const { name = "", labels, annotations, creationTimestamp = "" } = object.metadata;
  const [spec, status] = [(object.spec ?? {}) as Spec, (object.status ?? {}) as Status];
  const time = (text: string | undefined): string => (text ? rfc1123z(text) : "<unknown>");
  const pods = listOrNothing(p, { path: "/api/v1/pods", query: { fieldSelector: `spec.nodeName=${name},status.phase!=Succeeded,status.phase!=Failed` }, subject: `pods of node/${name}` }, chunkOf(p.options)) as readonly Pod[] | undefined;
  events();
  // Simplified: upstream lists what its own slices offer; no device driver runs here.
  p.ask({ method: "GET", path: "/apis/resource.k8s.io/v1/resourceslices", query: { fieldSelector: `spec.nodeName=${name}` }, subject: `resourceslices of node/${name}` });
  const taints = [...(spec.taints ?? [])].sort((a, b) => (`${a.effect}${a.key}` < `${b.effect}${b.key}` ? -1 : 1)).map(({ key, value: text, effect }) => `${key}${text ? `=${text}` : ""}:${effect}`);
  const allocatable = status.allocatable ?? status.capacity ?? {};
  return [
    `Name:\t${name}\nRoles:\t${rolesOf(labels)}\n`, labelsText("Labels", labels), annotationsText("Annotations", annotations), `CreationTimestamp:\t${rfc1123z(creationTimestamp)}\n`, taints.length === 0 ? "Taints:\t<none>\n" : `Taints:\t${taints.join("\n\t")}\n`,
    `Unschedulable:\t${spec.unschedulable === true}\n`, lease(p, name),
    (status.conditions ?? []).length === 0 ? "" : `Conditions:\n  Type\tStatus\tLastHeartbeatTime\tLastTransitionTime\tReason\tMessage\n  ----\t------\t-----------------\t------------------\t------\t-------\n${(status.conditions ?? []).map((c) => `  ${c.type} \t${c.status} \t${time(c.lastHeartbeatTime)} \t${time(c.lastTransitionTime)} \t${c.reason ?? ""} \t${c.message ?? ""}\n`).join("")}`,
    `Addresses:\n${(status.addresses ?? []).map(({ type, address }) => `  ${type}:\t${address}\n`).join("")}`, resources("Capacity", status.capacity), resources("Allocatable", status.allocatable),
    `System Info:\n${INFO.map(([title, field]) => `  ${title}:\t${status.nodeInfo?.[field] ?? ""}\n`).join("")}`, line("PodCIDR", spec.podCIDR), (spec.podCIDRs ?? []).length === 0 ? "" : `PodCIDRs:\t${(spec.podCIDRs ?? []).join(",")}\n`, line("ProviderID", spec.providerID),
    pods === undefined ? "Pods:\tnot authorized\n" : `${podRows(pods, allocatable, p.now)}${allocated(pods, allocatable)}`,
  ].join("");
}
