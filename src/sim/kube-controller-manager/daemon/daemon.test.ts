import { describe, expect, test } from "vitest";
import type { Node, Pod } from "../../api/types.ts";
import { podsShouldBeOnNodes } from "./manage.ts";
import type { DaemonSet, Placement } from "./placement.ts";
import { rollingUpdate } from "./rolling-update.ts";

const ds = (rollingUpdateSpec: object): DaemonSet => ({ apiVersion: "apps/v1", kind: "DaemonSet", metadata: { name: "agent", namespace: "ns", uid: "d" }, spec: { selector: {}, template: { spec: { containers: [] } }, updateStrategy: { type: "RollingUpdate", rollingUpdate: rollingUpdateSpec } } });

/** "old", "new", "new-" (not ready), "oldT" (terminating), "newF" (failed) on a node. */
function pod(node: string, text: string): Pod {
  const going = text.endsWith("T") ? { deletionTimestamp: "2026-01-01T00:00:00Z" } : {};
  const ready = !text.endsWith("-");
  return { apiVersion: "v1", kind: "Pod", metadata: { name: `${node}/${text}`, namespace: "ns", labels: { "controller-revision-hash": text.slice(0, 3) }, ...going }, spec: { nodeName: node, containers: [] }, status: { phase: text.endsWith("F") ? "Failed" : "Running", conditions: [{ type: "Ready", status: ready ? "True" : "False" }] } };
}

const place = (name: string, pods: readonly string[], shouldRun = true, shouldContinue = shouldRun): Placement => ({ node: { apiVersion: "v1", kind: "Node", metadata: { name } } as Node, shouldRun, shouldContinue, pods: pods.map((text) => pod(name, text)) });
const names = (pods: readonly Pod[]): readonly (string | undefined)[] => pods.map((entry) => entry.metadata.name);

describe("rolling update", () => {
  test.each([
    ["one at a time", { maxUnavailable: 1 }, [["old"], ["old"]], [], ["a/old"]],
    ["half, rounded up", { maxUnavailable: "50%" }, [["old"], ["old"], ["old"]], [], ["a/old", "b/old"]],
    ["waits for the new one", { maxUnavailable: 1 }, [["new-"], ["old"]], [], []],
    ["a node whose Pod is going counts", { maxUnavailable: 1 }, [["oldT"], ["old"]], [], []],
    ["an old one that is not ready goes at once", { maxUnavailable: 1 }, [["old-"], ["old"]], [], ["a/old-"]],
    ["surge: a new one first", { maxUnavailable: 0, maxSurge: 1 }, [["old"], ["old"]], ["a"], []],
    ["surge: waits for it", { maxUnavailable: 0, maxSurge: 1 }, [["old", "new-"], ["old"]], [], []],
    ["surge: then the old one goes", { maxUnavailable: 0, maxSurge: 1 }, [["old", "new"], ["old"]], ["b"], ["a/old"]],
  ])("%s", (_name, spec, pods, create, remove) => {
    const step = rollingUpdate(ds(spec), "new", pods.map((texts, i) => place("abc".charAt(i), texts)), 0);
    expect([step.create, names(step.remove)]).toEqual([create, remove]);
  });
});

describe("each eligible node has one", () => {
  test.each([
    ["missing", place("a", []), {}, ["a"], []],
    ["one too many", place("a", ["new", "new"]), {}, [], ["a/new"]],
    ["not eligible", place("a", ["new"], false), {}, [], ["a/new"]],
    ["may stay though no new one would come", place("a", ["new"], false, true), {}, [], []],
    ["with surge two may be there", place("a", ["old", "new-"]), { maxSurge: 1 }, [], []],
    ["with surge the old one goes when it is not ready", place("a", ["old-", "new-"]), { maxSurge: 1 }, [], ["a/old-"]],
    ["with surge a going one is replaced at once", place("a", ["oldT"]), { maxSurge: 1 }, ["a"], []],
  ])("%s", (_name, node, spec, create, remove) => {
    const changes = podsShouldBeOnNodes(ds(spec), "new", [node], {}, 0);
    expect([changes.create, names(changes.remove)]).toEqual([create, remove]);
  });

  test("a failed one is removed, told, and the next waits a second, then two", () => {
    const failed = [place("a", ["newF"])];
    const first = podsShouldBeOnNodes(ds({}), "new", failed, {}, 5_000_000);
    expect(first.events.map((event) => `${event.reason}: ${event.message}`)).toEqual(["FailedDaemonPod: Found failed daemon pod ns/a/newF on node a, will try to kill it"]);
    expect(podsShouldBeOnNodes(ds({}), "new", failed, first.failed, 5_500_000)).toMatchObject({ remove: [], after: 1_000_000 });
    const second = podsShouldBeOnNodes(ds({}), "new", failed, first.failed, 6_000_000);
    expect(second.failed["d/a"]).toEqual({ at: 6_000_000, delay: 2_000_000 });
  });
});
