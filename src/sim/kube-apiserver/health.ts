// Models kubernetes/staging/src/k8s.io/apiserver/pkg/server/healthz and pkg/registry/core/componentstatus/rest.go
import type { KubeObject } from "../api/types.ts";
import type { ApiServerState } from "./state.ts";

/** Checks in the order in which kube-apiserver installs them. */
const HOOKS = [
  "start-apiserver-admission-initializer", "generic-apiserver-start-informers", "priority-and-fairness-config-consumer", "priority-and-fairness-filter", "storage-object-count-tracker-hook", "start-apiextensions-informers",
  "start-apiextensions-controllers", "crd-informer-synced", "start-system-namespaces-controller", "peer-endpoint-reconciler-controller", "start-cluster-authentication-info-controller", "start-kube-apiserver-identity-lease-controller",
  "start-kube-apiserver-identity-lease-garbage-collector", "storage-readiness", "start-legacy-token-tracking-controller", "start-service-ip-repair-controllers", "rbac/bootstrap-roles", "scheduling/bootstrap-system-priority-classes",
  "priority-and-fairness-config-producer", "bootstrap-controller", "start-kubernetes-service-cidr-controller", "start-kube-aggregator-informers", "apiservice-status-local-available-controller", "apiservice-status-remote-available-controller",
  "apiservice-registration-controller", "apiservice-wait-for-first-sync", "apiservice-discovery-controller", "kube-apiserver-autoregistration",
].map((name) => `poststarthook/${name}`);
const CHECKS = ["ping", "log", "informer-sync", ...HOOKS, "autoregister-completion", "poststarthook/apiservice-openapi-controller", "poststarthook/apiservice-openapiv3-controller", "shutdown"];
/** Only readiness asks for these. */
const READINESS = new Set(["informer-sync", "shutdown"]);

/** The body of /healthz, /livez or /readyz and of their single checks; undefined for other paths. Simplified: a server that answers at all is healthy. */
export function healthBody(path: string, query: Readonly<Record<string, string>>): string | undefined {
  const m = /^\/(healthz|livez|readyz)(?:\/(.+))?$/.exec(path);
  if (!m) return undefined;
  const [, name = "", check] = m;
  const checks = CHECKS.filter((each) => name === "readyz" || !READINESS.has(each));
  if (check !== undefined) return checks.includes(check) ? "ok" : undefined;
  if (query["verbose"] === undefined) return "ok";
  const excluded = (query["exclude"] ?? "").split(",");
  return `${checks.map((each) => `[+]${each} ${excluded.includes(each) ? "excluded: ok" : "ok"}\n`).join("")}${name} check passed\n`;
}

const watches = (state: ApiServerState, fits: (component: string) => boolean): boolean => state.watchers.values().some(({ all }) => all.some(({ component }) => fits(component)));

function statusOf(name: string, port: number, healthy: boolean): KubeObject {
  const condition = { type: "Healthy", status: healthy ? "True" : "False", message: healthy ? "ok" : `Get "https://127.0.0.1:${port}/healthz": dial tcp 127.0.0.1:${port}: connect: connection refused` };
  return { apiVersion: "v1", kind: "ComponentStatus", metadata: { name }, conditions: [condition] } as KubeObject;
}

/**
 * What the server sees of the rest of the control plane. Simplified: upstream asks each for /healthz when it is read; here an
 * open watch of one is the proof that it runs.
 */
export function componentStatuses(state: ApiServerState): readonly KubeObject[] {
  return [statusOf("scheduler", 10_259, watches(state, (id) => id === "kube-scheduler")), statusOf("controller-manager", 10_257, watches(state, (id) => id.endsWith("-controller"))), statusOf("etcd-0", 2379, true)];
}
