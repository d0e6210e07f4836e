import { expect, test } from "vitest";
import { base64Decode, base64Encode } from "./base64.ts";
import { goDuration, humanDuration, parseGoDuration } from "./duration.ts";
import { getField, matchesFields, parseFieldSelector, unsupportedField } from "./fields.ts";
import { fnv32a } from "./go-hash.ts";
import { parseImageName } from "./image-name.ts";
import { podLimits, podRequests } from "./pod-resources.ts";
import { canonicalQuantity, parseQuantity, roundUpToMilli } from "./quantity.ts";
import { generateName } from "./random-suffix.ts";
import { etcdKey, findResource, resourceForPath } from "./schema/resources.ts";
import { allKinds, kindType, structType } from "./schema/schema.ts";
import { formatTable } from "./tabwriter.ts";
import { SECOND } from "./time.ts";
import { unifiedDiff } from "./unified-diff.ts";
import { toleratesTaint } from "./tolerations.ts";
import type { Container, PodSpec, ResourceList } from "./types.ts";

test.each([
  ["1Mi", "1Mi"], ["1024Ki", "1Mi"], ["1.5Gi", "1536Mi"], ["0.5Ki", "512"], ["1e3", "1e3"], ["1500e3", "1500e3"], ["2E", "2E"], ["100Ei", "9223372036854775807"], ["+1", "1"], ["-0", "0"], ["0.0000000001", "1n"], ["Mi", "0"], ["1e-3", "1e-3"],
])("quantity %s is %s", (text, want) => {
  expect(canonicalQuantity(text)).toBe(want);
});

test.each(["", "1 core", "1Kib", "abc", "1.2.3", "1mm", "1e"])("%j is no quantity", (text) => {
  expect(typeof parseQuantity(text)).toBe("string");
});

test("requests finer than a thousandth are rounded up", () => {
  expect([roundUpToMilli("0.0001"), roundUpToMilli("1500u"), roundUpToMilli("5m")]).toEqual(["1m", "2m", "5m"]);
});

test.each([
  [0.0015, "1.5ms"], [1.5, "1.5s"], [90, "1m30s"], [300, "5m0s"], [3661, "1h1m1s"], [0, "0s"],
])("Go duration %d s is %s", (seconds, want) => {
  expect(goDuration(seconds * SECOND)).toBe(want);
  expect(parseGoDuration(want)).toBe(seconds * SECOND);
});

test("a negative age is a skewed clock", () => {
  expect([humanDuration(-SECOND), humanDuration(-2 * SECOND), humanDuration(600 * SECOND)]).toEqual(["0s", "<invalid>", "10m"]);
});

test.each([
  ["nginx", "latest", ""], ["nginx:1.27", "1.27", ""], ["localhost:5000/a/b", "latest", ""], [`nginx@sha256:${"a".repeat(64)}`, "", `sha256:${"a".repeat(64)}`],
])("image %s", (image, tag, digest) => {
  expect(parseImageName(image)).toMatchObject({ tag, digest });
});
test.each(["NGINX", "", "a b", "nginx:", "f".repeat(64)])("image %j cannot be parsed", (image) => {
  expect(parseImageName(image)).toBeUndefined();
});

const container = (name: string, requests: ResourceList, restartPolicy?: string): Container => ({ name, resources: { requests, limits: requests }, ...(restartPolicy === undefined ? {} : { restartPolicy }) });
const spec: PodSpec = {
  initContainers: [container("sidecar", { cpu: "100m" }, "Always"), container("setup", { cpu: "2" })],
  containers: [container("a", { cpu: "500m" }), container("b", { cpu: "200m" })],
  overhead: { cpu: "10m", memory: "1Mi" },
};
test("a Pod asks for the larger of its start and its run", () => {
  expect(podRequests(spec)).toEqual({ cpu: "2110m", memory: "1Mi" });
  expect(podLimits(spec)).toEqual({ cpu: "2110m" });
  expect(podRequests({ ...spec, initContainers: [container("sidecar", { cpu: "100m" }, "Always")] }, { excludeOverhead: true })).toEqual({ cpu: "800m" });
  expect(podRequests({ ...spec, resources: { requests: { cpu: "3" } } })).toEqual({ cpu: "3010m", memory: "1Mi" });
});

test.each([
  [{ key: "k", operator: "Exists" }, true], [{ operator: "Exists" }, true], [{ key: "k", value: "v" }, true], [{ key: "k", value: "w" }, false], [{ key: "k", operator: "Exists", effect: "NoExecute" }, false],
])("toleration %j", (toleration, want) => {
  expect(toleratesTaint(toleration, { key: "k", value: "v", effect: "NoSchedule" })).toBe(want);
});

test("field paths and selectors", () => {
  const pod = { spec: { nodeName: "n1", containers: [{ image: "i" }] }, metadata: { annotations: { "a.b/c": "d" } } };
  expect([getField(pod, "spec.containers[0].image"), getField(pod, "metadata.annotations['a.b/c']"), getField(pod, "spec.x.y")]).toEqual(["i", "d", undefined]);
  const selector = parseFieldSelector("spec.nodeName=n1,status.phase!=Failed");
  expect(typeof selector !== "string" && matchesFields(pod, selector)).toBe(true);
  expect(typeof selector !== "string" && unsupportedField("ConfigMap", selector)).toBe("field label not supported: spec.nodeName");
});

test("names, hashes, base64", () => {
  expect(generateName("web-", (i) => i)).toBe("web-bcdfg");
  expect(generateName("x".repeat(60), () => 26)).toBe(`${"x".repeat(58)}99999`);
  expect(fnv32a("hello")).toBe(0x4f9f2cab);
  expect([base64Encode("päss\n"), base64Decode(base64Encode("päss €😀"))]).toEqual(["cMOkc3MK", "päss €😀"]);
});

test("resources by any name, and their keys in etcd", () => {
  expect(["po", "Deployment", "svc", "deploy.apps", "hpa", "cronjobs.v1.batch", "nope"].map((t) => findResource(t)?.resource)).toEqual(["pods", "deployments", "services", "deployments", "horizontalpodautoscalers", "cronjobs", undefined]);
  const keys = (["v1/nodes", "v1/services", "v1/pods", "apps/v1/deployments"] as const).map((p) => resourceForPath(p.slice(0, p.lastIndexOf("/")), p.slice(p.lastIndexOf("/") + 1)));
  expect(keys.map((r) => r && etcdKey(r, "ns", "x"))).toEqual(["/registry/minions/x", "/registry/services/specs/ns/x", "/registry/pods/ns/x", "/registry/deployments/ns/x"]);
});

test("the schema is whole: every type it names is there", () => {
  const seen = new Set<string>();
  const missing: string[] = [];
  const visit = (name: string): void => {
    if (seen.has(name)) return;
    seen.add(name);
    const type = structType(name);
    if (!type) missing.push(name);
    for (const field of type?.fields.values() ?? []) {
      let { of } = field;
      while (of.type === "list" || of.type === "map") ({ of } = of);
      if (of.type === "struct") visit(of.name);
    }
  };
  for (const [apiVersion, kind] of allKinds()) visit(kindType(apiVersion, kind)?.name ?? `${apiVersion}/${kind}`);
  expect(missing).toEqual([]);
  expect(seen.size).toBeGreaterThan(400);
});

test("a table as kubectl aligns it", () => {
  const columns = [{ name: "Name", priority: 0 }, { name: "IP", priority: 1 }, { name: "Age", priority: 0 }];
  expect(formatTable(columns, [["web", "1.2.3.4", "5s"], ["a-long-name", "", "3d"]], false)).toBe("NAME          AGE\nweb           5s\na-long-name   3d\n");
  expect(formatTable(columns, [["web", "1.2.3.4", "5s"]], true, false)).toBe("web   1.2.3.4   5s\n");
});

test.each([
  { name: "equal", a: "x\ny", b: "x\ny", want: "" },
  { name: "one line", a: "1\n2\n3\n4\n5\n6\n7\n8\n9", b: "1\n2\n3\n4\nfive\n6\n7\n8\n9", want: "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n" },
  { name: "insert", a: "a\nb", b: "a\nx\nb", want: "@@ -1,2 +1,3 @@\n a\n+x\n b\n" },
  { name: "two places", a: "x\n1\n2\n3\n4\n5\n6\n7\n8\ny", b: "X\n1\n2\n3\n4\n5\n6\n7\n8\nY", want: "@@ -1,4 +1,4 @@\n-x\n+X\n 1\n 2\n 3\n@@ -7,4 +7,4 @@\n 6\n 7\n 8\n-y\n+Y\n" },
])("unified diff: $name", ({ a, b, want }) => {
  expect(unifiedDiff(a, b)).toBe(want);
});
