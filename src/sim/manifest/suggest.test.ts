import { describe, expect, test } from "vitest";
import { allKinds } from "../api/schema/schema.ts";
import { fieldHelp } from "./field-help.ts";
import { suggest } from "./suggest.ts";

const POD = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: p\nspec:\n";
const CONTAINER = `${POD}  containers:\n  - name: c\n`;

/** A text with its caret written as "|". */
const split = (marked: string): readonly [text: string, offset: number] => [marked.replace("|", ""), marked.indexOf("|")];
const offered = (marked: string): readonly string[] => suggest(...split(marked)).items.map(({ label }) => label);

/** The text after the suggestion of that label was taken. */
function taken(marked: string, label: string): string {
  const [text, offset] = split(marked);
  const { from, to, items } = suggest(text, offset);
  const item = items.find((one) => one.label === label);
  if (item === undefined) return `no ${label}`;
  const edits = [{ from, to, insert: item.insert }, ...(item.also ? [item.also] : [])].sort((a, b) => b.from - a.from);
  return edits.reduce((done, edit) => done.slice(0, edit.from) + edit.insert + done.slice(edit.to), text);
}

describe("suggest", () => {
  test.each([
    { name: "values of an enum", text: `${POD}  restartPolicy: |`, want: ["Always", "Never", "OnFailure"] },
    { name: "an enum in the middle of a word", text: `${POD}  restartPolicy: Al|ways\n  hostPID: true`, want: ["Always", "Never", "OnFailure"] },
    { name: "a colon without a blank", text: `${POD}  dnsPolicy:|\n`, want: ["ClusterFirst", "ClusterFirstWithHostNet", "Default", "None"] },
    { name: "booleans", text: `${POD}  hostNetwork: |`, want: ["true", "false"] },
    { name: "quantities of cpu", text: `${CONTAINER}    resources:\n      limits:\n        cpu: |`, want: ["100m", "250m", "500m", "1", "2"] },
    { name: "quantities of memory, in braces", text: `${POD}  containers: [{name: c, resources: {requests: {memory: |}}}]`, want: ["64Mi", "128Mi", "256Mi", "512Mi", "1Gi"] },
    { name: "keys of resources that are missing", text: `${CONTAINER}    resources:\n      limits:\n        cpu: 1\n        |`, want: ["memory", "ephemeral-storage"] },
    { name: "items of a list of values", text: "apiVersion: v1\nkind: PersistentVolumeClaim\nspec:\n  accessModes: [|]", want: ["ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", "ReadWriteOncePod"] },
    { name: "the item of a list of maps", text: `${POD}  containers:\n    |`, want: ["- name"] },
    { name: "the fields of one of several documents", text: `${POD}---\napiVersion: v1\nkind: Service\nspec:\n  ports:\n  - |\n---\nkind: Pod\n`, want: ["port", "name", "protocol", "appProtocol", "targetPort", "nodePort"] },
    { name: "the objects of a List", text: "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Pod\n  spec:\n    restartPolicy: |", want: ["Always", "Never", "OnFailure"] },
    { name: "objects of the same file", text: `${POD}  volumes:\n  - name: v\n    configMap:\n      name: |\n---\nkind: ConfigMap\nmetadata: {name: settings}`, want: ["settings"] },
    { name: "the keys of a Secret in the same file", text: `${CONTAINER}    env:\n    - name: E\n      valueFrom:\n        secretKeyRef:\n          name: s\n          key: |\n---\nkind: Secret\nmetadata: {name: s}\nstringData: {user: x, pass: y}`, want: ["user", "pass"] },
    { name: "the Pod's volumes", text: `${CONTAINER}    volumeMounts:\n    - name: |\n  volumes:\n  - name: data\n  - name: tmp`, want: ["data", "tmp"] },
    { name: "labels of the file's Pods", text: "apiVersion: v1\nkind: Service\nspec:\n  selector:\n    app: |\n---\nkind: Pod\nmetadata: {labels: {app: web}}", want: ["web"] },
    { name: "the apiVersion of a kind first", text: "apiVersion: |\nkind: Deployment", want: "apps/v1" },
    { name: "the kinds of an apiVersion first", text: "apiVersion: batch/v1\nkind: |", want: "Job" },
    { name: "an empty document", text: "# nothing\n|", want: "Pod" },
    { name: "nothing in a comment", text: `${POD}  # rest|`, want: [] },
    { name: "nothing in a block of text", text: "apiVersion: v1\nkind: ConfigMap\ndata:\n  a: >-\n    rest|", want: [] },
    { name: "nothing in kinds that nobody knows", text: "apiVersion: example.com/v1\nkind: Widget\nspec:\n  |", want: [] },
    { name: "nothing where the schema has no field", text: `${POD}  nonsense:\n    |`, want: [] },
  ])("$name", ({ text, want }) => {
    const found = offered(text);
    if (typeof want === "string") expect(found[0]).toBe(want);
    else expect(found).toEqual(want);
  });

  test("field names: required ones first, those that stand there already left out, each with its type and default", () => {
    const { items } = suggest(...split(`${POD}  |\n  restartPolicy: Never\n`));
    expect(items[0]).toMatchObject({ label: "containers", detail: "[]Container, required" });
    expect(items.map(({ label }) => label)).not.toContain("restartPolicy");
    expect(items.find(({ label }) => label === "dnsPolicy")?.info).toContain("Default: ClusterFirst.");
    expect(items.find(({ label }) => label === "terminationGracePeriodSeconds")?.detail).toBe("integer");
  });

  test.each([
    { name: "a scalar", text: `${POD}  rest|`, label: "restartPolicy", want: `${POD}  restartPolicy: ` },
    { name: "a name whose value is there", text: `${POD}  rest|Pol: Never`, label: "restartPolicy", want: `${POD}  restartPolicy: Never` },
    { name: "a struct", text: `${POD}  sec|`, label: "securityContext", want: `${POD}  securityContext:\n    ` },
    { name: "a list", text: `${POD}  cont|`, label: "containers", want: `${POD}  containers:\n  - ` },
    { name: "an item, one line after the list's name", text: `${POD}  containers:\n  |`, label: "- name", want: `${POD}  containers:\n  - name: ` },
    { name: "a field in braces", text: `${POD}  containers: [{name: c, im|}]`, label: "image", want: `${POD}  containers: [{name: c, image: }]` },
    { name: "a kind of another apiVersion", text: "apiVersion: v1\nkind: Depl|\n", label: "Deployment", want: "apiVersion: apps/v1\nkind: Deployment\n" },
    { name: "a kind before any apiVersion", text: "kind: |", label: "Pod", want: "apiVersion: v1\nkind: Pod" },
  ])("takes $name", ({ text, label, want }) => expect(taken(text, label)).toBe(want));

  test("names of the cluster", () => {
    const lookup = (resource: string, namespace: string): readonly unknown[] => (resource === "secrets" && namespace === "team" ? [{ metadata: { name: "token" } }] : []);
    const [text, offset] = split("apiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: team}\nspec:\n  imagePullSecrets:\n  - name: |");
    expect(suggest(text, offset, lookup).items).toMatchObject([{ label: "token", detail: "in the cluster" }]);
  });

  test("every kind that can be written has fields to offer", () => {
    for (const [apiVersion, kind] of allKinds()) expect(offered(`apiVersion: ${apiVersion}\nkind: ${kind}\n|`).length, kind).toBeGreaterThan(0);
  });

  test("no offset of a torn text throws", () => {
    const torn = `${CONTAINER}    args: ["a, 'b\n  x: {y: [\n\tz: &a *b !!c |\n`;
    for (let offset = 0; offset <= torn.length; offset++) expect(() => [suggest(torn, offset), fieldHelp(torn, offset)]).not.toThrow();
  });
});

describe("fieldHelp", () => {
  test.each([
    { name: "a name", text: `${POD}  restart|Policy: Never`, want: { path: "spec.restartPolicy", type: "string", required: false, values: ["Always", "OnFailure", "Never"], default: "Always" } },
    { name: "a value", text: `${CONTAINER}    image: ngi|nx`, want: { path: "spec.containers[0].image", type: "string" } },
    { name: "a default that hangs on another field", text: `${CONTAINER}    image: nginx:1.27\n    imagePull|Policy: Always`, want: { path: "spec.containers[0].imagePullPolicy", default: "IfNotPresent" } },
    { name: "a required list", text: `${POD}  cont|ainers: []`, want: { path: "spec.containers", type: "[]Container", required: true } },
    { name: "an item of a List", text: "apiVersion: v1\nkind: List\nitems:\n- apiVersion: apps/v1\n  kind: Deployment\n  spec: {repl|icas: 1}", want: { path: "spec.replicas", object: "Deployment in apps/v1", type: "integer", default: "1" } },
    { name: "a quantity in another form", text: `${CONTAINER}    resources: {limits: {cpu: 0.|5}}`, want: { path: "spec.containers[0].resources.limits.cpu", type: "Quantity" } },
  ])("$name", ({ text, want }) => expect(fieldHelp(...split(text))).toMatchObject(want));

  test.each([`${POD}  nonsense|: 1`, "apiVersion: example.com/v1\nkind: Widget\nspec: {a|: 1}", `${POD}  # com|ment`, "|"])("nothing to say of %j", (text) => expect(fieldHelp(...split(text))).toBeUndefined());

  test("a sentence, in our own words", () => expect(fieldHelp(...split(`${POD}  restart|Policy: Never`))?.about.join(" ")).toMatch(/containers that end/));
  test("what a quantity is stored as", () => expect(fieldHelp(...split(`${CONTAINER}    resources: {limits: {cpu: 0.|5}}`))?.about).toContain("Stored as 500m."));
});
