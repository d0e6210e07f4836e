import { expect, test } from "vitest";
import { podText } from "./pods.ts";

test.each([
  { name: "a new Pod", object: { metadata: { name: "web", namespace: "default" }, status: { phase: "Pending" } }, want: [["Phase", "Pending"], ["Node", "none yet"], ["Address", "none yet"]] },
  {
    name: "one that crashes",
    object: {
      metadata: { name: "web", namespace: "default", deletionTimestamp: "x" },
      spec: { nodeName: "n1" },
      status: { phase: "Running", podIP: "10.0.0.2", conditions: [{ type: "Ready", status: "False", reason: "ContainersNotReady" }], containerStatuses: [{ name: "c", ready: false, restartCount: 1, state: { waiting: { reason: "CrashLoopBackOff" } } }] },
    },
    want: [["Phase", "Running, being deleted"], ["Node", "n1"], ["Address", "10.0.0.2"], ["Ready", "False, ContainersNotReady"], ["Container c", "waiting, CrashLoopBackOff, not ready, 1 restart"]],
  },
])("$name", ({ object, want }) => expect(podText(object)).toEqual({ name: "default/web", facts: want }));
