import { describe, expect, test } from "vitest";
import { finishCommands, startRun } from "../cluster-run.ts";
import { dryRun } from "./validate.ts";

const pod = (spec: string, metadata = "{name: p}"): string => `apiVersion: v1\nkind: Pod\nmetadata: ${metadata}\nspec: ${spec}\n`;
const container = (fields: string, spec = ""): string => pod(`{containers: [{name: c, image: nginx, ${fields}}]${spec}}`);
const object = (apiVersion: string, kind: string, rest: string): string => `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: x}\n${rest}\n`;
const deployment = (spec: string): string => object("apps/v1", "Deployment", `spec: {${spec}template: {metadata: {labels: {app: web}}, spec: {containers: [{name: c, image: nginx}]}}}`);
const bad = (kind: string, error: string): string => `Error from server (BadRequest): error when creating "x.yaml": ${kind} cannot be handled as a ${kind.split(" ")[0] ?? ""}: ${error}`;
const invalid = (what: string, ...errors: readonly string[]): string => `The ${what} is invalid: ${errors.length === 1 ? (errors[0] ?? "") : `\n${errors.map((error) => `* ${error}`).join("\n")}`}`;
const POD = 'Pod in version "v1"';

function answer(text: string): string {
  const command = dryRun("one-node", ["-f", "x.yaml"], { "x.yaml": text });
  return `${command?.stdout ?? ""}${command?.stderr ?? ""}`.trimEnd();
}

/** Manifests as people write them, and what a 1.36 cluster says through kubectl apply. */
describe("manifests", () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ["a version that is gone", object("extensions/v1beta1", "Deployment", "spec: {}"), 'error: resource mapping not found for name: "x" namespace: "" from "x.yaml": no matches for kind "Deployment" in version "extensions/v1beta1"\nensure CRDs are installed first'],
    ["no name", "apiVersion: v1\nkind: ConfigMap\nmetadata: {labels: {a: b}}\n", 'error: error when retrieving current configuration of:\nResource: "/v1, Resource=configmaps", GroupVersionKind: "/v1, Kind=ConfigMap"\nName: "", Namespace: "default"\nfrom server for: "x.yaml": resource name may not be empty'],
    ["a name that no path can hold", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a%b}\n", 'error: error when retrieving current configuration of:\nResource: "/v1, Resource=configmaps", GroupVersionKind: "/v1, Kind=ConfigMap"\nName: "a%b", Namespace: "default"\nfrom server for: "x.yaml": invalid resource name "a%b": [may not contain \'%\']'],
    ["a Deployment without selector", deployment(""), invalid('Deployment "x"', "spec.selector: Required value", 'spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`')],
    ["replicas beyond int32", deployment("replicas: 3000000000, selector: {matchLabels: {app: web}}, "), bad('Deployment in version "v1"', "json: cannot unmarshal number 3000000000 into Go struct field DeploymentSpec.spec.replicas of type int32")],
    ["replicas as a whole float", deployment("replicas: 2.0, selector: {matchLabels: {app: web}}, "), "deployment.apps/x created (server dry run)"],
    ["typos at three depths", object("apps/v1", "Deployment", "spec: {replica: 3, selector: {matchLabel: {app: web}}, template: {spec: {container: []}}}"), bad('Deployment in version "v1"', 'strict decoding error: unknown field "spec.replica", unknown field "spec.selector.matchLabel", unknown field "spec.template.spec.container"')],
    ["a probe's command as text", container('livenessProbe: {exec: {command: "ls -l"}}'), bad(POD, "json: cannot unmarshal string into Go struct field ExecAction.spec.containers.livenessProbe.ProbeHandler.exec.command of type []string")],
    ["a boolean in a downward file", pod("{volumes: [{name: a, downwardAPI: {items: [{path: true}]}}]}"), bad(POD, "json: cannot unmarshal bool into Go struct field DownwardAPIVolumeFile.spec.volumes.VolumeSource.downwardAPI.items.path of type string")],
    ["a number for a secret's name", container("env: [{name: A, valueFrom: {secretKeyRef: {name: 5, key: k}}}]"), bad(POD, "json: cannot unmarshal number into Go struct field SecretKeySelector.spec.containers.env.valueFrom.secretKeyRef.LocalObjectReference.name of type string")],
    ["a list for a quantity", container("resources: {limits: {cpu: [1]}}"), bad(POD, "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'")],
    ["plain text in a Secret's data", object("v1", "Secret", "data: {password: hunter2!}"), bad('Secret in version "v1"', "illegal base64 data at input byte 7")],
    ["metadata's time without a zone", pod("{}", '{name: p, creationTimestamp: "2026-01-01T00:00:00"}'), bad(POD, 'parsing time "2026-01-01T00:00:00" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "Z07:00"')],
    ["two controllers", pod("{containers: [{name: c, image: nginx}]}", "{name: p, ownerReferences: [{name: a, uid: u, kind: Pod, apiVersion: v1, controller: true}, {name: b, uid: w, kind: Pod, apiVersion: v1, controller: true}]}"), invalid('Pod "p"', 'metadata.ownerReferences: Invalid value: [{"apiVersion":"v1","kind":"Pod","name":"a","uid":"u","controller":true},{"apiVersion":"v1","kind":"Pod","name":"b","uid":"w","controller":true}]: Only one reference can have Controller set to true. Found "true" in references for Pod/a and Pod/b')],
    ["an AppArmor annotation", pod("{containers: [{name: c, image: nginx}]}", "{name: p, annotations: {container.apparmor.security.beta.kubernetes.io/c: runtime/default}}"), 'pod/p created (server dry run)\nWarning: metadata.annotations[container.apparmor.security.beta.kubernetes.io/c]: deprecated since v1.30; use the "appArmorProfile" field instead'],
    ["Endpoints warn once", object("v1", "Endpoints", "subsets: []"), "endpoints/x created (server dry run)\nWarning: v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice"],
    ["a Node's range", object("v1", "Node", "spec: {podCIDR: a}"), invalid('Node "x"', 'spec.podCIDRs[0]: Invalid value: "a": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)')],
    ["no policies to scale down by", object("autoscaling/v2", "HorizontalPodAutoscaler", "spec: {maxReplicas: 2, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}, behavior: {scaleDown: {policies: []}}}"), invalid('HorizontalPodAutoscaler "x"', "spec.behavior.scaleDown.policies: Required value: must specify at least one Policy")],
  ];
  test.each(cases)("%s", (_, text, want) => {
    expect(answer(text)).toBe(want);
  });
});

/** What the server says to patches of a Deployment that is there. */
describe("patches", () => {
  const REJECTED = "The request is invalid: the server rejected our request due to an error in our request";
  const cases: readonly (readonly [string, string, string])[] = [
    ["strategic", '{"spec":{"replicas":"x"}}', 'The request is invalid: patch: Invalid value: "map[spec:map[replicas:x]]": unrecognized type: int32'],
    ["strategic", '{"spec":{"replicas":3000000000}}', 'The Deployment "x" is invalid: spec.replicas: Invalid value: -1294967296: must be greater than or equal to 0'],
    ["strategic", "abc", "Error from server (BadRequest): json: cannot unmarshal string into Go value of type map[string]interface {}"],
    ["strategic", '{"spec":{"template":{"spec":{"containers":[{"image":"x"}]}}}}', "Error from server: map: map[image:x] does not contain declared merge key: name"],
    ["merge", "[1]", "Error from server (BadRequest): error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}"],
    ["json", '{"a":1}', "Error from server (BadRequest): error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp"],
    ["json", '[{"op":"remove","path":"/spec/nope"}]', REJECTED],
    ["json", '[{"op":"replace","path":"/spec/paused","value":true}]', "deployment.apps/x patched"],
    ["json", '[{"op":"replace","path":"/metadata/labels","value":{"a":"b"},"from_":1}]', 'deployment.apps/x patched\nWarning: json patch unknown field "[0].from_"'],
  ];
  test.each(cases)("%s %s", (type, patch, want) => {
    const files = { "x.yaml": deployment("replicas: 1, selector: {matchLabels: {app: web}}, ") };
    const inputs = [{ at: 0, type: "command", argv: ["apply", "-f", "x.yaml"], files }, { at: 5_000_000, type: "command", argv: ["patch", "deployment", "x", "--type", type, "-p", patch], files: {} }] as const;
    const run = startRun({ world: "one-node", seed: 1, profile: "quiet", inputs });
    const command = finishCommands(run, 5_000_000, 30_000_000).at(-1);
    expect(`${command?.stdout ?? ""}${command?.stderr ?? ""}`.trimEnd()).toBe(want);
  });
});
