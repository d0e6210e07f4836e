// Models kubernetes/staging/src/k8s.io/kubectl/pkg/describe/describe.go (describerMap, genericDescriber)
import type { KubeObject, Pod } from "../api/types.ts";
import { configMapText, ingressClassText, limitRangeText, namespaceText, priorityClassText, quotaText, roleText, roleBindingText, secretText, accountText, classText, pdbText, claimText, volumeText } from "./describe-configuration.ts";
import { endpointSliceText, ingressText, networkPolicyText, serviceText } from "./describe-network.ts";
import { nodeText } from "./describe-node.ts";
import { describePod } from "./describe-pod.ts";
import { annotationsText, labelsText } from "./describe-util.ts";
import { autoscalerText, cronJobText, daemonSetText, deploymentText, jobText, replicasText, statefulSetText } from "./describe-workloads.ts";
import { goText } from "./go-template.ts";
import type { Process } from "./process.ts";

export interface Description {
  /** Not yet aligned. */
  readonly text: string;
  readonly withoutEvents?: boolean;
}
/** A layout of its own; it may ask the server for what belongs to the object. `events` asks for the object's events, once. */
export type Describer = (p: Process, object: KubeObject, events: () => string) => Description;

const plain = (text: (object: KubeObject, p: Process) => string): Describer => (p, object) => ({ text: text(object, p) });
const withEvents = (text: (object: KubeObject, p: Process, events: () => string) => string): Describer => (p, object, events) => ({ text: text(object, p, events) });
/** Upstream asks for the events before it asks for what is behind these. */
const eventsFirst = (text: (object: KubeObject, p: Process) => string): Describer => withEvents((object, p, events) => {
  events();
  return text(object, p);
});
const silent = (text: (object: KubeObject, p: Process) => string): Describer => (p, object) => ({ text: text(object, p), withoutEvents: true });

/** Simplified: kinds that are not listed here show their fields as they are stored; upstream has some forty layouts. */
export const DESCRIBERS: Readonly<Record<string, Describer>> = {
  ClusterRole: silent(roleText), ClusterRoleBinding: silent(roleBindingText), ConfigMap: plain(configMapText), CronJob: plain(cronJobText), DaemonSet: plain(daemonSetText), Deployment: eventsFirst(deploymentText),
  EndpointSlice: plain(endpointSliceText), HorizontalPodAutoscaler: plain(autoscalerText), Ingress: eventsFirst(ingressText), IngressClass: plain(ingressClassText), Job: plain(jobText), LimitRange: silent(limitRangeText), Namespace: silent(namespaceText),
  NetworkPolicy: silent(networkPolicyText), Node: withEvents(nodeText), PersistentVolume: plain(volumeText), PersistentVolumeClaim: plain(claimText), Pod: plain((object, p) => describePod(object as Pod, undefined, p.now)), PodDisruptionBudget: plain(pdbText), PriorityClass: plain(priorityClassText),
  ReplicaSet: plain(replicasText), ReplicationController: plain(replicasText), ResourceQuota: silent(quotaText), Role: silent(roleText), RoleBinding: silent(roleBindingText), Secret: silent(secretText), Service: plain(serviceText), ServiceAccount: plain(accountText),
  StatefulSet: plain(statefulSetText), StorageClass: plain(classText),
};

const ACRONYMS = ["API", "URL", "UID", "OSB", "GUID"];
/** "lastTransitionTime" as "Last Transition Time". */
function smartLabel(field: string): string {
  if (/[^A-Za-z-]/.test(field)) return field;
  const parts = field.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|-+/g) ?? [field];
  return parts.map((part) => (ACRONYMS.includes(part.toUpperCase()) ? part.toUpperCase() : part.charAt(0).toUpperCase() + part.slice(1))).join(" ");
}

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === "object" && value !== null && !Array.isArray(value);

function fields(map: Readonly<Record<string, unknown>>, indent: string, skip: readonly string[] = []): string {
  return Object.keys(map).sort().filter((key) => !skip.includes(key) && map[key] !== undefined).map((key) => {
    const value = map[key];
    const head = `${indent}${smartLabel(key)}:`;
    if (isMap(value)) return `${head}\n${fields(value, `${indent}  `, key === "metadata" && indent === "" ? ["managedFields", "name", "namespace", "labels", "annotations"] : [])}`;
    if (Array.isArray(value)) return `${head}\n${value.map((item: unknown) => (isMap(item) ? fields(item, `${indent}  `) : `${indent}  ${goText(item)}\n`)).join("")}`;
    return `${head}\t${goText(value)}\n`;
  }).join("");
}

/** The layout of kinds that have none of their own, before alignment. */
export function genericText(object: KubeObject): string {
  const { name = "", namespace = "", labels, annotations } = object.metadata;
  return `Name:\t${name}\nNamespace:\t${namespace}\n${labelsText("Labels", labels)}${annotationsText("Annotations", annotations)}${fields(object as unknown as Readonly<Record<string, unknown>>, "")}`;
}
