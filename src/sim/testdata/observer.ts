import { type HttpRequest, type WatchEventMessage, type WatchSpec } from "../api/http.ts";
import type { KubeObject, Pod } from "../api/types.ts";
import { rfc3339 } from "../api/time.ts";
import type { Action, Component, Message, Micros } from "../kernel/types.ts";
import { collectionPath } from "../kube-controller-manager/resources.ts";

const ID = "observer";

/** A request about the n-th Pod that appeared: its name was drawn, so that a test cannot know it. */
interface PodCall extends Message {
  readonly type: "observer.pod";
  readonly nth: number;
  readonly method: HttpRequest["method"];
  readonly subresource: string;
  readonly body: unknown;
}

interface Seen {
  readonly at: Micros;
  readonly type: string;
  readonly object: KubeObject;
}

export interface ObserverState {
  readonly seen: readonly Seen[];
  readonly pods: readonly string[];
}

export const observerWatches = (kinds: readonly string[]): WatchSpec[] => kinds.map((kind) => ({ component: ID, resource: collectionPath(kind).split("/").at(-1) ?? "", path: collectionPath(kind) }));

/** Remembers every change that it watches, and sends requests about Pods by their number. */
export const createObserver = (): Component<ObserverState> => ({
  id: ID,
  machine: ID,
  init: () => ({ seen: [], pods: [] }),
  step(state, message, ctx) {
    if (message.type === "watch.event") {
      const { event } = message as WatchEventMessage;
      const pods = event.type === "ADDED" && event.object.kind === "Pod" ? [...state.pods, `/api/v1/namespaces/${event.object.metadata.namespace ?? ""}/pods/${event.object.metadata.name ?? ""}`] : state.pods;
      return { seen: [...state.seen, { at: ctx.now, type: event.type, object: event.object }], pods };
    }
    if (message.type !== "observer.pod") return state;
    const { nth, method, subresource, body } = message as PodCall;
    const headers = method === "PATCH" ? { "Content-Type": "application/merge-patch+json" } : {};
    ctx.send("kube-apiserver", { type: "http.request", method, path: `${state.pods[nth] ?? ""}${subresource}`, headers, credential: { kind: "none", name: ID }, body } as HttpRequest, { protocol: "HTTPS", latency: 100, verb: method, subject: `pod ${nth}` });
    return state;
  },
});

const podCall = (nth: number, method: HttpRequest["method"], subresource: string, body: unknown): Action => ({ type: "deliver", to: ID, verb: method, message: { type: "observer.pod", nth, method, subresource, body } satisfies PodCall as Message });

export const patchPod = (nth: number, body: object): Action => podCall(nth, "PATCH", "", body);
export const deletePod = (nth: number, gracePeriodSeconds?: number): Action => podCall(nth, "DELETE", "", gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds });
export const podStatus = (nth: number, status: Pod["status"]): Action => podCall(nth, "PATCH", "/status", { status });
export const running = (nth: number): Action => podStatus(nth, { phase: "Running", conditions: [{ type: "Ready", status: "True", lastTransitionTime: rfc3339(0) }] });

/** The n-th Pod's container ended at a second of the run. */
export function ended(nth: number, exitCode: number, second: number, extra: Pod["status"] = {}): Action {
  const terminated = { exitCode, finishedAt: rfc3339(second * 1_000_000) };
  const containerStatuses = [{ name: "main", ready: false, restartCount: 0, image: "", imageID: "", state: { terminated } }];
  return podStatus(nth, { phase: exitCode === 0 ? "Succeeded" : "Failed", conditions: [{ type: "Ready", status: "False", lastTransitionTime: rfc3339(second * 1_000_000) }], containerStatuses, ...extra });
}
