import { expect, test } from "vitest";
import type { KubeEvent, Pod } from "../api/types.ts";
import { asking, oneNode, Rig, worldOf } from "./testdata/scheduler-rig.ts";

const MINUTE = 60_000_000;

/** A Pod that fits nowhere, tried again every five and a half minutes. */
function hopeless(): Rig {
  const rig = new Rig(worldOf([oneNode()]));
  rig.watch("ADDED", asking("big", "5"));
  rig.run(1_000_000);
  return rig;
}

/** The API server's answer to the first condition: a new version of the Pod. */
function conditionStored(rig: Rig): void {
  const [patch] = rig.requests("PATCH", "/pods/big/status");
  const { conditions } = (patch?.request.body as { status: { conditions: [] } } | undefined)?.status ?? {};
  rig.watch("MODIFIED", { ...asking("big", "5"), metadata: { ...asking("big", "5").metadata, resourceVersion: "12" }, status: { conditions } } as Pod);
}

const counts = (rig: Rig): number[] => rig.requests("PATCH", "/events/").map(({ request }) => (request.body as { series: { count: number } }).series.count);

test("an event is about one version of its object: only from the third attempt on it is a series", () => {
  const rig = hopeless();
  conditionStored(rig);
  rig.run(12 * MINUTE);
  const posts = rig.requests("POST", "/events").map(({ request }) => (request.body as KubeEvent).regarding?.resourceVersion);
  expect(posts).toEqual(["11", "12"]);
  expect(counts(rig)).toEqual([2]);
  expect(rig.requests("PATCH", "/events/")[0]?.request.body).toMatchObject({ series: { count: 2, lastObservedTime: expect.stringMatching(/\.\d{6}Z$/) } });
});

test("a series is written again every half hour, and a last time when it was not seen for six minutes", () => {
  const rig = hopeless();
  conditionStored(rig);
  rig.run(31 * MINUTE);
  expect(counts(rig)).toEqual([2, 5]);
  rig.watch("DELETED", asking("big", "5"));
  rig.run(60 * MINUTE);
  expect(counts(rig)).toEqual([2, 5, 5]);
  expect(rig.state.events).toEqual([]);
});

test("a series whose event has gone is made anew", () => {
  const rig = hopeless();
  conditionStored(rig);
  rig.run(12 * MINUTE);
  rig.answer(rig.requests("PATCH", "/events/")[0]?.id ?? 0, 404, { kind: "Status", code: 404 });
  const posts = rig.requests("POST", "/events");
  expect(posts.at(-1)?.request.body).toMatchObject({ regarding: { resourceVersion: "12" }, series: { count: 2 } });
});
