import { describe, expect, test } from "vitest";
import { checkManifest } from "./check-manifest.ts";

const POD = "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n";

describe("checkManifest", () => {
  test.each([
    { name: "a plain Pod is simulated in full", text: `${POD}  containers: [{name: c, image: nginx}]\n`, want: [] },
    { name: "a claim", text: `${POD}  volumes:\n  - name: a\n    emptyDir: {}\n  - name: d\n    persistentVolumeClaim: {claimName: x}\n`, want: ["spec.volumes[1].persistentVolumeClaim:9"] },
    { name: "a template", text: "apiVersion: apps/v1\nkind: Deployment\nspec:\n  template:\n    spec:\n      hostPID: true\n", want: ["spec.template.spec.hostPID:6"] },
    { name: "a kind without a controller", text: "apiVersion: batch/v1\nkind: CronJob\n", want: ["kind:2"] },
    { name: "runAsNonRoot alone is acted on", text: `${POD}  securityContext: {runAsNonRoot: true}\n`, want: [] },
    { name: "capabilities are not", text: `${POD}  containers:\n  - name: c\n    securityContext: {privileged: true}\n`, want: ["spec.containers[0].securityContext:7"] },
    { name: "several documents", text: `${POD}---\n${POD}  hostIPC: true\n`, want: ["spec.hostIPC:10"] },
    { name: "a List", text: "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Pod\n  spec: {hostPID: true}\n", want: ["items[0].spec.hostPID:6"] },
  ])("$name", ({ text, want }) => {
    expect(checkManifest(text).notSimulated.map((entry) => `${entry.path}:${entry.line}`)).toEqual(want);
  });

  test("says where the YAML breaks", () => {
    const report = checkManifest("kind: Pod\nspec:\n\tcontainers: []\n");
    expect(report.problems[0]).toMatchObject({ line: 3 });
    expect(report.notSimulated).toEqual([]);
  });
});
