/** How times and names are worded in every panel. Pure text, no React. */

const threeFigures = (value: number): string => String(Number(value.toPrecision(3)));

/** A duration in microseconds with an adaptive unit and three significant figures: "40 µs", "2.11 ms", "3.4 s", "5 min 40 s". */
export function durationText(micros: number): string {
  if (micros < 0) return `−${durationText(-micros)}`;
  if (micros < 1_000) return `${Math.round(micros)} µs`;
  if (micros < 999_500) return `${threeFigures(micros / 1_000)} ms`;
  if (micros < 60_000_000) return `${threeFigures(micros / 1_000_000)} s`;
  const seconds = Math.round(micros / 1_000_000);
  const rest = seconds % 60;
  return rest === 0 ? `${seconds / 60} min` : `${Math.floor(seconds / 60)} min ${rest} s`;
}

/** A point in time in full precision: "2.114388 s". */
export function timeText(micros: number): string {
  return `${(micros / 1_000_000).toFixed(6)} s`;
}

/** The two parts of a point in time, so that seconds can be dark and the rest light: ["2", ".114388"]. */
export function timeParts(micros: number): readonly [string, string] {
  const text = (micros / 1_000_000).toFixed(6);
  const dot = text.indexOf(".");
  return [text.slice(0, dot), text.slice(dot)];
}

/** Reads "2.114388 s", "50ms", "40 us", "1.5m", or a bare number of seconds; undefined if it is none. Microseconds. */
export function parseTime(text: string): number | undefined {
  const match = /^\s*(\d+(?:\.\d+)?)\s*(us|µs|ms|s|m|min|)\s*$/i.exec(text);
  if (!match) return undefined;
  const unit = (match[2] ?? "").toLowerCase();
  const factor = unit === "us" || unit === "µs" ? 1 : unit === "ms" ? 1_000 : unit === "m" || unit === "min" ? 60_000_000 : 1_000_000;
  return Math.round(Number(match[1]) * factor);
}

/** Which part of the cluster a component belongs to: fixes its hue and mark. */
export type Family = "client" | "apiserver" | "etcd" | "scheduler" | "controllers" | "kubelet" | "runtime" | "network";

const FAMILIES: readonly (readonly [prefix: string, family: Family])[] = [
  ["kubectl", "client"],
  ["users", "client"],
  ["kube-apiserver", "apiserver"],
  ["webhook", "apiserver"],
  ["etcd", "etcd"],
  ["kube-scheduler", "scheduler"],
  ["kubelet", "kubelet"],
  ["containerd", "runtime"],
  ["process", "runtime"],
  ["registry", "runtime"],
  ["cni", "network"],
  ["kube-proxy", "network"],
  ["netfilter", "network"],
  ["coredns", "network"],
];

/** The family of a component id ("kubelet@worker-node-03", "etcd-1"); what is not listed is a controller. */
export function familyOf(component: string): Family {
  return FAMILIES.find(([prefix]) => component.startsWith(prefix))?.[1] ?? "controllers";
}

/** "pod/default/nginx" as a reader says it: "Pod default/nginx". */
export function subjectText(subject: string): string {
  const slash = subject.indexOf("/");
  if (slash <= 0) return subject;
  return `${KINDS[subject.slice(0, slash)] ?? subject.slice(0, slash)} ${subject.slice(slash + 1)}`;
}

const KINDS: Readonly<Record<string, string>> = {
  pod: "Pod",
  node: "Node",
  service: "Service",
  endpointslice: "EndpointSlice",
  endpoints: "Endpoints",
  deployment: "Deployment",
  replicaset: "ReplicaSet",
  event: "Event",
  lease: "Lease",
  namespace: "Namespace",
  configmap: "ConfigMap",
  secret: "Secret",
  serviceaccount: "ServiceAccount",
};
