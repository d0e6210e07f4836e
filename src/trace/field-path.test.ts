import { expect, test } from "vitest";
import { leavesOf, mergeKey, valueAt } from "./field-path.ts";

const POD = {
  metadata: { name: "web", labels: { app: "web", "app.kubernetes.io/name": "shop" }, managedFields: [{ manager: "kubectl" }] },
  spec: { containers: [{ name: "nginx", image: "nginx:1.27", args: [] }, { name: "log", image: "busybox", args: ["-f", "x"] }], tolerations: [{ key: "a" }, { key: "a" }] },
};

test.each([
  ["metadata.name", "web"],
  ['metadata.labels["app.kubernetes.io/name"]', "shop"],
  ["spec.containers[nginx].image", "nginx:1.27"],
  ["spec.containers[1].image", "busybox"],
  ["spec.containers.0.image", "nginx:1.27"],
  ["spec.containers[log].args[1]", "x"],
  ["spec.containers[none].image", undefined],
  ["spec.nothing.at.all", undefined],
])("%s", (path, want) => {
  expect(valueAt(POD, path)).toBe(want);
});

test("every field's own path leads to it", () => {
  const leaves = leavesOf(POD);
  expect(leaves.map(({ path }) => path)).toEqual(["metadata.name", "metadata.labels.app", 'metadata.labels["app.kubernetes.io/name"]', "spec.containers[nginx].name", "spec.containers[nginx].image", "spec.containers[nginx].args", "spec.containers[log].name", "spec.containers[log].image", "spec.containers[log].args[0]", "spec.containers[log].args[1]", "spec.tolerations[0].key", "spec.tolerations[1].key"]);
  for (const { path, value } of leaves) expect(valueAt(POD, path)).toEqual(value);
});

test("items are named by a field only if it tells them apart", () => {
  expect([mergeKey(POD.spec.containers), mergeKey(POD.spec.tolerations)]).toEqual(["name", undefined]);
});
