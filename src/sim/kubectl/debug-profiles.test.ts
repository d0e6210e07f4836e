import { describe, expect, test } from "vitest";
import { applyProfile, type Container, type DebugPod, type Keep } from "./debug-profiles.ts";

const KEEP_NONE: Keep = { labels: false, annotations: false, liveness: false, readiness: false, startup: false, initContainers: false };
const KEEP_ALL: Keep = { labels: true, annotations: true, liveness: true, readiness: true, startup: true, initContainers: true };
const pod = (containers: readonly Container[], more: object = {}): DebugPod => ({ apiVersion: "v1", kind: "Pod", metadata: { name: "p", labels: { a: "b" }, annotations: { c: "d" } }, spec: { containers, ...more } });
const dbg = (context?: object): Container => ({ name: "dbg", ...(context === undefined ? {} : { securityContext: context }) });

describe("what a profile gives a container that joins a Pod", () => {
  test.each([
    ["general", { capabilities: { add: ["SYS_PTRACE"] } }],
    ["baseline", undefined],
    ["restricted", { runAsNonRoot: true, capabilities: { drop: ["ALL"] }, allowPrivilegeEscalation: false, seccompProfile: { type: "RuntimeDefault" } }],
    ["netadmin", { capabilities: { add: ["NET_ADMIN", "NET_RAW"] } }],
    ["sysadmin", { privileged: true }],
    ["legacy", undefined],
  ])("%s", (profile, context) => {
    const made = applyProfile(profile, pod([{ name: "main" }], { ephemeralContainers: [dbg()] }), "dbg", "ephemeral", KEEP_NONE);
    expect(made.spec.ephemeralContainers?.[0]?.["securityContext"]).toEqual(context);
    expect(made.metadata.labels).toEqual({ a: "b" });
  });

  test("it goes to the first container of that name, init containers before others", () => {
    const twice = applyProfile("general", pod([{ name: "main" }], { ephemeralContainers: [dbg({ capabilities: { add: ["SYS_PTRACE"] } }), dbg()] }), "dbg", "ephemeral", KEEP_NONE);
    expect(twice.spec.ephemeralContainers?.map((one) => one["securityContext"])).toEqual([{ capabilities: { add: ["SYS_PTRACE", "SYS_PTRACE"] } }, undefined]);
    const init = applyProfile("sysadmin", pod([dbg()], { initContainers: [dbg()] }), "dbg", "ephemeral", KEEP_NONE);
    expect([init.spec.initContainers?.[0]?.["securityContext"], init.spec.containers[0]?.["securityContext"]]).toEqual([{ privileged: true }, undefined]);
  });
});

describe("a node's Pod", () => {
  test.each([["general", true, true], ["sysadmin", true, true], ["legacy", true, true], ["netadmin", true, false], ["baseline", false, false], ["restricted", false, false]])("%s: host namespaces %s, host root %s", (profile, host, root) => {
    const { spec } = applyProfile(profile, pod([dbg()]), "dbg", "node", KEEP_NONE);
    expect([spec["hostNetwork"] === true && spec["hostPID"] === true && spec["hostIPC"] === true, spec.volumes !== undefined]).toEqual([host, root]);
    expect(spec.containers[0]?.["volumeMounts"]).toEqual(root ? [{ name: "host-root", mountPath: "/host" }] : undefined);
  });
});

describe("a copy", () => {
  const original = pod([{ name: "main", livenessProbe: {}, readinessProbe: {}, startupProbe: {} }, dbg()], { initContainers: [{ name: "i" }] });
  test("loses what would take it apart, and shares its processes", () => {
    const { metadata, spec } = applyProfile("baseline", original, "dbg", "copy", KEEP_NONE);
    expect([metadata.labels, metadata.annotations, spec.initContainers, spec["shareProcessNamespace"], spec.containers[0]]).toEqual([undefined, undefined, undefined, true, { name: "main" }]);
  });
  test("keeps what flags say", () => {
    const { metadata, spec } = applyProfile("general", { ...original, spec: { ...original.spec, shareProcessNamespace: false } }, "dbg", "copy", KEEP_ALL);
    expect([metadata.labels, metadata.annotations, spec.initContainers?.length, spec["shareProcessNamespace"], Object.keys(spec.containers[0] ?? {}).length]).toEqual([{ a: "b" }, { c: "d" }, 1, false, 4]);
  });
  test("of the oldest profile only loses its labels", () => {
    const { metadata, spec } = applyProfile("legacy", original, "dbg", "copy", KEEP_NONE);
    expect([metadata.labels, metadata.annotations, spec["shareProcessNamespace"], spec.containers]).toEqual([undefined, { c: "d" }, undefined, original.spec.containers]);
  });
});
