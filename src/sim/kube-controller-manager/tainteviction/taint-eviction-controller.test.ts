// Models kubernetes/pkg/controller/tainteviction/taint_eviction_test.go: its situations, seen through the API alone
import { describe, expect, test } from "vitest";
import type { KubeObject, Pod, Taint } from "../../api/types.ts";
import type { Component } from "../../kernel/types.ts";
import { at, miniCluster, type MiniInput, nodeObject, write } from "../../testdata/mini-cluster.ts";
import { createTaintEvictionController, taintEvictionWatches } from "./taint-eviction-controller.ts";

const pod = (name: string, tolerations: readonly object[] = [], nodeName = "n1", extra: object = {}): KubeObject => ({ apiVersion: "v1", kind: "Pod", metadata: { name, namespace: "default", uid: `uid-${name}`, resourceVersion: "1", generation: 1, ...extra }, spec: { nodeName, containers: [{ name: "c" }], tolerations, terminationGracePeriodSeconds: 30 }, status: { phase: "Running" } });
const tolerate = (key: string, seconds?: number): object => ({ key, operator: "Exists", effect: "NoExecute", ...(seconds === undefined ? {} : { tolerationSeconds: seconds }) });
const taint = (key: string, effect: Taint["effect"] = "NoExecute"): Taint => ({ key, effect });
const taints = (seconds: number, ...list: Taint[]): MiniInput => at(seconds, write("PATCH", "/api/v1/nodes/n1", { spec: { taints: list } }));
const PODS = "/api/v1/namespaces/default/pods";

function run(pods: readonly KubeObject[], inputs: readonly MiniInput[], until: number, refuse?: (method: string, path: string) => number | undefined) {
  const m = miniCluster((world) => [createTaintEvictionController({ world }) as Component], taintEvictionWatches(), [nodeObject("n1"), nodeObject("n2"), ...pods], inputs, refuse === undefined ? {} : {
    refuse: (request) => {
      const code = refuse(request.method, request.path);
      return code === undefined ? undefined : { status: code, reason: "InternalError", message: "no" };
    },
  });
  m.sim.run(until * 1_000_000);
  const deleted = m.list<Pod>("Pod").filter((entry) => entry.metadata.deletionTimestamp !== undefined).map((entry) => entry.metadata.name ?? "");
  return { ...m, deleted, told: m.events().map((text) => text.replace("TaintManagerEviction: ", "").replace("default/", "").replace("for deletion Pod ", "").replace("deletion of Pod ", "")) };
}

test("who does not tolerate the taint goes at once: read, told why, deleted", () => {
  const m = run([pod("web"), pod("away", [], "n2")], [taints(1, taint("bad"))], 2);
  expect(m.deleted).toEqual(["web"]);
  expect(m.requests(/pods/)).toEqual([`GET ${PODS}/web`, `PATCH ${PODS}/web/status`, `DELETE ${PODS}/web`]);
  expect(m.list<Pod>("Pod")[1]?.status?.conditions).toEqual([{ type: "DisruptionTarget", status: "True", reason: "DeletionByTaintManager", message: "Taint manager: deleting due to NoExecute taint", observedGeneration: 1, lastTransitionTime: "2026-01-01T00:00:01Z" }]);
  expect(m.list("Event")).toMatchObject([{ metadata: { namespace: "default" }, involvedObject: { kind: "Pod", namespace: "default", name: "web", apiVersion: "v1" }, type: "Normal", reason: "TaintManagerEviction", message: "Marking for deletion Pod default/web", source: { component: "taint-eviction-controller" } }]);
  // It is named without its uid: kubectl describe does not find it.
  expect((m.list("Event")[0] as unknown as { involvedObject: object }).involvedObject).not.toHaveProperty("uid");
});

describe("how long a Pod may stay", () => {
  test.each([
    { name: "for ever with an endless toleration", tolerations: [tolerate("bad")], until: 900, want: [] },
    { name: "till its seconds are over", tolerations: [tolerate("bad", 10)], until: 10.9, want: [] },
    { name: "and not longer", tolerations: [tolerate("bad", 10)], until: 11.1, want: ["web"] },
    { name: "not at all with none or fewer seconds", tolerations: [tolerate("bad", -5)], until: 1.1, want: ["web"] },
    { name: "not with a toleration of another taint", tolerations: [tolerate("other", 100)], until: 1.1, want: ["web"] },
    { name: "the first toleration that fits counts, not the longest", tolerations: [tolerate("bad", 5), tolerate("bad")], until: 6.1, want: ["web"] },
    { name: "the shortest of several taints", tolerations: [tolerate("bad", 50), tolerate("worse", 5)], more: [taint("worse")], until: 6.1, want: ["web"] },
    { name: "one of several taints is not tolerated", tolerations: [tolerate("bad", 50)], more: [taint("worse")], until: 1.1, want: ["web"] },
    { name: "a taint of another effect counts nothing", tolerations: [tolerate("bad")], more: [taint("worse", "NoSchedule")], until: 900, want: [] },
  ])("$name", ({ tolerations, more, until, want }) => expect(run([pod("web", tolerations)], [taints(1, taint("bad"), ...(more ?? []))], until).deleted).toEqual(want));
});

describe("what comes in between", () => {
  const patience = [tolerate("bad", 100), tolerate("worse", 5)];
  test.each([
    { name: "the taint goes: called off", steps: [taints(20)], until: 150, told: ["Cancelling web"], deleted: [] },
    { name: "it goes and comes again: from then on, once", steps: [taints(20), taints(50, taint("bad"))], until: 152, told: ["Cancelling web", "Marking web"], deleted: ["web"] },
    { name: "it goes and comes again: not at the first time", steps: [taints(20), taints(50, taint("bad"))], until: 149, told: ["Cancelling web"], deleted: [] },
    { name: "another with a shorter toleration: the first time stays", steps: [taints(20, taint("bad"), taint("worse"))], until: 100, told: [], deleted: [] },
    { name: "another that is not tolerated: called off, then at once", steps: [taints(20, taint("bad"), taint("odd"))], until: 21, told: ["Cancelling web", "Marking web"], deleted: ["web"] },
    { name: "a longer toleration: the first time stays", steps: [at(20, write("PATCH", `${PODS}/web`, { spec: { tolerations: [tolerate("bad", 500)] } }))], until: 102, told: ["Marking web"], deleted: ["web"] },
    { name: "an endless toleration: called off", steps: [at(20, write("PATCH", `${PODS}/web`, { spec: { tolerations: [tolerate("bad")] } }))], until: 150, told: ["Cancelling web"], deleted: [] },
    { name: "the Pod is deleted and gone: called off", steps: [at(20, write("DELETE", `${PODS}/web`, { gracePeriodSeconds: 0 }))], until: 150, told: ["Cancelling web"], deleted: [] },
    { name: "the Pod is deleted and still there: told and deleted all the same", steps: [at(20, write("DELETE", `${PODS}/web`))], until: 102, told: ["Marking web"], deleted: ["web"] },
    { name: "the node goes: the deletion comes all the same", steps: [at(20, write("DELETE", "/api/v1/nodes/n1"))], until: 102, told: ["Marking web"], deleted: ["web"] },
    { name: "a Pod that comes later", steps: [at(20, write("POST", PODS, { ...pod("late", patience), metadata: { name: "late", namespace: "default" } }))], until: 121.5, told: ["Marking web", "Marking late"], deleted: ["late", "web"] },
    { name: "one that is bound later", steps: [at(20, write("POST", PODS, { ...pod("late", [], ""), metadata: { name: "late", namespace: "default" } })), at(30, write("POST", `${PODS}/late/binding`, { target: { name: "n1" } }))], until: 31, told: ["Marking late"], deleted: ["late"] },
  ])("$name", ({ steps, until, told, deleted }) => {
    const m = run([pod("web", patience)], [taints(1, taint("bad")), ...steps], until);
    expect([m.told, m.deleted]).toEqual([told, deleted]);
  });
});

test.each([
  { name: "a server that refuses is asked five times, 10 ms apart, and then no more", code: 500, verb: "GET", asked: 5 },
  { name: "a refused status keeps the Pod from its deletion", code: 403, verb: "PATCH", asked: 5 },
])("$name", ({ code, verb, asked }) => {
  const m = run([pod("web")], [taints(1, taint("bad"))], 400, (method, path) => (method === verb && path.includes("/pods/web") ? code : undefined));
  expect([m.requests(new RegExp(`^${verb} .*pods`)).length, m.deleted, m.told]).toEqual([asked, [], ["Marking web"]]);
});

test("a hundred Pods go at once, whatever the node controller's rate is", () => {
  const pods = Array.from({ length: 100 }, (_, i) => pod(`p${String(i).padStart(2, "0")}`));
  expect(run(pods, [taints(1, taint("bad"))], 1.5).deleted).toHaveLength(100);
});
