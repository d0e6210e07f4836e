import { describe, expect, test } from "vitest";
import type { HttpRequest } from "../../api/http.ts";
import type { Status } from "../../api/types.ts";
import { answers, body, http, type Op, PODS, podBody, run, T } from "../../testdata/control-plane.ts";

type Call = Partial<HttpRequest> & { readonly path: string; readonly user?: string };
const ask = (...calls: readonly Call[]): ReturnType<typeof answers> => answers(run(calls.map((call, i): Op => http(T + i * 250_000, call)), T + calls.length * 250_000 + 2_000_000));
const said = (answer: ReturnType<typeof answers>[number] | undefined): readonly [number, string | undefined] => [answer?.status ?? 0, (body(answer) as unknown as Status).message];
const post = (path: string, object: object, user?: string): Call => ({ method: "POST", path, body: object, ...(user === undefined ? {} : { user }) });

const ADMISSION = "/apis/admissionregistration.k8s.io/v1";
function policy(operation: string, resource: string, expression: string): readonly Call[] {
  const [apiVersion, metadata] = ["admissionregistration.k8s.io/v1", { name: "p" }];
  return [
    post(`${ADMISSION}/validatingadmissionpolicies`, { apiVersion, kind: "ValidatingAdmissionPolicy", metadata, spec: { matchConstraints: { resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], operations: [operation], resources: [resource] }] }, validations: [{ expression, message: "no" }] } }),
    post(`${ADMISSION}/validatingadmissionpolicybindings`, { apiVersion, kind: "ValidatingAdmissionPolicyBinding", metadata, spec: { policyName: "p", validationActions: ["Deny"] } }),
  ];
}
const NO = `pods "a" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'p' denied request: no`;
const bind = (node: string): Call => post(`${PODS}/a/binding`, { apiVersion: "v1", kind: "Binding", metadata: { name: "a" }, target: { kind: "Node", name: node } });

describe("policies see what subresources are sent", () => {
  test.each<readonly [string, readonly Call[], Call, readonly [number, string | undefined]]>([
    ["a Binding", policy("CREATE", "pods/binding", "object.target.name != 'n1' || request.kind.kind != 'Binding'"), bind("n1"), [422, NO]],
    ["a Binding that it likes", policy("CREATE", "pods/binding", "object.target.name == 'n1'"), bind("n1"), [201, undefined]],
    ["the Pod's own rules do not see it", policy("UPDATE", "pods", "false"), bind("n1"), [201, undefined]],
    ["exec", policy("CONNECT", "pods/exec", "!(has(object.tty) && object.tty && object.command[0] == 'sh')"), { method: "POST", path: `${PODS}/a/exec`, query: { command: "sh", tty: "true", container: "c" } }, [422, NO]],
    ["an Eviction", policy("CREATE", "pods/eviction", "object.kind != 'Eviction' || oldObject != null"), post(`${PODS}/a/eviction`, { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "a", namespace: "default" } }), [422, NO]],
  ])("%s", (_, rules, call, expected) => {
    expect(said(ask(post(PODS, podBody("a")), ...rules, call).at(-1))).toEqual(expected);
  });

  test("CONNECT knows no dry run", () => {
    expect(said(ask(post(PODS, podBody("a")), { method: "POST", path: `${PODS}/a/exec`, query: { command: "sh", dryRun: "All" } }).at(-1))).toEqual([400, "dryRun is not supported"]);
  });
});

describe("a kubelet asks for tokens", () => {
  const TOKEN = "/api/v1/namespaces/default/serviceaccounts/default/token";
  const refused = (text: string): readonly [number, string] => [403, `serviceaccounts "default" is forbidden: ${text}`];
  test.each<readonly [string, (uid: string) => object | undefined, readonly [number, string | undefined]]>([
    ["for nobody", () => undefined, refused("node requested token not bound to a pod")],
    ["for a Pod without a uid", () => ({ kind: "Pod", apiVersion: "v1", name: "a" }), refused("node requested token with a pod binding without a uid")],
    ["for a Pod that is gone", () => ({ kind: "Pod", apiVersion: "v1", name: "b", uid: "x" }), [404, 'pods "b" not found']],
    ["for an older Pod of that name", () => ({ kind: "Pod", apiVersion: "v1", name: "a", uid: "x" }), refused("the UID in the bound object reference (x) does not match the UID in record. The object might have been deleted and then recreated")],
    ["for its own Pod", (uid) => ({ kind: "Pod", apiVersion: "v1", name: "a", uid }), [201, undefined]],
  ])("%s", (_, boundObjectRef, expected) => {
    const setup = [post(PODS, podBody("a")), bind("n1")];
    const uid = body(ask(...setup)[0]).metadata.uid ?? "";
    const ref = boundObjectRef(uid);
    expect(said(ask(...setup, post(TOKEN, { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: ref === undefined ? {} : { boundObjectRef: ref } }, "system:node:n1")).at(-1))).toEqual(expected);
  });

  test("with another audience than its volumes name", () => {
    const setup = [post(PODS, podBody("a")), bind("n1")];
    const uid = body(ask(...setup)[0]).metadata.uid ?? "";
    expect(said(ask(...setup, post(TOKEN, { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: { audiences: ["vault"], boundObjectRef: { kind: "Pod", apiVersion: "v1", name: "a", uid } } }, "system:node:n1")).at(-1))).toEqual(refused('audience "vault" not found in pod spec volume, system:node:n1 is not authorized to request tokens for this audience'));
  });
});
