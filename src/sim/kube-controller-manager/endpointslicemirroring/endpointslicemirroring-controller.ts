// Models kubernetes/pkg/controller/endpointslicemirroring/endpointslicemirroring_controller.go
import { objectKey, type WatchSpec } from "../../api/http.ts";
import type { EndpointSlice, Service } from "../../api/types.ts";
import type { ApiCall } from "../../client-go/api-client.ts";
import type { EventToRecord } from "../../client-go/event-recorder.ts";
import type { Change } from "../../client-go/informer.ts";
import type { Component, Note } from "../../kernel/types.ts";
import type { View } from "../caches.ts";
import { type ControllerConfig, type ControllerState, createController, type Handled, isSuccess, messageOf, type Plan, watchesOf } from "../controller.ts";
import { LABEL_MANAGED_BY, LABEL_SERVICE_NAME } from "../endpointslice/reconcile.ts";
import { isNamespaceTerminating } from "../pod-control.ts";
import { collectionPath, objectPath, subjectOf } from "../resources.ts";
import { type Endpoints, MIRRORED_BY, mirrorEndpoints, tooMany } from "./mirror.ts";

const ID = "endpointslice-mirroring-controller";
const RESOURCES = ["endpoints", "endpointslices", "services"] as const;
const LEADER_ANNOTATION = "control-plane.alpha.kubernetes.io/leader";
const SKIP_MIRROR = "endpointslice.kubernetes.io/skip-mirror";

const shouldMirror = (endpoints: Endpoints): boolean => endpoints.metadata.labels?.[SKIP_MIRROR] !== "true" && endpoints.metadata.annotations?.[LEADER_ANNOTATION] === undefined;
const isMirrored = (slice: EndpointSlice): boolean => slice.metadata.labels?.[LABEL_MANAGED_BY] === MIRRORED_BY;
const serviceKey = (slice: EndpointSlice): string => `${slice.metadata.namespace ?? ""}/${slice.metadata.labels?.[LABEL_SERVICE_NAME] ?? ""}`;
const hasSelector = (service: Service): boolean => service.spec.selector !== undefined && service.spec.selector !== null;

function handle(change: Change, resource: string): Handled<unknown> {
  const key = objectKey(change.object);
  if (resource === "services") {
    const matters = change.type === "update" ? hasSelector(change.old as Service) !== hasSelector(change.object as Service) : !hasSelector(change.object as Service);
    return matters ? { keys: [{ key }] } : {};
  }
  if (resource === "endpoints") {
    return shouldMirror(change.object as Endpoints) || (change.type === "update" && shouldMirror(change.old as Endpoints)) ? { keys: [{ key }] } : {};
  }
  const slice = change.object as EndpointSlice;
  const old = change.type === "update" ? (change.old as EndpointSlice) : undefined;
  const keys = new Set([...(isMirrored(slice) ? [serviceKey(slice)] : []), ...(old && isMirrored(old) ? [serviceKey(old)] : [])].filter((name) => !name.endsWith("/")));
  return keys.size === 0 ? {} : { keys: [...keys].map((name) => ({ key: name })) };
}

const remove = (slice: EndpointSlice): ApiCall => ({ method: "DELETE", path: objectPath(slice), subject: subjectOf(slice) });

function sync(key: string, view: View): Plan<string> {
  const endpoints = view.get<Endpoints>("endpoints", key);
  const service = view.get<Service>("services", key);
  const slices = view.byIndex<EndpointSlice>("mirroredByService", key);
  if (!endpoints || !service || !shouldMirror(endpoints) || hasSelector(service)) return slices.length === 0 ? {} : { batches: [slices.map(remove)], next: key };
  const changes = mirrorEndpoints(endpoints, slices);
  const namespace = endpoints.metadata.namespace ?? "";
  const warning = (reason: string, message: string): EventToRecord => ({ object: endpoints, type: "Warning", reason, message });
  const events = [
    ...(changes.invalid > 0 ? [warning("InvalidIPAddress", `Skipped ${changes.invalid} invalid IP addresses when mirroring to EndpointSlices`)] : []),
    ...(changes.skipped > changes.invalid ? [warning("TooManyAddressesToMirror", tooMany(changes.skipped))] : []),
  ];
  const calls: ApiCall[] = [
    ...changes.create.map((slice): ApiCall => ({ method: "POST", path: collectionPath("EndpointSlice", namespace), body: slice, subject: `endpointslice/${namespace}/${slice.metadata.generateName ?? ""}` })),
    ...changes.update.map((slice): ApiCall => ({ method: "PUT", path: objectPath(slice), body: slice, subject: subjectOf(slice) })),
    ...changes.delete.map(remove),
  ];
  if (calls.length === 0) return { events };
  const note: Note = { text: `endpointslice-mirroring-controller copies Endpoints ${key} into slices`.slice(0, 138), why: "its Service has no selector: somebody keeps the Endpoints by hand, and proxies read slices only", level: "basic", subject: subjectOf(endpoints), status: "idle" };
  return { batches: calls.map((call) => [call]), events, notes: [note], next: key };
}

/** Copies Endpoints of Services without a selector into EndpointSlices. */
export const createEndpointSliceMirroringController = (config: ControllerConfig): Component<ControllerState<string>> =>
  createController<string, unknown>(
    {
      id: ID,
      account: "endpointslicemirroring-controller",
      eventSource: "endpoint-slice-mirroring-controller",
      resources: RESOURCES,
      indexers: { mirroredByService: { resource: "endpointslices", values: (object) => (isMirrored(object as EndpointSlice) ? [serviceKey(object as EndpointSlice)] : []) } },
      workers: 5,
      maxRetries: 15,
      retryBase: 1_000_000,
      retryMax: 100_000_000,
      latency: "endpoint.sync",
      memory: undefined,
      handle,
      sync,
      resume(_key, _data, answers) {
        const failed = answers.find((answer) => answer.sent && !isSuccess(answer) && answer.status !== 404);
        return failed === undefined || isNamespaceTerminating(failed) ? {} : { error: messageOf(failed) };
      },
    },
    config,
  );

export const endpointSliceMirroringWatches = (): WatchSpec[] => watchesOf(ID, RESOURCES);
