import { expect, test } from "vitest";
import { discoveryDocument } from "./discovery.ts";

interface Listed {
  readonly resources: readonly { readonly name: string; readonly storageVersionHash?: string }[];
}

// As kubernetes/api/discovery records them.
test.each<readonly [string, string, string | undefined]>([
  ["/api/v1", "pods", "xPOwRZ+Yhw8="], ["/api/v1", "events", "r2yiGXH7wu8="], ["/apis/events.k8s.io/v1", "events", "r2yiGXH7wu8="], ["/api/v1", "pods/status", undefined], ["/api/v1", "componentstatuses", undefined],
  ["/apis/autoscaling/v1", "horizontalpodautoscalers", "qwQve8ut294="], ["/apis/apiextensions.k8s.io/v1", "customresourcedefinitions", "jfWCUB31mvA="], ["/apis/authorization.k8s.io/v1", "subjectaccessreviews", undefined],
])("%s %s has the storage version hash %s", (path, name, hash) => {
  const { resources } = discoveryDocument(path, [], false) as Listed;
  expect(resources.find((resource) => resource.name === name)?.storageVersionHash).toBe(hash);
});
