// Models DropDisabledPodFields of kubernetes/pkg/api/pod/util.go: what a gate that is off in 1.36 keeps from being stored
import type { Container, KubeObject, PodSpec, Volume } from "../../api/types.ts";

type Json = Readonly<Record<string, unknown>>;
/** Projections behind ClusterTrustBundleProjection and PodCertificateRequest. */
const PROJECTIONS = ["clusterTrustBundle", "podCertificate"];

const without = <T extends object>(object: T, keys: readonly string[]): T => Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key))) as T;

/** The list with each item changed; the same list when no item did. */
function mapped<T>(items: readonly T[] | undefined, change: (item: T) => T): readonly T[] | undefined {
  const next = items?.map(change);
  return next?.some((item, i) => item !== items?.[i]) ? next : items;
}

function volume(of: Volume): Volume {
  const { sources } = (of.projected ?? {}) as { readonly sources?: readonly Json[] };
  const kept = mapped(sources, (source) => (PROJECTIONS.some((key) => source[key] !== undefined) ? without(source, PROJECTIONS) : source));
  return kept === sources ? of : ({ ...of, projected: { ...of.projected, sources: kept } } as unknown as Volume);
}

function container(of: Container): Container {
  const lifecycle = of.lifecycle as Json | undefined;
  return lifecycle?.["stopSignal"] === undefined ? of : ({ ...of, lifecycle: without(lifecycle, ["stopSignal"]) } as Container);
}

/** The spec without the fields; the same spec when it has none of them. */
export function dropDisabledPodFields(spec: PodSpec): PodSpec {
  const volumes = mapped(spec.volumes, volume);
  const containers = mapped(spec.containers, container);
  const initContainers = mapped(spec.initContainers, container);
  const grouped = (spec as unknown as Json)["schedulingGroup"] !== undefined;
  if (volumes === spec.volumes && containers === spec.containers && initContainers === spec.initContainers && !grouped) return spec;
  const next = { ...spec, containers: containers ?? [], ...(volumes === undefined ? {} : { volumes }), ...(initContainers === undefined ? {} : { initContainers }) };
  return grouped ? without(next, ["schedulingGroup"]) : next;
}

/** The same for what stands at a path of an object: "spec" of a Pod, "spec.template.spec" of a workload. */
export function dropDisabledFields(object: KubeObject): KubeObject {
  const path = PATHS[object.kind];
  return path === undefined ? object : (dropAt(object as unknown as Json, path) as unknown as KubeObject);
}

const TEMPLATE = ["spec", "template", "spec"];
const PATHS: Readonly<Record<string, readonly string[]>> = {
  Pod: ["spec"], Deployment: TEMPLATE, ReplicaSet: TEMPLATE, ReplicationController: TEMPLATE, DaemonSet: TEMPLATE, StatefulSet: TEMPLATE, Job: TEMPLATE, CronJob: ["spec", "jobTemplate", "spec", "template", "spec"], PodTemplate: ["template", "spec"],
};

function dropAt(object: Json, path: readonly string[]): Json {
  const [key = "", ...rest] = path;
  const inner = object[key];
  if (typeof inner !== "object" || inner === null) return object;
  const next = rest.length === 0 ? dropDisabledPodFields(inner as PodSpec) : dropAt(inner as Json, rest);
  return next === inner ? object : { ...object, [key]: next };
}
