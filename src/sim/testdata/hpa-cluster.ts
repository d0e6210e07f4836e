import type { KubeObject, Pod } from "../api/types.ts";
import { rfc3339 } from "../api/time.ts";
import { createHorizontalController, horizontalWatches } from "../kube-controller-manager/podautoscaler/horizontal-controller.ts";
import type { Autoscaler } from "../kube-controller-manager/podautoscaler/types.ts";
import type { Component } from "../kernel/types.ts";
import { namespaceObject } from "./controller-cluster.ts";
import type { FakeApiConfig } from "./fake-apiserver.ts";
import { miniCluster, type MiniInput, nodeObject } from "./mini-cluster.ts";

const METRICS = "/apis/metrics.k8s.io/";

type Metric = NonNullable<Autoscaler["spec"]["metrics"]>[number];

export const CPU: Metric = { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 50 } } };

export const hpaObject = (spec: Partial<Autoscaler["spec"]> = {}, name = "web"): KubeObject => ({
  apiVersion: "autoscaling/v2", kind: "HorizontalPodAutoscaler", metadata: { name, namespace: "default", uid: `uid-${name}`, resourceVersion: "2", creationTimestamp: "2026-01-01T00:00:00Z" },
  spec: { scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" }, minReplicas: 1, maxReplicas: 10, metrics: [CPU], ...spec }, status: { currentReplicas: 0, desiredReplicas: 0, currentMetrics: null },
} as KubeObject);

/** What the fake server shows as the scale too. */
export const target = (replicas: number, selector: string | undefined = "app=web"): KubeObject => ({ apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "web", namespace: "default", uid: "d", resourceVersion: "3" }, spec: { replicas }, status: { replicas, ...(selector === "" ? {} : { selector }) } } as KubeObject);

/** Pods that have been ready for long. */
export const pods = (count: number, cpu = "100m"): KubeObject[] =>
  Array.from({ length: count }, (_, n): Pod => ({
    apiVersion: "v1", kind: "Pod", metadata: { name: `web-${n}`, namespace: "default", uid: `p${n}`, resourceVersion: "4", labels: { app: "web" } }, spec: { containers: [{ name: "main", resources: { requests: { cpu } } }] },
    status: { phase: "Running", startTime: "2025-12-31T00:00:00Z", conditions: [{ type: "Ready", status: "True", lastTransitionTime: "2025-12-31T00:00:10Z" }] },
  } as Pod));

/** metrics.k8s.io: milli cores of every Pod, by how often it was asked before. */
export const metricsApi = (load: (asked: number) => readonly number[]): FakeApiConfig["refuse"] => (request, state) => {
  if (!request.path.startsWith(METRICS)) return undefined;
  const asked = state.requests.filter((entry) => entry.includes(METRICS)).length;
  const items = load(asked).map((milli, n) => ({ metadata: { name: `web-${n}` }, timestamp: rfc3339(0), window: "15s", containers: [{ name: "main", usage: { cpu: `${milli}m` } }] }));
  return { status: 200, reason: "", message: "", body: { items } };
};

export interface HpaRun {
  readonly events: readonly string[];
  readonly requests: readonly string[];
  /** "Type=Status Reason: message" */
  readonly conditions: readonly string[];
  readonly hpa: Autoscaler | undefined;
  readonly replicas: number | undefined;
}

/** The HPA controller alone until a second; its first look is 15 s after the start. */
export function runHpa(objects: readonly KubeObject[], refuse: FakeApiConfig["refuse"], until: number, inputs: readonly MiniInput[] = []): HpaRun {
  const world = [nodeObject("n1"), namespaceObject("default"), ...objects];
  const cluster = miniCluster((known) => [createHorizontalController({ world: known }) as Component], horizontalWatches(), world, inputs, refuse === undefined ? {} : { refuse });
  cluster.sim.run(until * 1_000_000);
  const hpa = cluster.list<Autoscaler>("HorizontalPodAutoscaler").find(({ metadata }) => metadata.name === "web");
  const requests = cluster.requests(/./).map((request) => request.replace(/\/apis\/(apps|autoscaling)\/v\d\/namespaces\/default\//, "").replace("/api/v1/namespaces/default/", ""));
  const conditions = (hpa?.status?.conditions ?? []).map(({ type, status, reason, message }) => `${type}=${status} ${reason ?? ""}: ${message ?? ""}`);
  return { events: cluster.events(), requests, conditions, hpa, replicas: cluster.list<KubeObject & { spec: { replicas?: number } }>("Deployment")[0]?.spec.replicas };
}
