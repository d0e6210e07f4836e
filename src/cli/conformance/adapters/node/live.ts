import { applyDefaults } from "../../../../sim/api/defaulting/apply-defaults.ts";
import type { KubeObject, Pod } from "../../../../sim/api/types.ts";
import { admitResources } from "../../../../sim/kubelet/eviction.ts";
import { create, NODE, runNode, testWorld } from "../../../../sim/kubelet/testdata/node-cluster.ts";
import type { Adapter } from "../../adapter.ts";
import { crashBackoff } from "./backoff.ts";
import { imagePull } from "./image-pull.ts";
import type { Happening } from "./inputs.ts";

interface FailureInput {
  readonly pod?: Pod;
  readonly pull?: { readonly durationMs: number; readonly waitedMs: number; readonly imageSizeBytes: number };
  readonly cluster?: { readonly configMaps?: readonly Partial<KubeObject>[]; readonly secrets?: readonly Partial<KubeObject>[] };
  readonly happenings?: readonly Happening[];
  readonly outcomes?: readonly string[];
  readonly node?: { readonly allocatable?: Readonly<Record<string, string>>; readonly usedMilliCPU?: number; readonly usedMemoryBytes?: number; readonly pods?: number };
}

const SECOND = 1_000_000;

function happyPath(input: FailureInput, pod: Pod): unknown {
  const { events } = imagePull.run({ pod, pull: { ok: true, ...input.pull } }, { id: "", kind: "image-pull" }) as { events: readonly { type: string; reason: string; message: string }[] };
  const kubelet = [...events, { type: "Normal", reason: "Created", message: "Container created" }, { type: "Normal", reason: "Started", message: "Container started" }];
  const scheduled = { type: "Normal", reason: "Scheduled", message: `Successfully assigned ${pod.metadata.namespace ?? ""}/${pod.metadata.name ?? ""} to ${pod.spec.nodeName ?? ""}`, reportingComponent: "default-scheduler" };
  return { events: [scheduled, ...kubelet.map((event) => ({ ...event, reportingComponent: "kubelet" }))], fieldPath: `spec.containers{${pod.spec.containers[0]?.name ?? ""}}` };
}

function refused(input: FailureInput, pod: Pod): unknown {
  const verdict = admitResources(pod, input.node?.allocatable ?? {}, { cpu: input.node?.usedMilliCPU ?? 0, memory: input.node?.usedMemoryBytes ?? 0, pods: input.node?.pods ?? 0 });
  if (!verdict) return { phase: "Pending" };
  return { phase: "Failed", reason: verdict.reason, message: `Pod was rejected: ${verdict.message}`, event: { type: "Warning", ...verdict }, containerStatuses: null };
}

/** Deaths of a container as a story: the last exit and what the status shows then. */
function deaths(input: FailureInput, pod: Pod): unknown {
  const exits = (input.happenings ?? []).filter((happening) => /kill|exit/i.test(happening.what));
  const oom = /OOM/.test(exits.at(-1)?.what ?? "");
  const followed = crashBackoff.run({ pod, happenings: input.happenings }, { id: "", kind: "crash-backoff" }) as Record<string, unknown>;
  const exitCode = oom ? 137 : Number(/exit (\d+)/.exec(exits.at(-1)?.what ?? "")?.[1] ?? 137);
  return { ...followed, lastState: { terminated: { reason: oom ? "OOMKilled" : exitCode === 0 ? "Completed" : "Error", exitCode } }, phase: "Running", nextStartNotBefore: followed["earliestRestartAt"] };
}

/** Runs the Pod on a node of its own for half a minute and tells what a user sees. */
function live(input: FailureInput, given: Pod): unknown {
  const pod = applyDefaults({ ...given, metadata: { ...given.metadata, resourceVersion: "11" }, spec: { ...given.spec, nodeName: NODE.name }, status: { phase: "Pending" } } as Pod) as Pod;
  const named = (kind: string, objects: readonly Partial<KubeObject>[] | undefined): KubeObject[] => (objects ?? []).map((object) => ({ apiVersion: "v1", kind, ...object, metadata: { namespace: "default", ...object.metadata } }));
  const objects = [...named("ConfigMap", input.cluster?.configMaps), ...named("Secret", input.cluster?.secrets)];
  const images = pod.spec.containers.map((container) => container.image ?? "");
  const { api } = runNode([create(SECOND, pod)], 30 * SECOND, { objects, world: testWorld([], images) });
  const last = api.writes.at(-1)?.pod;
  const status = last?.status;
  const waiting = status?.containerStatuses?.[0]?.state?.waiting;
  const ready = status?.conditions?.find((condition) => condition.type === "PodReadyToStartContainers");
  const warnings = api.events.filter((event) => /Failed|BackOff|Inspect|Err/.test(event.reason));
  const event = warnings[0];
  return {
    phase: status?.phase, waiting, sandboxCreated: ready?.status === "True", podIP: status?.podIP ?? null, condition: ready, containerStatuses: status?.containerStatuses,
    events: api.events, event: event && { type: event.reason === "BackOff" ? "Normal" : "Warning", reason: event.reason, message: event.message },
  };
}

const SIGNALS: readonly (readonly [RegExp, readonly [string, number]])[] = [[/SIGKILL/, ["Error", 137]], [/SIGTERM/, ["Error", 143]], [/OOM/, ["OOMKilled", 137]], [/exit 0|clean/, ["Completed", 0]]];

function run(raw: unknown): unknown {
  const input = raw as FailureInput;
  if (input.outcomes) return { reasonAndCode: input.outcomes.map((outcome) => SIGNALS.find(([pattern]) => pattern.test(outcome))?.[1]) };
  if (!input.pod) throw new Error("the case has no Pod");
  if (input.pull) return happyPath(input, input.pod);
  if (input.node?.allocatable) return refused(input, input.pod);
  return input.happenings ? deaths(input, input.pod) : live(input, input.pod);
}

export const failuresAndEvents: Adapter = { kind: "failures-and-events", run };
