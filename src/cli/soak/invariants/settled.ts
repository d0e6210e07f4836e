import { matches, parseSelector } from "../../../sim/api/labels.ts";
import { type Micros, SECOND } from "../../../sim/api/time.ts";
import type { KubeObject, Pod } from "../../../sim/api/types.ts";
import type { ContainerdState } from "../../../sim/cri/state.ts";
import { broken, type Invariant, type SoakRun, subjectOf } from "./invariant.ts";
import { last, lastUnder } from "./last.ts";

/** What is so for this long before the end of a run must have been noticed by everybody. */
const LONG: Micros = 70 * SECOND;
const SHORT: Micros = 15 * SECOND;

const isOver = (pod: Pod): boolean => pod.status?.phase === "Succeeded" || pod.status?.phase === "Failed";

/** When each Pod was deleted for good, by uid, with the grace it had. */
function deletedPods({ trace, base }: SoakRun): ReadonlyMap<string, { readonly at: Micros; readonly grace: number }> {
  const gone = new Map<string, { at: Micros; grace: number }>();
  const pods = new Map<string, Pod>(base.filter(({ key }) => key.startsWith("/registry/pods/")).map(({ key, object }) => [key, object as Pod]));
  trace.revisions.forEach(({ key, verb, object }, i) => {
    if (!key.startsWith("/registry/pods/")) return;
    const before = pods.get(key);
    if (verb === "delete" && before) gone.set(before.metadata.uid ?? "", { at: trace.notes.at.get(trace.revisionNotes[i] ?? -1), grace: before.spec.terminationGracePeriodSeconds ?? 30 });
    else if (object !== undefined) pods.set(key, object as Pod);
  });
  return gone;
}

/** A node runs nothing of a Pod that is gone for long. */
function orphans(run: SoakRun): readonly string[] {
  const gone = deletedPods(run);
  return run.trace.components.filter((id) => id.startsWith("containerd@")).flatMap((id) =>
    (run.sim.stateAt(id, run.until) as ContainerdState).containers.values().flatMap(({ pod, status }) => {
      const deleted = gone.get(pod.uid);
      if (status.state !== "running" || deleted === undefined || run.until - deleted.at < LONG + deleted.grace * SECOND) return [];
      return [broken(run.until, `pod/${pod.namespace}/${pod.name}`, `container ${status.name} still runs on ${id.slice("containerd@".length)}, the Pod was deleted at ${deleted.at / SECOND} s`)];
    }),
  );
}

/** What the API server tells of a container is what the node's runtime does. */
function statuses(run: SoakRun): readonly string[] {
  const found: string[] = [];
  for (const { key, object: pod } of lastUnder<Pod>(run, "/registry/pods/")) {
    const { nodeName = "" } = pod.spec;
    const id = `containerd@${nodeName}`;
    if (!run.trace.components.includes(id)) continue;
    const runtime = run.sim.stateAt(id, run.until) as ContainerdState;
    for (const { name, state, containerID = "" } of pod.status?.containerStatuses ?? []) {
      const record = runtime.containers.get(containerID.replace(/^containerd:\/\//, ""));
      const settledSince = Math.max(record?.status.startedAt ?? 0, record?.status.finishedAt ?? 0);
      if (run.until - settledSince < SHORT) continue;
      if (state?.running !== undefined && record?.status.state !== "running") found.push(broken(run.until, subjectOf(key), `container ${name} runs by its status, on ${nodeName} it is ${record?.status.state ?? "not there"}`));
    }
    for (const container of runtime.pods.get(pod.metadata.uid ?? "")?.containers ?? []) {
      const status = [...(pod.status?.containerStatuses ?? []), ...(pod.status?.initContainerStatuses ?? []), ...(pod.status?.ephemeralContainerStatuses ?? [])].find(({ name }) => name === container.name);
      if (container.state !== "running" || run.until - container.startedAt < SHORT || status?.state?.running !== undefined) continue;
      found.push(broken(run.until, subjectOf(key), `container ${container.name} runs on ${nodeName}, by its status it is ${JSON.stringify(status?.state ?? "not known")}`));
    }
  }
  return found;
}

/** The scheduler has looked at every Pod that waits for a node. */
function forgotten(run: SoakRun): readonly string[] {
  return lastUnder<Pod>(run, "/registry/pods/").flatMap(({ key, object: { metadata, spec, status }, at }) => {
    const waits = (spec.nodeName ?? "") === "" && metadata.deletionTimestamp === undefined && (spec.schedulerName ?? "default-scheduler") === "default-scheduler" && run.until - at > LONG && !isOver({ metadata, spec, status } as Pod);
    return waits && !(status?.conditions ?? []).some(({ type }) => type === "PodScheduled") ? [broken(run.until, subjectOf(key), "has no node, and the scheduler has never said why")] : [];
  });
}

const GENERATIONS = ["deployments", "replicasets", "statefulsets", "daemonsets", "poddisruptionbudgets"];

/** Each controller has seen the newest spec. */
function unseen(run: SoakRun): readonly string[] {
  return GENERATIONS.flatMap((resource) => lastUnder<KubeObject>(run, `/registry/${resource}/`)).flatMap(({ key, object, at }) => {
    const seen = (object.status as { readonly observedGeneration?: number } | undefined)?.observedGeneration ?? 0;
    return run.until - at > LONG && at > 0 && seen < (object.metadata.generation ?? 0) ? [broken(run.until, subjectOf(key), `generation ${object.metadata.generation ?? 0} was written at ${at / SECOND} s, its controller has seen ${seen}`)] : [];
  });
}

const COLLECTED = ["pods", "replicasets", "endpointslices", "controllerrevisions", "jobs"];

/** Nothing is left of an owner that is gone for long. */
function leftovers(run: SoakRun): readonly string[] {
  const uids = new Set([...last(run).values()].map(({ object }) => (object as KubeObject).metadata?.uid));
  const lastSeen = new Map<string, Micros>();
  const byKey = new Map(run.base.map(({ key, object }) => [key, (object as KubeObject).metadata?.uid]));
  run.trace.revisions.forEach(({ key, verb, object }, i) => {
    if (verb !== "delete") byKey.set(key, (object as KubeObject).metadata?.uid);
    else lastSeen.set(byKey.get(key) ?? "", run.trace.notes.at.get(run.trace.revisionNotes[i] ?? -1));
  });
  return COLLECTED.flatMap((resource) => lastUnder<KubeObject>(run, `/registry/${resource}/`)).flatMap(({ key, object, at }) => {
    const owners = object.metadata.ownerReferences ?? [];
    const since = Math.max(at, ...owners.map(({ uid }) => lastSeen.get(uid) ?? Number.POSITIVE_INFINITY));
    const left = owners.length > 0 && owners.every(({ uid }) => !uids.has(uid)) && object.metadata.deletionTimestamp === undefined;
    return left && run.until - since > LONG ? [broken(run.until, subjectOf(key), `is left, its owner ${owners[0]?.kind ?? ""}/${owners[0]?.name ?? ""} went at ${since / SECOND} s`)] : [];
  });
}

interface Slice extends KubeObject {
  readonly endpoints?: readonly { readonly addresses: readonly string[]; readonly conditions?: { readonly ready?: boolean | null } }[];
}

/** A Service's slices name its ready Pods, and no others. */
function endpoints(run: SoakRun): readonly string[] {
  const slices = lastUnder<Slice>(run, "/registry/endpointslices/");
  const pods = lastUnder<Pod>(run, "/registry/pods/");
  return lastUnder<KubeObject>(run, "/registry/services/specs/").flatMap(({ key, object: service }) => {
    const { selector, type, publishNotReadyAddresses } = (service.spec ?? {}) as { readonly selector?: Readonly<Record<string, string>>; readonly type?: string; readonly publishNotReadyAddresses?: boolean };
    if (selector === undefined || Object.keys(selector).length === 0 || type === "ExternalName" || publishNotReadyAddresses === true || service.metadata.deletionTimestamp !== undefined) return [];
    const wanted = parseSelector(Object.entries(selector).map(([name, value]) => `${name}=${value}`).join(","));
    if (typeof wanted === "string") return [];
    const mine = pods.filter(({ object }) => object.metadata.namespace === service.metadata.namespace && matches(wanted, object.metadata.labels));
    const own = slices.filter(({ object }) => object.metadata.labels?.["kubernetes.io/service-name"] === service.metadata.name && object.metadata.namespace === service.metadata.namespace);
    if ([...mine, ...own].some(({ at }) => run.until - at < SHORT)) return [];
    const ready = mine.filter(({ object }) => object.metadata.deletionTimestamp === undefined && !isOver(object) && object.status?.conditions?.some((one) => one.type === "Ready" && one.status === "True") === true).map(({ object }) => object.status?.podIP ?? "").sort();
    const told = own.flatMap(({ object }) => (object.endpoints ?? []).filter(({ conditions }) => conditions?.ready !== false).flatMap(({ addresses }) => addresses)).sort();
    const families = new Set(own.map(({ object }) => (object as { readonly addressType?: string }).addressType));
    return families.size > 1 || JSON.stringify(ready) === JSON.stringify(told) ? [] : [broken(run.until, subjectOf(key), `its slices name ${told.join(", ") || "nobody"}, ready are ${ready.join(", ") || "none"}`)];
  });
}

/** Healed and quiet for long enough, nothing is forgotten: nodes, API server, scheduler and controllers tell the same story. */
export const settled: Invariant = { id: "settled", says: "healed and quiet, nothing is forgotten", check: (run) => [...orphans(run), ...statuses(run), ...forgotten(run), ...unseen(run), ...leftovers(run), ...endpoints(run)] };
