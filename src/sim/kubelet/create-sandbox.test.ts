import { expect, test } from "vitest";
import { createCluster } from "../cluster.ts";
import { Simulation } from "../kernel/simulation.ts";
import type { KubeEvent, Pod } from "../api/types.ts";
import type { KubeletConfig } from "./state.ts";
import { kernelHostname } from "./sandbox-config.ts";

const config = { node: { name: "node-1" }, world: { clusterDomain: "cluster.local" } } as KubeletConfig;

test.each([
  { name: "the Pod's name", spec: {}, want: { name: "web-0" } },
  { name: "hostname", spec: { hostname: "a" }, want: { name: "a" } },
  { name: "the whole name", spec: { hostname: "a", subdomain: "s", setHostnameAsFQDN: true }, want: { name: "a.s.default.svc.cluster.local" } },
  { name: "no subdomain, no whole name", spec: { hostname: "a", setHostnameAsFQDN: true }, want: { name: "a" } },
  { name: "of the node", spec: { hostNetwork: true, subdomain: "s", setHostnameAsFQDN: true }, want: { name: "node-1" } },
  { name: "overridden", spec: { hostname: "a", hostnameOverride: "b.example.com" }, want: { name: "b.example.com" } },
  { name: "too long for the kernel", spec: { hostname: "a".repeat(40), subdomain: "s", setHostnameAsFQDN: true }, want: { error: `failed to construct FQDN from pod hostname and cluster domain, FQDN ${"a".repeat(40)}.s.default.svc.cluster.local is too long (64 characters is the max, 68 characters requested)` } },
])("hostname: $name", ({ spec, want }) => {
  expect(kernelHostname({ metadata: { name: "web-0", namespace: "default" }, spec: { containers: [], ...spec } } as unknown as Pod, config)).toEqual(want);
});

test.each([
  { handler: "runc", want: ["Scheduled", "Pulling", "Pulled", "Created", "Started"] },
  { handler: "runsc", want: ["Scheduled", 'FailedCreatePodSandBox Failed to create pod sandbox: rpc error: code = Unknown desc = failed to get sandbox runtime: no runtime for "runsc" is configured'] },
])("a RuntimeClass with handler $handler", ({ handler, want }) => {
  const text = `{apiVersion: node.k8s.io/v1, kind: RuntimeClass, metadata: {name: r}, handler: ${handler}}\n---\n{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {runtimeClassName: r, containers: [{name: c, image: nginx}]}}`;
  const cluster = createCluster({ world: "one-node", seed: 1, profile: "quiet", inputs: [{ at: 0, type: "command", argv: ["apply", "-f", "a.yaml"], files: { "a.yaml": text } }] });
  const sim = Simulation.create(cluster.config, cluster.inputs);
  sim.run(8_000_000);
  const events = sim.trace.revisions.filter(({ key, verb }) => key.startsWith("/registry/events/default/p.") && verb === "create").map(({ object }) => object as KubeEvent & { readonly note?: string });
  expect(events.map(({ reason, message, note }) => (reason?.startsWith("Failed") ? `${reason} ${message ?? note}` : reason))).toEqual(want);
});
