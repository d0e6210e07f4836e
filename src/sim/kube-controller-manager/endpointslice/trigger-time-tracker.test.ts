import { expect, test } from "vitest";
import type { Pod, Service } from "../../api/types.ts";
import { lastChangeTriggerTime, withTriggerTime } from "./trigger-time-tracker.ts";

const service: Service = { apiVersion: "v1", kind: "Service", metadata: { name: "web", creationTimestamp: "2026-01-01T00:00:01Z" }, spec: {} };
const pod = (name: string, at?: string): Pod => ({ apiVersion: "v1", kind: "Pod", metadata: { name }, spec: { containers: [] }, ...(at === undefined ? {} : { status: { conditions: [{ type: "Ready", status: "True", lastTransitionTime: at }] } }) });

test.each([
  ["a new Service", undefined, [pod("a", "2026-01-01T00:00:09Z")], "2026-01-01T00:00:01Z"],
  ["nothing new", { service: "2026-01-01T00:00:01Z", pods: { a: "2026-01-01T00:00:09Z" } }, [pod("a", "2026-01-01T00:00:09Z")], undefined],
  ["two Pods turned", { service: "2026-01-01T00:00:01Z", pods: { a: "2026-01-01T00:00:05Z" } }, [pod("a", "2026-01-01T00:00:09Z"), pod("b", "2026-01-01T00:00:08Z"), pod("c")], "2026-01-01T00:00:08Z"],
])("%s", (_name, known, pods, trigger) => expect(lastChangeTriggerTime(known, service, pods).trigger).toBe(trigger));

test("without a time the annotation goes", () => {
  const slice = { apiVersion: "discovery.k8s.io/v1", kind: "EndpointSlice", metadata: { name: "s" }, addressType: "IPv4", endpoints: [], ports: [] };
  const marked = withTriggerTime(slice, "2026-01-01T00:00:08Z");
  expect(marked.metadata.annotations).toEqual({ "endpoints.kubernetes.io/last-change-trigger-time": "2026-01-01T00:00:08Z" });
  expect(withTriggerTime(marked, undefined).metadata).toEqual({ name: "s" });
});
