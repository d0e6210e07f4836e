import { expect, test } from "vitest";
import type { WaitView } from "../../../worker/protocol.ts";
import { placesAt } from "./waits-feed.tsx";

const POD = "/registry/pods/default/web";
const wait = (id: string, change: Partial<WaitView>): WaitView => ({ id, kind: "crash-loop", about: POD, name: "default/web", part: id, component: "kubelet@n", since: 0, until: 1_000_000, ladder: [], facts: [], weight: 80, ...change });

test("a place shows its weightiest wait only, and its probes besides", () => {
  const places = placesAt([wait("a", { kind: "grace", weight: 90 }), wait("b", {}), wait("p", { kind: "probe", weight: 2 }), wait("q", { kind: "probe", weight: 2 })], 0, () => true);
  expect(places.get(POD)?.wait?.id).toBe("a");
  expect(places.get(POD)?.probes.map(({ id }) => id)).toEqual(["p", "q"]);
});

test("a Pod without a node shows at its scheduler, which says of whom it speaks", () => {
  const places = placesAt([wait("a", { kind: "scheduler-backoff", component: "kube-scheduler", weight: 50 })], 0, () => true);
  expect([...places.keys()]).toEqual([POD, "kube-scheduler"]);
});

test.each([
  { name: "Pods that the world began with are not on the stage", waits: [wait("a", {})], isNew: false },
  { name: "what weighs little has no countdown", waits: [wait("a", { kind: "initial-delay", weight: 3 })], isNew: true },
])("$name", ({ waits, isNew }) => expect(placesAt(waits, 0, () => isNew).get(POD)?.wait).toBeUndefined());
