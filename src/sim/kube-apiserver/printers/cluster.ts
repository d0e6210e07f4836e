// Models printNode, printNamespace, printEvent, printLease and printResourceQuota of kubernetes/pkg/printers/internalversion/printers.go
import { canonicalQuantity } from "../../api/quantity.ts";
import type { KubeEvent, Namespace, Node, Quantity } from "../../api/types.ts";
import { type Micros } from "../../api/time.ts";
import { age, ageOf, columns, count, json, list, nameOf, type Printer, text } from "./printer.ts";

const ROLE_PREFIX = "node-role.kubernetes.io/";
const ROLE_LABEL = "kubernetes.io/role";

function nodeRoles(node: Node): string {
  const roles = new Set<string>();
  for (const [key, value] of Object.entries(node.metadata.labels ?? {})) {
    if (key.startsWith(ROLE_PREFIX) && key.length > ROLE_PREFIX.length) roles.add(key.slice(ROLE_PREFIX.length));
    else if (key === ROLE_LABEL && value !== "") roles.add(value);
  }
  return [...roles].sort((a, b) => (a < b ? -1 : 1)).join(",") || "<none>";
}

/** Ready=Unknown prints NotReady: only a node without a Ready condition is Unknown. */
function nodeStatus(node: Node): string {
  const ready = node.status?.conditions?.findLast((c) => c.type === "Ready");
  const status = ready === undefined ? "Unknown" : ready.status === "True" ? "Ready" : "NotReady";
  return node.spec?.unschedulable ? `${status},SchedulingDisabled` : status;
}

export const nodePrinter = {
  kinds: ["v1/Node"],
  columns: columns("Name Status Roles Age Version [Internal-IP External-IP OS-Image Kernel-Version Container-Runtime]"),
  row(object, now) {
    const node = object as Node;
    const info = json(node.status?.nodeInfo);
    const address = (type: string): string => node.status?.addresses?.find((a) => a.type === type)?.address ?? "<none>";
    const architecture = text(info["architecture"]);
    const kernel = text(info["kernelVersion"]) || "<unknown>";
    return [
      nameOf(node), nodeStatus(node), nodeRoles(node), ageOf(node, now), text(info["kubeletVersion"]), address("InternalIP"), address("ExternalIP"), text(info["osImage"]) || "<unknown>",
      architecture === "" ? kernel : `${kernel} (${architecture})`, text(info["containerRuntimeVersion"]) || "<unknown>",
    ];
  },
} satisfies Printer;

export const namespacePrinter = {
  kinds: ["v1/Namespace"],
  columns: columns("Name Status Age"),
  row: (object, now) => [nameOf(object), (object as Namespace).status?.phase ?? "", ageOf(object, now)],
} satisfies Printer;

function eventTimes(event: KubeEvent, now: Micros): { readonly first: string; readonly last: string } {
  const first = event.firstTimestamp ? age(event.firstTimestamp, now) : age(event.eventTime, now);
  if (event.series) return { first, last: age(event.series.lastObservedTime, now) };
  return { first, last: event.lastTimestamp ? age(event.lastTimestamp, now) : first };
}

/** Both API groups' events print alike: they are one stored object. */
export const eventPrinter = {
  kinds: ["v1/Event", "events.k8s.io/v1/Event"],
  columns: [
    { name: "Last Seen", priority: 0 }, { name: "Type", priority: 0 }, { name: "Reason", priority: 0 }, { name: "Object", priority: 0 }, { name: "Subobject", priority: 1 },
    { name: "Source", priority: 1 }, { name: "Message", priority: 0 }, { name: "First Seen", priority: 1 }, { name: "Count", priority: 1 }, { name: "Name", priority: 1 },
  ],
  row(object, now) {
    const event = object as KubeEvent;
    const { first, last } = eventTimes(event, now);
    const target = event.involvedObject ?? event.regarding ?? {};
    const kind = (target.kind ?? "").toLowerCase();
    const component = event.source?.component || event.reportingComponent || event.reportingController || "";
    const host = event.source?.host || event.reportingInstance || "";
    return [
      last, event.type ?? "", event.reason ?? "", target.name ? `${kind}/${target.name}` : kind, target.fieldPath ?? "", host === "" ? component : `${component}, ${host}`,
      (event.message ?? event.note ?? "").trim(), first, String(event.series?.count ?? (event.count || 1)), nameOf(event),
    ];
  },
} satisfies Printer;

/** printers.go printScale */
export const scalePrinter = {
  kinds: ["autoscaling/v1/Scale"],
  columns: columns("Name Desired Available Age"),
  row: (scale, now) => [nameOf(scale), count(json(scale.spec)["replicas"]), count(json(scale.status)["replicas"]), ageOf(scale, now)],
} satisfies Printer;

export const componentStatusPrinter = {
  kinds: ["v1/ComponentStatus"],
  columns: columns("Name Status Message Error"),
  row(object) {
    const condition = json(list((object as unknown as { readonly conditions?: unknown }).conditions)[0]);
    return [nameOf(object), condition["status"] === "True" ? "Healthy" : condition["status"] === "False" ? "Unhealthy" : "Unknown", text(condition["message"]), text(condition["error"])];
  },
} satisfies Printer;

export const leasePrinter = {
  kinds: ["coordination.k8s.io/v1/Lease"],
  columns: columns("Name Holder Age"),
  row: (object, now) => [nameOf(object), text(json(object.spec)["holderIdentity"]), ageOf(object, now)],
} satisfies Printer;

export const resourceQuotaPrinter = {
  kinds: ["v1/ResourceQuota"],
  columns: columns("Name Request Limit Age"),
  row(object, now) {
    const hard = json(json(object.status)["hard"]);
    const used = json(json(object.status)["used"]);
    const names = Object.keys(hard).sort((a, b) => (a < b ? -1 : 1));
    const cell = (name: string): string => `${name}: ${canonicalQuantity((used[name] ?? 0) as Quantity)}/${canonicalQuantity(hard[name] as Quantity)}`;
    const limits = names.filter((name) => name.startsWith("limits."));
    return [nameOf(object), names.filter((name) => !limits.includes(name)).map(cell).join(", "), limits.map(cell).join(", "), ageOf(object, now)];
  },
} satisfies Printer;

export const priorityClassPrinter = {
  kinds: ["scheduling.k8s.io/v1/PriorityClass"],
  columns: columns("Name Value Global-Default Age PreemptionPolicy"),
  row(object, now) {
    const { value, globalDefault, preemptionPolicy } = object as unknown as { readonly value?: number; readonly globalDefault?: boolean; readonly preemptionPolicy?: string };
    return [nameOf(object), count(value), String(globalDefault ?? false), ageOf(object, now), preemptionPolicy ?? ""];
  },
} satisfies Printer;

export const runtimeClassPrinter = {
  kinds: ["node.k8s.io/v1/RuntimeClass"],
  columns: columns("Name Handler Age"),
  row: (object, now) => [nameOf(object), text((object as unknown as { readonly handler?: string }).handler), ageOf(object, now)],
} satisfies Printer;
