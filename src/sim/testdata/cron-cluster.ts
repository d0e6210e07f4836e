import type { KubeObject } from "../api/types.ts";
import { createCronJobController, cronJobWatches } from "../kube-controller-manager/cronjob/cronjob-controller.ts";
import type { CronJob } from "../kube-controller-manager/cronjob/types.ts";
import type { Action, Component } from "../kernel/types.ts";
import { namespaceObject } from "./controller-cluster.ts";
import type { FakeApiConfig } from "./fake-apiserver.ts";
import { miniCluster, type MiniInput, nodeObject, write } from "./mini-cluster.ts";
import { createObserver, type ObserverState, observerWatches } from "./observer.ts";

const BASE = "/apis/batch/v1/namespaces/default";
export const CRON = `${BASE}/cronjobs/tick`;

export const cronObject = (spec: Partial<CronJob["spec"]>, extra: Partial<KubeObject> = {}): KubeObject => ({
  apiVersion: "batch/v1", kind: "CronJob", metadata: { name: "tick", namespace: "default", uid: "c", generation: 1, creationTimestamp: "2026-01-01T00:00:00Z", resourceVersion: "2" },
  spec: { schedule: "* * * * *", concurrencyPolicy: "Allow", suspend: false, successfulJobsHistoryLimit: 3, failedJobsHistoryLimit: 1, jobTemplate: { metadata: { labels: { of: "tick" } }, spec: { template: {} } }, ...spec }, status: {}, ...extra,
});

/** A Job that runs since a second, or ended at another. */
export const jobOf = (name: string, { uid = name, end, second = 0, owner = "c" }: { readonly uid?: string; readonly end?: "Complete" | "Failed"; readonly second?: number; readonly owner?: string } = {}): KubeObject => {
  const time = `2026-01-01T00:${String(Math.floor(second / 60)).padStart(2, "0")}:${String(second % 60).padStart(2, "0")}Z`;
  return {
    apiVersion: "batch/v1", kind: "Job", metadata: { name, namespace: "default", uid, resourceVersion: "3", creationTimestamp: time, ownerReferences: [{ apiVersion: "batch/v1", kind: "CronJob", name: "tick", uid: owner, controller: true }] },
    spec: {}, status: { startTime: time, ...(end === undefined ? {} : { conditions: [{ type: end, status: "True" }], ...(end === "Complete" ? { completionTime: time } : {}) }) },
  };
};

export const endJob = (name: string, end: "Complete" | "Failed", time = "2026-01-01T00:00:30Z"): Action => write("PUT", `${BASE}/jobs/${name}/status`, { metadata: {}, status: { conditions: [{ type: end, status: "True" }], ...(end === "Complete" ? { completionTime: time } : {}) } });
export const dropJob = (name: string): Action => write("DELETE", `${BASE}/jobs/${name}`, {});

export interface CronRun {
  readonly events: readonly string[];
  readonly requests: readonly string[];
  readonly jobs: readonly KubeObject[];
  readonly status: CronJob["status"];
}

/** The CronJob controller alone until a second. Names of Jobs are told without their 27 million minutes: "tick-+1" is due at 00:01. */
export function runCron(objects: readonly KubeObject[], inputs: readonly MiniInput[], until: number, config: Partial<FakeApiConfig> = {}): CronRun {
  const cluster = miniCluster((world) => [createCronJobController({ world }) as Component, createObserver() as Component], [...cronJobWatches(), ...observerWatches(["Event"])], [nodeObject("n1"), namespaceObject("default"), ...objects], inputs, config);
  cluster.sim.run(until * 1_000_000);
  const { seen } = cluster.sim.stateAt("observer", cluster.sim.now) as ObserverState;
  const short = (text: string): string => text.replaceAll(/tick-(2945\d{4})/g, (_all, minutes: string) => `tick-+${Number(minutes) - 29_453_760}`);
  const events = seen.map(({ at, object }) => `${(Math.round(at / 100_000) / 10).toFixed(1)} ${(object as { reason?: string }).reason ?? ""}: ${short((object as { message?: string }).message ?? "")}`);
  const requests = cluster.requests(/ (?!.*\/events)/).map((request) => short(request.replace(`${BASE}/`, "")));
  return { events, requests, jobs: cluster.list("Job"), status: cluster.list<CronJob>("CronJob")[0]?.status };
}
