import { expect, test } from "vitest";
import { type ActiveFault, isHit } from "./fault-marks.ts";
import type { PodView } from "./model.ts";

const fault = (id: string, params: Record<string, string> = {}): ActiveFault => ({ id, title: id, params });
const pod = (name: string): PodView => ({ key: `/registry/pods/default/${name}`, name, namespace: "default", node: "n1", look: "ready", status: "Running", restarts: 0, containers: [{ name: "app", look: "ready", init: false }] });
const pods = [pod("web"), pod("other")];

test.each([
  { fault: fault("authz.denied"), hit: ["kube-apiserver"], miss: ["etcd-0", "webhook"] },
  { fault: fault("etcd.leader-crash", { member: "etcd-1" }), hit: ["etcd-1"], miss: ["etcd-0", "etcd-2"] },
  { fault: fault("etcd.leader-crash", { member: "leader" }), hit: ["etcd-2"], miss: ["etcd-0", "etcd-1"] },
  { fault: fault("cni.ip-exhausted", { node: "n1" }), hit: ["cni@n1"], miss: ["cni@n2", "kubelet@n1"] },
  { fault: fault("node.crash", { node: "n1" }), hit: ["node:n1"], miss: ["node:n2", "kubelet@n1"] },
  { fault: fault("node.crash", { node: "" }), hit: ["node:n3"], miss: ["node:n1", "kubelet@n3"] },
  { fault: fault("cni.ip-exhausted", { node: "" }), hit: ["cni@n1", "cni@n2"], miss: ["kubelet@n1"] },
  { fault: fault("image.not-found"), hit: ["registry"], miss: ["containerd@n1"] },
  { fault: fault("app.crash", { container: "app", pod: "web" }), hit: ["/registry/pods/default/web"], miss: ["/registry/pods/default/other", "kubelet@n1"] },
  { fault: fault("app.crash"), hit: ["/registry/pods/default/web", "/registry/pods/default/other"], miss: ["registry"] },
  { fault: fault("network.loss", { node: "n1" }), hit: ["node:n1"], miss: ["node:n2", "kubelet@n1"] },
  { fault: fault("network.latency", { node: "etcd-1" }), hit: ["etcd-1"], miss: ["etcd-0", "node:n1"] },
  { fault: fault("etcd.slow-disk", { member: "all" }), hit: ["etcd-0", "etcd-1"], miss: ["kube-apiserver"] },
  { fault: fault("clock.skew", { node: "n1" }), hit: ["node:n1"], miss: ["node:n2"] },
  { fault: fault("app.crash", { container: "sidecar" }), hit: [], miss: ["/registry/pods/default/web"] },
])("$fault.id is at $hit", ({ fault: one, hit, miss }) => {
  for (const id of hit) expect(isHit(one, id, pods, new Set(["etcd-2", "kubelet@n3"])), id).toBe(true);
  for (const id of miss) expect(isHit(one, id, pods, new Set(["etcd-2", "kubelet@n3"])), id).toBe(false);
});
