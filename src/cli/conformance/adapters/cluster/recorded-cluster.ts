import type { KubeObject } from "../../../../sim/api/types.ts";
import type { World } from "../../../../sim/api/world.ts";
import { createEtcdMember } from "../../../../sim/etcd/member.ts";
import { type SimInput, resolveInput } from "../../../../sim/faults/resolve.ts";
import { Simulation } from "../../../../sim/kernel/simulation.ts";
import type { Component, KernelConfig } from "../../../../sim/kernel/types.ts";
import { createApiServer } from "../../../../sim/kube-apiserver/server.ts";
import { createKubectl } from "../../../../sim/kubectl/kubectl.ts";
import { LATENCIES } from "../../../../sim/latencies/registry.ts";
import { createWebhook } from "../../../../sim/webhook/webhook.ts";

/** The recorded kubectl's kubeconfig. */
const CONTEXT = { cluster: "lab", context: "lab", user: "admin", namespace: "shop", server: "127.0.0.1:6443", token: true, credential: { kind: "bearer-token", name: "lab-token" } } as const;
/** The recorded API server's --token-auth-file. */
const TOKENS = [{ token: "lab-token", name: "admin", uid: "admin-uid", groups: ["system:masters"] }];

/**
 * The recording's machine starts kubectl faster than the one that the latencies were measured on: commands that ask nobody took 36 ms there.
 * With its figure the simulated commands fit between the recorded ones, and the clocks stay together.
 */
const STARTS_IN = { ...LATENCIES["kubectl.start"], min: 20_000, median: 20_000, p90: 20_000, max: 20_000, source: "oracle/kubectl.json tookMs" };

function worldOf(objects: readonly KubeObject[]): World {
  const versions = objects.map((object) => Number(object.metadata.resourceVersion ?? 0));
  return { name: "recorded", seed: 1, objects, resourceVersion: String(Math.max(1, ...versions)), nodes: [], watches: [], clusterDomain: "cluster.local", serviceCIDR: "10.96.0.0/16", podCIDR: "10.244.0.0/16", dnsServiceIP: "10.96.0.10" };
}

/** A name that nobody answers to: in the recording no kubelet listened. */
const silent = (id: string): Component => ({ id, machine: id, init: () => undefined, step: (state) => state });

/** As in the recording: an API server and its store, and nobody that acts on what it holds. */
function components(world: World): Component[] {
  const members = ["etcd-0", "etcd-1", "etcd-2"];
  const kubelets = world.objects.filter((object) => object.kind === "Node").map((node) => silent(`kubelet@${node.metadata.name}`));
  return [createKubectl({ world, ...CONTEXT }), createApiServer({ world, tokenAuthFile: TOKENS }), ...members.map((id) => createEtcdMember({ world, id, peers: members.filter((peer) => peer !== id) })), createWebhook({}), ...kubelets] as Component[];
}

const STOP_KUBELETS = { at: 0, type: "stop-kubelets" };

const resolve: KernelConfig["resolve"] = (input, view) =>
  input.type === STOP_KUBELETS.type ? view.components.filter((id) => id.startsWith("kubelet@")).map((component) => ({ type: "stop", component, how: "process" })) : resolveInput(input as SimInput, view);

/** The recorded cluster before any command; its first second belongs to the servers' own start. */
export function recordedCluster(objects: readonly KubeObject[]): Simulation {
  const sim = Simulation.create({ seed: 1, profile: "quiet", components: components(worldOf(objects)), latencies: { ...LATENCIES, "kubectl.start": STARTS_IN }, resolve }, [STOP_KUBELETS]);
  sim.run(1_000_000);
  return sim;
}
