import { expect, test } from "vitest";
import { kustomize } from "./kustomize.ts";

const DEPLOYMENT = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  selector: {matchLabels: {app: web}}\n  template:\n    metadata: {labels: {app: web}}\n    spec: {containers: [{name: c, image: \"nginx:1.25\", envFrom: [{configMapRef: {name: conf}}]}]}\n";
const build = (kustomization: string): ReturnType<typeof kustomize> => kustomize({ "k/kustomization.yaml": kustomization, "k/d.yaml": DEPLOYMENT }, "k", "/w");
const objects = (kustomization: string): readonly unknown[] => {
  const built = build(kustomization);
  return typeof built === "string" ? [built] : built.objects;
};

// Hashes as kubectl v1.33.1 printed them.
test("names, hashes and references", () => {
  expect(objects("resources: [d.yaml]\nnamePrefix: dev-\nconfigMapGenerator: [{name: conf, literals: [A=1, B=two]}]\nimages: [{name: nginx, newTag: \"1.27\"}]")).toMatchObject([
    { kind: "ConfigMap", metadata: { name: "dev-conf-6b56fdfggc" }, data: { A: "1", B: "two" } },
    { kind: "Deployment", metadata: { name: "dev-web" }, spec: { template: { spec: { containers: [{ image: "nginx:1.27", envFrom: [{ configMapRef: { name: "dev-conf-6b56fdfggc" } }] }] } } } },
  ]);
  expect(objects("secretGenerator: [{name: sec, literals: [P=q]}]")).toMatchObject([{ metadata: { name: "sec-kct46mmh74" }, data: { P: "cQ==" } }]);
});

test("labels reach selectors only when they are told to", () => {
  expect(objects("resources: [d.yaml]\nlabels: [{pairs: {t: a}}]")).toMatchObject([{ metadata: { labels: { t: "a" } }, spec: { selector: { matchLabels: { app: "web" } } } }]);
  expect(objects("resources: [d.yaml]\ncommonLabels: {t: a}")).toMatchObject([{ spec: { selector: { matchLabels: { app: "web", t: "a" } }, template: { metadata: { labels: { t: "a" } } } } }]);
});

test.each([
  ["resources: [x.yaml]", "error: accumulating resources: accumulation err='accumulating resources from 'x.yaml': evalsymlink failure on '/w/k/x.yaml' : lstat /w/k/x.yaml: no such file or directory': must build at directory: not a valid directory: evalsymlink failure on '/w/k/x.yaml' : lstat /w/k/x.yaml: no such file or directory"],
  ["foo: bar", "error: invalid Kustomization: json: unknown field \"foo\""],
])("%s", (kustomization, error) => expect(build(kustomization)).toBe(error));
