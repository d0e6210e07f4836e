// Models kubernetes/staging/src/k8s.io/kubectl/pkg/cmd/debug/profiles.go
import type { KubeObject } from "../api/types.ts";

export type Json = Readonly<Record<string, unknown>>;
export type Container = Json & { readonly name: string };

/** The parts of a Pod that debugging changes; containers are read loosely. */
export interface DebugPod extends KubeObject {
  readonly spec: Json & { readonly containers: readonly Container[]; readonly initContainers?: readonly Container[]; readonly ephemeralContainers?: readonly Container[]; readonly volumes?: readonly Json[] };
}

/** What is debugged: a container joins the Pod, a copy is made, or a Pod is put on a node. */
export type Style = "ephemeral" | "copy" | "node";

/** What a copy keeps of its original. */
export interface Keep {
  readonly labels: boolean;
  readonly annotations: boolean;
  readonly liveness: boolean;
  readonly readiness: boolean;
  readonly startup: boolean;
  readonly initContainers: boolean;
}

type Change = (pod: DebugPod, name: string) => DebugPod;

const without = (object: Json, keys: readonly string[]): Json => Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));

const LISTS = ["initContainers", "containers", "ephemeralContainers"] as const;

/** Changes the first container of that name, in the order in which podutils visits all of them. */
function container(pod: DebugPod, name: string, change: (container: Container) => Container): DebugPod {
  for (const list of LISTS) {
    const all = pod.spec[list] ?? [];
    const at = all.findIndex((one) => one.name === name);
    if (at >= 0) return { ...pod, spec: { ...pod.spec, [list]: all.map((one, i) => (i === at ? change(one) : one)) } };
  }
  return pod;
}

const context = (of: (before: Json) => Json): Change => (pod, name) => container(pod, name, (one) => ({ ...one, securityContext: of((one["securityContext"] ?? {}) as Json) }));
const capabilities = (before: Json): Json & { readonly add?: readonly string[] } => (before["capabilities"] ?? {}) as Json;
const adds = (...names: readonly string[]): Change => context((before) => ({ ...before, capabilities: { ...capabilities(before), add: [...(capabilities(before).add ?? []), ...names] } }));

const clear: Change = (pod, name) => container(pod, name, (one) => without(one, ["securityContext"]) as Container);
const privileged = context((before) => ({ ...before, privileged: true }));
const restrict = context(() => ({ runAsNonRoot: true, capabilities: { drop: ["ALL"] }, allowPrivilegeEscalation: false, seccompProfile: { type: "RuntimeDefault" } }));
const hostNamespaces: Change = (pod) => ({ ...pod, spec: { ...pod.spec, hostNetwork: true, hostPID: true, hostIPC: true } });

const HOST_ROOT = "host-root";
const mountRoot: Change = (pod, name) => {
  const mounted = { ...pod, spec: { ...pod.spec, volumes: [...(pod.spec.volumes ?? []), { name: HOST_ROOT, hostPath: { path: "/" } }] } };
  return container(mounted, name, (one) => ({ ...one, volumeMounts: [...((one["volumeMounts"] ?? []) as readonly Json[]), { name: HOST_ROOT, mountPath: "/host" }] }));
};

/** What every profile but the oldest does to a copy. */
function strip(pod: DebugPod, keep: Keep): DebugPod {
  const meta = without(pod.metadata as Json, [...(keep.labels ? [] : ["labels"]), ...(keep.annotations ? [] : ["annotations"])]);
  const probes = [...(keep.liveness ? [] : ["livenessProbe"]), ...(keep.readiness ? [] : ["readinessProbe"]), ...(keep.startup ? [] : ["startupProbe"])];
  const spec = without(pod.spec, keep.initContainers ? [] : ["initContainers"]);
  const shared = spec["shareProcessNamespace"] === undefined ? { shareProcessNamespace: true } : {};
  return { ...pod, metadata: meta, spec: { ...spec, ...shared, containers: pod.spec.containers.map((one) => without(one, probes) as Container) } };
}

/** By profile: what always happens, what happens on a node, and what in a Pod. */
const PROFILES: Readonly<Record<string, { readonly always: readonly Change[]; readonly node: readonly Change[]; readonly pod?: readonly Change[] }>> = {
  general: { always: [], node: [mountRoot, clear, hostNamespaces], pod: [adds("SYS_PTRACE")] },
  baseline: { always: [clear], node: [] },
  restricted: { always: [restrict], node: [] },
  netadmin: { always: [adds("NET_ADMIN", "NET_RAW")], node: [hostNamespaces] },
  sysadmin: { always: [privileged], node: [hostNamespaces, mountRoot] },
  legacy: { always: [], node: [mountRoot, hostNamespaces] },
};

export const isProfile = (name: string): boolean => PROFILES[name] !== undefined;

/** Gives the container `name` of the Pod the rights that a profile means. */
export function applyProfile(profile: string, pod: DebugPod, name: string, style: Style, keep: Keep): DebugPod {
  const { always = [], node = [], pod: inPod = [] } = PROFILES[profile] ?? {};
  const base = style !== "copy" ? pod : profile === "legacy" ? { ...pod, metadata: without(pod.metadata as Json, ["labels"]) } : strip(pod, keep);
  return [...always, ...(style === "node" ? node : inPod)].reduce((changed, change) => change(changed, name), base);
}
