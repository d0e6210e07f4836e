// Models kubernetes/pkg/controller/endpointslicemirroring/endpointslicemirroring_controller.go
import { objectKey, type WatchSpec } from "../../api/http.ts";
import type { EndpointSlice, Service } from "../../api/types.ts";
import type { ApiCall } from "../../client-go/api-client.ts";
import type { EventToRecord } from "../../client-go/event-recorder.ts";
import type { Change } from "../../client-go/informer.ts";
import { PMap } from "../../kernel/pmap.ts";
import type { Component, Note } from "../../kernel/types.ts";
import type { View } from "../caches.ts";
import { type Answer, type ControllerConfig, type ControllerState, createController, type Handled, isSuccess, messageOf, type Plan, watchesOf } from "../controller.ts";
import { LABEL_MANAGED_BY, LABEL_SERVICE_NAME } from "../endpointslice/reconcile.ts";
import { deletionSeen, isStale, shouldSync, type Tracked, withDeleted, withWritten } from "../endpointslice/slice-tracker.ts";
import { isNamespaceTerminating } from "../pod-control.ts";
import { collectionPath, objectPath, subjectOf } from "../resources.ts";
import { type Endpoints, MIRRORED_BY, mirrorEndpoints, tooMany } from "./mirror.ts";

const ID = "endpointslice-mirroring-controller";
const RESOURCES = ["endpoints", "endpointslices", "services"] as const;
const LEADER_ANNOTATION = "control-plane.alpha.kubernetes.io/leader";
const SKIP_MIRROR = "endpointslice.kubernetes.io/skip-mirror";

/** Slices written, by the key of the Endpoints. */
type Memory = PMap<NonNullable<Tracked>>;

const shouldMirror = (endpoints: Endpoints): boolean => endpoints.metadata.labels?.[SKIP_MIRROR] !== "true" && endpoints.metadata.annotations?.[LEADER_ANNOTATION] === undefined;
const isMirrored = (slice: EndpointSlice): boolean => slice.metadata.labels?.[LABEL_MANAGED_BY] === MIRRORED_BY;
const serviceKey = (slice: EndpointSlice): string => `${slice.metadata.namespace ?? ""}/${slice.metadata.labels?.[LABEL_SERVICE_NAME] ?? ""}`;
const hasSelector = (service: Service): boolean => service.spec.selector !== undefined && service.spec.selector !== null;

function handle(change: Change, resource: string, view: View<Memory>): Handled<Memory> {
  const key = objectKey(change.object);
  if (resource === "services") {
    const matters = change.type === "update" ? hasSelector(change.old as Service) !== hasSelector(change.object as Service) : !hasSelector(change.object as Service);
    return matters ? { keys: [{ key }] } : {};
  }
  if (resource === "endpoints") {
    return shouldMirror(change.object as Endpoints) || (change.type === "update" && shouldMirror(change.old as Endpoints)) ? { keys: [{ key }] } : {};
  }
  return onSlice(change, view);
}

const wake = (...slices: readonly EndpointSlice[]): Handled<Memory> => ({ keys: slices.filter((slice) => slice.metadata.labels?.[LABEL_SERVICE_NAME]).map((slice) => ({ key: serviceKey(slice) })) });

/** A slice that somebody else changed or removed is put right; the controller's own writes come back as they should. */
function onSlice(change: Change, view: View<Memory>): Handled<Memory> {
  const slice = change.object as EndpointSlice;
  const key = serviceKey(slice);
  const known = view.memory.get(key);
  if (change.type === "delete") {
    if (!isMirrored(slice) || known === undefined) return {};
    const { tracked, expected } = deletionSeen(known, slice);
    return { memory: tracked === undefined ? view.memory : view.memory.set(key, tracked), ...(expected ? {} : wake(slice)) };
  }
  const old = change.type === "update" ? (change.old as EndpointSlice) : slice;
  if (serviceKey(old) !== key) return wake(slice, old);
  return isMirrored(old) !== isMirrored(slice) || (isMirrored(slice) && shouldSync(known, slice)) ? wake(slice) : {};
}

const remove = (slice: EndpointSlice): ApiCall => ({ method: "DELETE", path: objectPath(slice), subject: subjectOf(slice) });

/** What is written, in this order, one after the other. Plain data. */
interface Writing {
  readonly made: number;
  readonly gone: readonly EndpointSlice[];
}

function sync(key: string, view: View<Memory>): Plan<Writing, Memory> {
  const endpoints = view.get<Endpoints>("endpoints", key);
  const service = view.get<Service>("services", key);
  const slices = view.byIndex<EndpointSlice>("mirroredByService", key);
  if (!endpoints || !service || !shouldMirror(endpoints) || hasSelector(service)) {
    const memory = view.memory.delete(key);
    return slices.length === 0 ? { memory } : { memory, batches: slices.map((slice) => [remove(slice)]) };
  }
  if (isStale(view.memory.get(key), slices)) return { error: "EndpointSlice informer cache is out of date" };
  const changes = mirrorEndpoints(endpoints, slices);
  const namespace = endpoints.metadata.namespace ?? "";
  const warning = (reason: string, message: string): EventToRecord => ({ object: endpoints, type: "Warning", reason, message });
  const events = [
    ...(changes.invalid > 0 ? [warning("InvalidIPAddress", `Skipped ${changes.invalid} invalid IP addresses when mirroring to EndpointSlices`)] : []),
    ...(changes.skipped > changes.invalid ? [warning("TooManyAddressesToMirror", tooMany(changes.skipped))] : []),
  ];
  const written = [
    ...changes.create.map((slice): ApiCall => ({ method: "POST", path: collectionPath("EndpointSlice", namespace), body: slice, subject: `endpointslice/${namespace}/${slice.metadata.generateName ?? ""}` })),
    ...changes.update.map((slice): ApiCall => ({ method: "PUT", path: objectPath(slice), body: slice, subject: subjectOf(slice) })),
  ];
  const calls = [...written, ...changes.delete.map(remove)];
  if (calls.length === 0) return { events };
  const note: Note = { text: `endpointslice-mirroring-controller copies Endpoints ${key} into slices`.slice(0, 138), why: "its Service has no selector: somebody keeps the Endpoints by hand, and proxies read slices only", level: "basic", subject: subjectOf(endpoints), status: "idle" };
  return { batches: calls.map((call) => [call]), events, notes: [note], next: { made: written.length, gone: changes.delete } };
}

function resume(key: string, { made, gone }: Writing, answers: readonly Answer[], view: View<Memory>): Plan<Writing, Memory> {
  let tracked = view.memory.get(key);
  for (const [i, answer] of answers.entries()) {
    const slice = i < made ? (answer.body as EndpointSlice) : gone[i - made];
    if (isSuccess(answer) && slice !== undefined) tracked = i < made ? withWritten(tracked, slice) : withDeleted(tracked, slice);
  }
  const memory = tracked === undefined ? view.memory : view.memory.set(key, tracked);
  const failed = answers.find((answer) => answer.sent && !isSuccess(answer));
  return failed === undefined || isNamespaceTerminating(failed) ? { memory } : { memory, error: messageOf(failed) };
}

/** Copies Endpoints of Services without a selector into EndpointSlices. */
export const createEndpointSliceMirroringController = (config: ControllerConfig): Component<ControllerState<Writing, Memory>> =>
  createController<Writing, Memory>(
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
      // It has a tracker of its own writes instead.
      consistent: [],
      memory: PMap.empty(),
      handle,
      sync,
      resume,
    },
    config,
  );

export const endpointSliceMirroringWatches = (): WatchSpec[] => watchesOf(ID, RESOURCES);
