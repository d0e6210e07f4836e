import { describe, expect, test } from "vitest";
import type { HttpRequest } from "../../api/http.ts";
import type { KubeObject, Status } from "../../api/types.ts";
import { deadlineOf, NO_DEADLINE } from "../filters/request-deadline.ts";
import { requestInfo } from "../request-info.ts";
import { answers, body, http, type Op, PODS, podBody, run, state, stop, T } from "../../testdata/control-plane.ts";

const NS = "/api/v1/namespaces/default";
const CONFIGMAPS = `${NS}/configmaps`;
const configMap = (name: string, more: object = {}): object => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name, labels: { app: name.charAt(0) }, ...more } });
type Call = Partial<HttpRequest> & { readonly path: string; readonly user?: string };
/** One call a quarter of a second; the answers. */
function ask(...calls: readonly Call[]): ReturnType<typeof answers> {
  return answers(run(calls.map((call, i): Op => http(T + i * 250_000, call)), T + calls.length * 250_000 + 8_000_000));
}
const post = (path: string, object: object, query?: Readonly<Record<string, string>>): Call => ({ method: "POST", path, body: object, ...(query === undefined ? {} : { query }) });
const last = (...calls: readonly Call[]): readonly [number, string | undefined] => {
  const answer = ask(...calls).at(-1);
  return [answer?.status ?? 0, (body(answer) as unknown as Status | undefined)?.message];
};
const names = (answer: ReturnType<typeof answers>[number] | undefined): unknown => (body(answer) as unknown as { items: readonly KubeObject[] }).items.map(({ metadata }) => metadata.name);

describe("DELETE", () => {
  test.each<readonly [string, Call, number, string | undefined]>([
    ["an unknown policy", { method: "DELETE", path: `${CONFIGMAPS}/a`, body: { propagationPolicy: "Later" } }, 422, 'DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Unsupported value: "Later": supported values: "Foreground", "Background", "Orphan", "nil"'],
    ["two wishes at once", { method: "DELETE", path: `${CONFIGMAPS}/a`, body: { propagationPolicy: "Orphan", orphanDependents: true } }, 422, 'DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Invalid value: "Orphan": orphanDependents and deletionPropagation cannot be both set'],
    ["an unknown dry run", { method: "DELETE", path: `${CONFIGMAPS}/a`, query: { dryRun: "Some" } }, 422, 'DeleteOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: ["Some"]: supported values: "All"'],
    ["another uid", { method: "DELETE", path: `${CONFIGMAPS}/a`, body: { preconditions: { uid: "x" } } }, 409, expect.stringContaining('Operation cannot be fulfilled on ConfigMap "a": the UID in the precondition (x) does not match the UID in record (') as string],
    ["another resourceVersion", { method: "DELETE", path: `${CONFIGMAPS}/a`, body: { preconditions: { resourceVersion: "3" } } }, 409, expect.stringMatching(/the ResourceVersion in the precondition \(3\) .* might have been modified$/) as string],
    ["grace for what is no Pod", { method: "DELETE", path: `${CONFIGMAPS}/a`, body: { gracePeriodSeconds: 30 } }, 200, undefined],
  ])("%s", (_, call, status, message) => {
    expect(last(post(CONFIGMAPS, configMap("a")), call)).toEqual([status, message]);
  });

  test.each([["the body", { body: { dryRun: ["All"], propagationPolicy: "Foreground" } }], ["the query", { query: { dryRun: "All", propagationPolicy: "Foreground" } }]])("a dry run in %s shows what would be", (_, more) => {
    const [, , gone, there] = ask(post(CONFIGMAPS, configMap("a")), { path: PODS }, { method: "DELETE", path: `${CONFIGMAPS}/a`, ...more }, { path: `${CONFIGMAPS}/a` });
    expect([(body(gone) as KubeObject).metadata.finalizers, (body(there) as KubeObject).metadata.finalizers]).toEqual([["foregroundDeletion"], undefined]);
  });

  const job = { apiVersion: "batch/v1", kind: "Job", metadata: { name: "j" }, spec: { template: { spec: { restartPolicy: "Never", containers: [{ name: "c", image: "i" }] } } } };
  test.each([
    ["a Job's Pods live on unless somebody says otherwise", {}, ["orphan"]],
    ["orphanDependents true", { orphanDependents: true }, ["orphan"]],
    ["in the foreground", { propagationPolicy: "Foreground" }, ["foregroundDeletion"]],
  ])("%s", (_, options, finalizers) => {
    const path = "/apis/batch/v1/namespaces/default/jobs";
    const [, , there] = ask(post(path, job), { method: "DELETE", path: `${path}/j`, body: options }, { path: `${path}/j` });
    expect((body(there) as KubeObject).metadata.finalizers).toEqual(finalizers);
  });
});

describe("DELETE of a collection", () => {
  const three = ["a1", "a2", "b1"].map((name) => post(CONFIGMAPS, configMap(name)));
  test.each<readonly [string, Call, unknown, unknown]>([
    ["by label", { method: "DELETE", path: CONFIGMAPS, query: { labelSelector: "app=a" } }, ["a1", "a2"], ["b1"]],
    ["by name", { method: "DELETE", path: CONFIGMAPS, query: { fieldSelector: "metadata.name=b1" } }, ["b1"], ["a1", "a2"]],
    ["a page of it", { method: "DELETE", path: CONFIGMAPS, query: { limit: "1" } }, ["a1"], ["a2", "b1"]],
    ["as a dry run", { method: "DELETE", path: CONFIGMAPS, query: { dryRun: "All" } }, ["a1", "a2", "b1"], ["a1", "a2", "b1"]],
    ["all", { method: "DELETE", path: CONFIGMAPS }, ["a1", "a2", "b1"], []],
  ])("%s", (_, call, deleted, left) => {
    const got = ask(...three, call, { path: CONFIGMAPS });
    expect([names(got[3]), names(got[4])]).toEqual([deleted, left]);
  });

  test("admission is asked about each object; the first refusal ends it", () => {
    const policy = { apiVersion: "admissionregistration.k8s.io/v1", kind: "ValidatingAdmissionPolicy", metadata: { name: "keep" }, spec: { matchConstraints: { resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["DELETE"], resources: ["configmaps"] }] }, validations: [{ expression: "oldObject.metadata.name != 'a2'", message: "a2 stays" }] } };
    const binding = { apiVersion: "admissionregistration.k8s.io/v1", kind: "ValidatingAdmissionPolicyBinding", metadata: { name: "keep" }, spec: { policyName: "keep", validationActions: ["Deny"] } };
    const base = "/apis/admissionregistration.k8s.io/v1";
    const got = ask(...three, post(`${base}/validatingadmissionpolicies`, policy), post(`${base}/validatingadmissionpolicybindings`, binding), { method: "DELETE", path: CONFIGMAPS }, { path: CONFIGMAPS });
    expect([got[5]?.status, (body(got[5]) as unknown as Status).message, names(got[6])]).toEqual([422, "configmaps \"a2\" is forbidden: ValidatingAdmissionPolicy 'keep' with binding 'keep' denied request: a2 stays", ["a2", "b1"]]);
  });
});

describe("GET of one object", () => {
  test.each<readonly [string, number, string | undefined]>([
    ["0", 200, undefined], ["90", 200, undefined],
    ["x", 500, 'resourceVersion: Invalid value: "x": strconv.ParseUint: parsing "x": invalid syntax'],
    ["99999", 504, expect.stringMatching(/^Timeout: Too large resource version: 99999, current: \d+$/) as string],
  ])("resourceVersion=%s", (resourceVersion, status, message) => {
    expect(last(post(CONFIGMAPS, configMap("a")), { path: `${CONFIGMAPS}/a`, query: { resourceVersion } })).toEqual([status, message]);
  });

  test("as metadata only, and the wrong way round", () => {
    const as = (kind: string): Readonly<Record<string, string>> => ({ Accept: `application/json;as=${kind};g=meta.k8s.io;v=v1` });
    const got = ask(post(CONFIGMAPS, configMap("a")), { path: `${CONFIGMAPS}/a`, headers: as("PartialObjectMetadata") }, { path: CONFIGMAPS, headers: as("PartialObjectMetadataList") }, { path: CONFIGMAPS, headers: as("PartialObjectMetadata") });
    expect(body(got[1])).toMatchObject({ kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata: { name: "a" } });
    expect(body(got[2])).toMatchObject({ kind: "PartialObjectMetadataList", items: [{ kind: "PartialObjectMetadata", metadata: { name: "a" } }] });
    expect(got[3]?.status).toBe(406);
  });
});

describe("writes", () => {
  test.each<readonly [string, Call, string]>([
    ["a manager with a bell", post(PODS, podBody("a"), { fieldManager: "a\u0007" }), 'CreateOptions.meta.k8s.io "" is invalid: fieldManager: Invalid value: "a\\u0007": invalid character U+0007 (at position 1)'],
    ["a long manager", post(PODS, podBody("a"), { fieldManager: "m".repeat(129) }), 'CreateOptions.meta.k8s.io "" is invalid: fieldManager: Too long: may not be more than 128 bytes'],
    ["an unknown dry run", { method: "PUT", path: `${PODS}/a`, body: podBody("a"), query: { dryRun: "yes" } }, 'UpdateOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: ["yes"]: supported values: "All"'],
    ["an unknown validation", post(PODS, podBody("a"), { fieldValidation: "Loud" }), 'CreateOptions.meta.k8s.io "" is invalid: fieldValidation: Unsupported value: "Loud": supported values: "", "Ignore", "Strict", "Warn"'],
    ["force without apply", { method: "PATCH", path: `${PODS}/a`, body: {}, query: { force: "true" } }, 'PatchOptions.meta.k8s.io "" is invalid: force: Forbidden: may not be specified for non-apply patch'],
  ])("%s", (_, call, message) => {
    expect(last(call)).toEqual([422, message]);
  });

  const role = { apiVersion: "rbac.authorization.k8s.io/v1", kind: "Role", metadata: { name: "r" }, rules: [] };
  const ROLES = "/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles";
  test("the PUT of some kinds creates", () => {
    const got = ask({ method: "PUT", path: `${ROLES}/r`, body: role }, { method: "PUT", path: `${ROLES}/r`, body: role }, { method: "PUT", path: `${CONFIGMAPS}/a`, body: configMap("a") });
    expect(got.map(({ status }) => status)).toEqual([201, 200, 404]);
    expect(body(got[0])).toMatchObject({ metadata: { name: "r", namespace: "default", uid: expect.any(String) as string } });
  });

  test("the namespace of a PUT is that of its path", () => {
    expect(last(post(CONFIGMAPS, configMap("a")), { method: "PUT", path: `${CONFIGMAPS}/a`, body: configMap("a", { namespace: "other" }) })).toEqual([400, "the namespace of the provided object does not match the namespace sent on the request"]);
  });

  test("an eviction names the Pod of its path", () => {
    const eviction = { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "b" } };
    expect(last(post(PODS, podBody("a")), post(`${PODS}/a/eviction`, eviction))).toEqual([400, "name in URL does not match name in Eviction object"]);
  });
});

test("Events are listed from etcd, in pages even at resourceVersion 0", () => {
  const event = (name: string): object => ({ apiVersion: "v1", kind: "Event", metadata: { name, namespace: "default" }, involvedObject: { kind: "Pod", namespace: "default", name: "p" }, reason: "R", type: "Normal", source: { component: "c" } });
  const got = ask(...["a", "b", "c"].map((name) => post(`${NS}/events`, event(name))), { path: `${NS}/events`, query: { resourceVersion: "0", limit: "2" } }, { path: `${NS}/events` });
  expect([names(got[3]), names(got[4])]).toEqual([["a", "b"], ["a", "b", "c"]]);
});

describe("?timeout=", () => {
  test.each<readonly [string, string]>([["5", 'time: missing unit in duration "5"'], ["5y", 'time: unknown unit "y" in duration "5y"'], ["soon", 'time: invalid duration "soon"']])("%s is none", (timeout, text) => {
    expect(last({ path: PODS, query: { timeout } })).toEqual([400, `invalid timeout specified in the request URL - ${text}`]);
  });

  test.each<readonly [string, Call, string, number]>([
    ["a read gives up when it says", { path: `${PODS}/a`, query: { timeout: "3s" } }, "the server was unable to return a response in the time allotted, but may still be processing the request (get pods a)", 3],
    ["a write too", { ...post(PODS, podBody("a")), query: { timeout: "2s" } }, "Timeout: request did not complete within requested timeout - context deadline exceeded", 2],
  ])("%s", (_, call, message, seconds) => {
    const sim = run([stop(0, "etcd-1"), stop(0, "etcd-2"), http(5 * T, call)], 80 * T);
    const [{ at, asked, response } = { at: 0, asked: 0, response: undefined }] = state(sim).answers;
    expect([response?.status, (body(response) as unknown as Status).message, Math.round((at - asked) / T)]).toEqual([504, message, seconds]);
  });

  test.each<readonly [string, Partial<HttpRequest> & { readonly path: string }, boolean, number]>([
    ["a write", { method: "PUT", path: `${PODS}/a` }, true, 34], ["a write that asks for more", { method: "PUT", path: `${PODS}/a`, query: { timeout: "50s" } }, true, 34], ["a read", { path: PODS }, false, 60],
    ["0 is no wish", { path: PODS, query: { timeout: "0" } }, false, 60], ["a read that asks for less", { path: PODS, query: { timeout: "1m" } }, false, 60], ["a watch", { path: PODS, query: { watch: "true", timeout: "5s" } }, false, Number.POSITIVE_INFINITY],
    ["exec", { method: "POST", path: `${PODS}/a/exec` }, false, Number.POSITIVE_INFINITY],
  ])("the deadline of %s", (_, call, writing, seconds) => {
    const request: HttpRequest = { type: "http.request", method: "GET", headers: {}, credential: { kind: "none", name: "" }, ...call };
    const deadline = deadlineOf(requestInfo(request), request, writing, T);
    expect(deadline === NO_DEADLINE ? Number.POSITIVE_INFINITY : (deadline - T) / T).toBe(seconds);
  });
});
