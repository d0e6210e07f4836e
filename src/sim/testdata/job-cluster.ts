import type { KubeObject, Pod } from "../api/types.ts";
import { TRACKING_FINALIZER } from "../kube-controller-manager/job/evaluate.ts";
import { createJobController, jobWatches } from "../kube-controller-manager/job/job-controller.ts";
import type { Job } from "../kube-controller-manager/job/types.ts";
import type { Component } from "../kernel/types.ts";
import { namespaceObject } from "./controller-cluster.ts";
import type { FakeApiConfig } from "./fake-apiserver.ts";
import { at, miniCluster, type MiniInput, nodeObject, write } from "./mini-cluster.ts";
import { createObserver, type ObserverState, observerWatches } from "./observer.ts";

export const JOBS = "/apis/batch/v1/namespaces/default/jobs";
export const JOB = `${JOBS}/calc`;

/** A Job as the API server's defaults leave it. */
export function jobObject(spec: Partial<Job["spec"]>): KubeObject {
  const limit = spec.backoffLimitPerIndex === undefined ? 6 : 2_147_483_647;
  const filled = { parallelism: 1, backoffLimit: limit, completionMode: "NonIndexed", suspend: false, podReplacementPolicy: spec.podFailurePolicy ? "Failed" : "TerminatingOrFailed", selector: { matchLabels: { job: "calc" } }, ...spec };
  return { apiVersion: "batch/v1", kind: "Job", metadata: { name: "calc", namespace: "default", labels: { job: "calc" } }, spec: { template: { metadata: { labels: { job: "calc" } }, spec: { restartPolicy: "Never", containers: [{ name: "main", image: "busybox" }] } }, ...filled } };
}

export const create = (spec: Partial<Job["spec"]>): MiniInput => at(0, write("POST", JOBS, jobObject(spec)));
export const patch = (seconds: number, spec: Partial<Job["spec"]>): MiniInput => at(seconds, write("PATCH", JOB, { spec }));

const seconds = (micros: number): string => (Math.round(micros / 100_000) / 10).toFixed(1);
const names = (list: readonly string[] | undefined): string => String(list?.length ?? 0);

/** "a1 r0 t0 s0 f0 u0/0 done=0-2": active, ready, terminating, succeeded, failed, uncounted, indexes, and the conditions that are True. */
function statusLine({ status = {} }: Job): string {
  const counts = `a${status.active ?? 0} r${status.ready ?? 0} t${status.terminating ?? 0} s${status.succeeded ?? 0} f${status.failed ?? 0} u${names(status.uncountedTerminatedPods?.succeeded)}/${names(status.uncountedTerminatedPods?.failed)}`;
  const indexes = `${status.completedIndexes === undefined ? "" : ` done=${status.completedIndexes}`}${status.failedIndexes === undefined ? "" : ` bad=${status.failedIndexes}`}`;
  return `${counts}${indexes}${(status.conditions ?? []).map(({ type, status: is, reason }) => ` ${is === "True" ? "" : "!"}${type}:${reason ?? ""}`).join("")}`;
}

export interface JobRun {
  /** "seconds status", each status once. */
  readonly states: readonly string[];
  /** "seconds Reason: message", random parts of Pods' names as the Pod's number. */
  readonly events: readonly string[];
  /** "METHOD what", of the controller. */
  readonly requests: readonly string[];
  readonly job: Job | undefined;
  readonly pods: readonly Pod[];
  /** Every Pod as it was made. */
  readonly made: readonly Pod[];
}

/** The Job controller alone, from requests to what it made of them until `until` (seconds). */
export function runJob(inputs: readonly MiniInput[], until: number, config: Partial<FakeApiConfig> = {}, objects: readonly KubeObject[] = []): JobRun {
  const cluster = miniCluster((world) => [createJobController({ world }) as Component, createObserver() as Component], [...jobWatches(), ...observerWatches(["Job", "Pod", "Event"])], [nodeObject("n1"), namespaceObject("default"), ...objects], inputs, config);
  cluster.sim.run(until * 1_000_000);
  const { seen } = cluster.sim.stateAt("observer", cluster.sim.now) as ObserverState;
  const made = seen.filter(({ type, object }) => type === "ADDED" && object.kind === "Pod").map(({ object }) => object as Pod);
  const numbered = (text: string): string => made.reduce((line, pod, n) => line.replaceAll(pod.metadata.name ?? "", `pod-${n}`), text);
  const states: string[] = [];
  for (const { at: when, type, object } of seen) {
    const line = object.kind !== "Job" ? "" : type === "DELETED" ? "gone" : statusLine(object as Job);
    if (line !== "" && !states.at(-1)?.endsWith(` ${line}`)) states.push(`${seconds(when)} ${line}`);
  }
  const events = seen.filter(({ object }) => object.kind === "Event").map(({ at: when, object }) => `${seconds(when)} ${(object as { reason?: string }).reason ?? ""}: ${numbered((object as { message?: string }).message ?? "")}`);
  const requests = cluster.requests(/ (?!.*\/events)/).map((request) => numbered(request).replace("/apis/batch/v1/namespaces/default/", "").replace("/api/v1/namespaces/default/", ""));
  return { states, events, requests, job: cluster.list<Job>("Job")[0], pods: cluster.list<Pod>("Pod"), made };
}

export const isHeld = (pod: Pod): boolean => pod.metadata.finalizers?.includes(TRACKING_FINALIZER) ?? false;
