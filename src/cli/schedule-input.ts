// What `millipod schedule` is given: the output of kubectl for a cluster, and the Pod to place
import { decodeObject } from "../sim/api/decode.ts";
import { readStream } from "../sim/api/go-yaml/document-stream.ts";
import type { KubeObject, LabelSelector, Pod } from "../sim/api/types.ts";
import { WORLDS } from "../sim/scenarios/worlds/registry.ts";
import { type Io, UsageError } from "./io.ts";

type Template = { readonly metadata?: Pod["metadata"]; readonly spec?: Pod["spec"] };

interface Workload extends KubeObject {
  readonly spec?: { readonly selector?: LabelSelector; readonly template?: Template; readonly jobTemplate?: { readonly spec?: { readonly template?: Template } } };
}

/** Kinds that make Pods which may go anywhere, and what owns those Pods. */
const WORKLOADS: Readonly<Record<string, readonly [apiVersion: string, kind: string]>> = {
  Deployment: ["apps/v1", "ReplicaSet"],
  ReplicaSet: ["apps/v1", "ReplicaSet"],
  StatefulSet: ["apps/v1", "StatefulSet"],
  ReplicationController: ["v1", "ReplicationController"],
  Job: ["batch/v1", "Job"],
  CronJob: ["batch/v1", "Job"],
};

interface Loose {
  readonly apiVersion?: unknown;
  readonly kind?: unknown;
  readonly metadata?: unknown;
  readonly items?: unknown;
  readonly spec?: unknown;
}

/** An object with all that the scheduler takes for granted. Wrong types are told as the API server would tell them. */
function checked(value: unknown, path: string, expected?: { readonly apiVersion: string; readonly kind: string }): KubeObject {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new UsageError(`${path}: no Kubernetes object: ${JSON.stringify(value)}`);
  const { apiVersion = expected?.apiVersion, kind = expected?.kind, metadata, spec } = value as Loose;
  if (typeof kind !== "string" || kind === "") throw new UsageError(`${path}: no Kubernetes object: kind is not set`);
  if (typeof apiVersion !== "string" || apiVersion === "") throw new UsageError(`${path}: ${kind}: apiVersion is not set`);
  const whole = { ...value, apiVersion, kind, metadata: metadata ?? {}, ...(kind === "Pod" && !spec ? { spec: { containers: [] } } : {}) };
  const { error } = decodeObject(whole, { fieldValidation: "Ignore" });
  const { name } = whole.metadata as { readonly name?: unknown };
  if (error !== undefined) throw new UsageError(`${path}: ${kind} ${typeof name === "string" ? name : "without a name"}: ${error}`);
  return whole as unknown as KubeObject;
}

/** A list's items; those of a typed list (PodList) may leave out what they are. */
function itemsOf(value: Loose, path: string): KubeObject[] {
  const { apiVersion, kind, items = [] } = value;
  if (!Array.isArray(items)) throw new UsageError(`${path}: ${String(kind)}: items is no list`);
  const of = String(kind).slice(0, -"List".length);
  const expected = of === "" ? undefined : { apiVersion: String(apiVersion ?? "v1"), kind: of };
  return items.flatMap((item: unknown) => (item === null ? [] : [checked(item, path, expected)]));
}

function objectsIn(text: string, path: string): KubeObject[] {
  const { documents, error } = readStream(text);
  if (error !== undefined) throw new UsageError(`${path}: ${error.message}`);
  return documents.flatMap(({ value }): KubeObject[] => {
    if (value === null) return [];
    const loose = value as Loose;
    return typeof loose.kind === "string" && loose.kind.endsWith("List") ? itemsOf(loose, path) : [checked(value, path)];
  });
}

/** The objects of a file, of all files of a folder, or of a built-in world. */
export function readObjects(path: string, io: Io): KubeObject[] {
  const world = io.exists(path) ? undefined : WORLDS.find((w) => w.id === path);
  if (world) return [...world.objects];
  const folder = path === "-" ? undefined : io.list(path);
  return (folder?.filter((name) => /\.(ya?ml|json)$/.test(name)) ?? [path]).flatMap((file) => objectsIn(io.read(file), file));
}

const isPod = (object: KubeObject): object is Pod => object.kind === "Pod";
const waits = (pod: Pod): boolean => !pod.spec.nodeName && pod.status?.phase !== "Succeeded" && pod.status?.phase !== "Failed";

/** The first Pod that a workload would make, and what owns it. */
function podOf(workload: Workload): { pod: Pod; owner: KubeObject } {
  const { name = "", namespace = "default" } = workload.metadata;
  const [apiVersion, kind] = WORKLOADS[workload.kind] ?? ["", ""];
  const { metadata, spec = { containers: [] } } = workload.spec?.template ?? workload.spec?.jobTemplate?.spec?.template ?? {};
  const owner: KubeObject = { apiVersion, kind, metadata: { name, namespace, uid: "owner" }, spec: { selector: workload.spec?.selector } };
  const ownerReferences = [{ apiVersion, kind, name, uid: "owner", controller: true }];
  return { owner, pod: { apiVersion: "v1", kind: "Pod", metadata: { ...metadata, name: `${name}-0`, namespace, ownerReferences }, spec } };
}

/** The Pod to place: the one of the last file, or of its workload, else the first that waits. Everything else is the cluster. */
export function choosePod(files: readonly (readonly KubeObject[])[]): { readonly pod: Pod; readonly objects: readonly KubeObject[] } {
  const all = files.flat();
  const last = files.length > 1 ? (files.at(-1) ?? []) : [];
  const pods = last.filter(isPod);
  if (pods.length === 0 && last.some((o) => o.kind === "DaemonSet")) throw new UsageError("each Pod of a DaemonSet is made for one node: give one of its Pods");
  const workload = (files.at(-1) ?? []).find((o) => WORKLOADS[o.kind] !== undefined);
  const pod = (pods.length === 1 ? pods[0] : pods.find(waits)) ?? (workload && files.length > 1 ? undefined : all.filter(isPod).find(waits));
  if (pod) return { pod, objects: all.filter((o) => o !== pod) };
  if (!workload) throw new UsageError(`no Pod to place: ${pods.length > 1 ? "none of the Pods in the last file waits for a node" : "the last file needs a Pod, or a Deployment, ReplicaSet, StatefulSet, ReplicationController, Job or CronJob"}`);
  const made = podOf(workload as Workload);
  return { pod: made.pod, objects: [...all, made.owner] };
}
