import { type HttpResponse, streamOf, type WatchEventMessage, type WatchSpec } from "../../../../sim/api/http.ts";
import type { KubeObject } from "../../../../sim/api/types.ts";
import { type ApiCall, type ApiClient, apiRequest } from "../../../../sim/client-go/api-client.ts";
import { collectionPath } from "../../../../sim/kube-controller-manager/resources.ts";
import type { Component, MailId, Message } from "../../../../sim/kernel/types.ts";

export const DRIVER = "driver";

/** An administrator: what the recorder and the stand-in kubelet were to the recorded API server. */
export const ADMIN: ApiClient = { userAgent: "recorder", credential: { kind: "client-certificate", name: "kubernetes-admin", groups: ["system:masters"] } };

/** Everything that the recording watched. */
const WATCHED = [
  "Namespace", "Pod", "Service", "ConfigMap", "PersistentVolumeClaim", "PersistentVolume", "Deployment", "ReplicaSet", "StatefulSet", "DaemonSet", "ControllerRevision", "Job", "CronJob",
  "HorizontalPodAutoscaler", "PodDisruptionBudget", "EndpointSlice", "Event",
] as const;

const EXTRA_PATHS: Readonly<Record<string, string>> = { PersistentVolume: "/api/v1/persistentvolumes" };

const pathOf = (kind: string): string => EXTRA_PATHS[kind] ?? collectionPath(kind);

export const driverWatches = (): WatchSpec[] => WATCHED.map((kind) => ({ component: DRIVER, resource: pathOf(kind).split("/").at(-1) ?? "", path: pathOf(kind) }));

const STREAMS: ReadonlySet<string> = new Set(driverWatches().map(streamOf));

export const isDriverStream = (stream: string): boolean => STREAMS.has(stream);

/** Makes one request of a scenario's step. */
export interface DriverCall extends Message {
  readonly type: "scenario.call";
  readonly step: number;
  readonly call: ApiCall;
}

export interface DriverAnswer {
  readonly step: number;
  readonly status: number;
  readonly body: unknown;
}

export interface DriverState {
  /** Every object seen to appear, in order: random names are told apart by it. */
  readonly added: readonly KubeObject[];
  readonly sent: readonly { readonly mail: MailId; readonly step: number }[];
  readonly answers: readonly DriverAnswer[];
}

/** Creates and evicts what a scenario says, and watches. */
export function createDriver(): Component<DriverState> {
  return {
    id: DRIVER,
    machine: DRIVER,
    init: () => ({ added: [], sent: [], answers: [] }),
    step(state, message, ctx) {
      if (message.type === "watch.event") {
        const { event } = message as WatchEventMessage;
        return event.type === "ADDED" ? { ...state, added: [...state.added, event.object] } : state;
      }
      if (message.type === "scenario.call") {
        const { step, call } = message as DriverCall;
        return { ...state, sent: [...state.sent, { mail: apiRequest(ctx, ADMIN, call), step }] };
      }
      if (message.type !== "http.response") return state;
      const { request, status, body } = message as HttpResponse;
      const asked = state.sent.find((entry) => entry.mail === request);
      return asked ? { ...state, answers: [...state.answers, { step: asked.step, status, body }] } : state;
    },
  };
}
