import { expect, test } from "vitest";
import type { KubeObject } from "../api/types.ts";
import { complete, type Known } from "./complete.ts";

const object = (kind: string, name: string, rest: object = {}): KubeObject => ({ apiVersion: "v1", kind, metadata: { name, labels: { app: name } }, ...rest }) as KubeObject;
const STORED: Readonly<Record<string, readonly KubeObject[]>> = {
  "pods/shop": [object("Pod", "web-1", { spec: { containers: [{ name: "main" }, { name: "side" }] } }), object("Pod", "db-0")], "namespaces/": [object("Namespace", "shop"), object("Namespace", "kube-system")], "nodes/": [object("Node", "node-1")], "pods/kube-system": [object("Pod", "coredns")],
};
const KNOWN: Known = { namespace: "shop", objects: (resource, namespace) => STORED[`${resource}/${namespace}`] ?? [] };

test.each([
  ["kubectl ro", ["rollout"]],
  ["rollout st", ["status"]],
  ["kubectl get po", ["pods", "podtemplates", "poddisruptionbudgets.policy"]],
  ["k get pods w", ["web-1"]],
  ["get pods -n kube-system ", ["coredns"]],
  ["get pod/d", ["pod/db-0"]],
  ["get pods -n kube", ["kube-system"]],
  ["get pods --namespace=s", ["--namespace=shop"]],
  ["get pods --sort", ["--sort-by="]],
  ["logs web-1 -c ", ["main", "side"]],
  ["logs w", ["web-1"]],
  ["get pods -o js", ["json", "jsonpath=", "jsonpath-as-json=", "jsonpath-file="]],
  ["drain n", ["node-1"]],
  ["explain pod.spec.termi", ["pod.spec.terminationGracePeriodSeconds"]],
  ["rollout status dep", ["deployment"]],
  ["nope x", []],
])("%s", (line, want) => expect(complete(line, line.length, KNOWN).suggestions.map(({ text }) => text)).toEqual(want));

test("a suggestion stands in for the word at the cursor", () => expect(complete("kubectl get pods w -o wide", 18, KNOWN)).toMatchObject({ from: 17, suggestions: [{ text: "web-1", about: "Pod" }] }));
