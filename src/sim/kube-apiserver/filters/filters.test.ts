import { describe, expect, test } from "vitest";
import type { Credential, HttpRequest, HttpResponse } from "../../api/http.ts";
import { RBAC_GROUP } from "../../api/rbac.ts";
import type { KubeObject } from "../../api/types.ts";
import type { World } from "../../api/world.ts";
import { createEtcdMember } from "../../etcd/member.ts";
import { Simulation } from "../../kernel/simulation.ts";
import type { Component, Message } from "../../kernel/types.ts";
import { createKubectl } from "../../kubectl/kubectl.ts";
import { LATENCIES } from "../../latencies/registry.ts";
import { settledFlowControl } from "../flowcontrol/bootstrap.ts";
import { settledPolicy } from "../rbac/bootstrap-policy.ts";
import { createApiServer } from "../server.ts";
import type { ApiServerState } from "../state.ts";

const IDS = ["etcd-0", "etcd-1", "etcd-2"];
const T = 1_000_000;
const encoded = (text: string): string => btoa(text);

function worldOf(more: readonly KubeObject[], without: readonly string[] = []): World {
  const objects = [
    ...["default", "kube-system", "shop"].map((name): KubeObject => ({ apiVersion: "v1", kind: "Namespace", metadata: { name }, spec: { finalizers: ["kubernetes"] }, status: { phase: "Active" } })),
    { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "builder", namespace: "shop" } },
    ...settledPolicy(), ...settledFlowControl(0).filter(({ metadata }) => !without.includes(metadata.name ?? "")), ...more,
  ].map((object: KubeObject, i): KubeObject => ({ ...object, metadata: { uid: `uid-${i}`, resourceVersion: "100", creationTimestamp: "2025-12-01T00:00:00Z", ...object.metadata } }));
  return { name: "t", seed: 1, resourceVersion: "100", nodes: [], watches: [], clusterDomain: "cluster.local", serviceCIDR: "10.96.0.0/12", podCIDR: "10.244.0.0/16", dnsServiceIP: "10.96.0.10", objects };
}

interface Call {
  readonly at: number;
  readonly as: Credential | string;
  readonly method?: HttpRequest["method"];
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}
interface Answers {
  readonly got: readonly (readonly [at: number, mail: number, response: HttpResponse])[];
  readonly mails: readonly number[];
}

const ADMIN: Credential = { kind: "client-certificate", name: "admin", groups: ["system:masters"] };

const client: Component<Answers> = {
  id: "client", machine: "m", init: () => ({ got: [], mails: [] }),
  step(state, message, ctx) {
    if (message.type === "http.response") return { ...state, got: [...state.got, [ctx.now, (message as HttpResponse).request, message as HttpResponse]] };
    if (message.type !== "call") return state;
    const { as, method = "GET", path, body, headers } = (message as Message & { call: Call }).call;
    const credential: Credential = typeof as === "string" ? { kind: "client-certificate", name: as } : as;
    const request = { type: "http.request", method, path, credential, headers: { Accept: "application/json", "User-Agent": "test/1", ...headers }, ...(body === undefined ? {} : { body }) } as HttpRequest;
    return { ...state, mails: [...state.mails, ctx.send("kube-apiserver", request, { protocol: "HTTPS", latency: 100, verb: method })] };
  },
};

/** Runs calls and commands; the answers are in the order of the calls. */
function run(world: World, calls: readonly Call[], until: number, commands: readonly { readonly at: number; readonly argv: string }[] = [], dead: readonly string[] = []): { readonly answers: readonly (HttpResponse & { readonly at: number })[]; readonly printed: (at: number) => string; readonly state: ApiServerState } {
  const sim = Simulation.create({
    seed: 1, profile: "quiet", latencies: LATENCIES, components: [client, createKubectl({ world, user: "jane", groups: [], namespace: "shop" }), createApiServer({ world }), ...IDS.map((id) => createEtcdMember({ world, id, peers: IDS }))] as Component[],
    resolve: (input) => input.type === "die" ? dead.map((component) => ({ type: "stop", component, how: "machine" })) : [input.type === "call" ? { type: "deliver", to: "client", message: input as unknown as Message, verb: "call" } : { type: "deliver", to: "kubectl", message: { type: "kubectl.run", argv: (input as unknown as { argv: string }).argv.split(" "), files: {}, session: input.at } as Message, verb: "run" }],
  }, [{ at: 0, type: "die" }, ...calls.map((call) => ({ at: call.at, type: "call", call })), ...commands.map((command) => ({ ...command, type: "command" }))].toSorted((a, b) => a.at - b.at));
  sim.run(until);
  const { got, mails } = sim.stateAt("client", sim.now) as Answers;
  const logs = new Map(sim.trace.logNotes.map((note, i) => [note, sim.trace.logs[i]]));
  const printed = (at: number): string => sim.trace.noteData.map((data, note) => ((data as { session?: number } | undefined)?.session === at ? (logs.get(note)?.line ?? "") : "")).join("");
  const answers = mails.map((mail) => {
    const [at, , response] = got.find(([, request]) => request === mail) ?? [];
    return { at: at ?? -1, ...(response as HttpResponse) };
  });
  return { answers, printed, state: sim.stateAt("kube-apiserver", sim.now) as ApiServerState };
}

const PODS = "/api/v1/namespaces/shop/pods";
const message = (response: HttpResponse | undefined): string => (response?.body as { message?: string } | undefined)?.message ?? String(response?.body);

test("a user with a certificate is refused, and allowed once a RoleBinding names her", () => {
  const binding = { apiVersion: `${RBAC_GROUP}/v1`, kind: "RoleBinding", metadata: { name: "jane" }, subjects: [{ kind: "User", apiGroup: RBAC_GROUP, name: "jane" }], roleRef: { apiGroup: RBAC_GROUP, kind: "ClusterRole", name: "view" } };
  const { answers, printed } = run(worldOf([]), [{ at: T, as: "jane", path: PODS }, { at: 2 * T, as: ADMIN, method: "POST", path: `/apis/${RBAC_GROUP}/v1/namespaces/shop/rolebindings`, body: binding }, { at: 3 * T, as: "jane", path: PODS }, { at: 3 * T, as: "jane", path: "/api/v1/pods" }, { at: 4 * T, as: ADMIN, method: "DELETE", path: `/apis/${RBAC_GROUP}/v1/namespaces/shop/rolebindings/jane` }, { at: 5 * T, as: "jane", path: PODS }], 8 * T, [{ at: T, argv: "get pods" }, { at: 3 * T, argv: "get pods" }, { at: 3 * T + 1, argv: "auth can-i delete pods" }]);
  expect(answers.map(({ status }) => status)).toEqual([403, 201, 200, 403, 200, 403]);
  expect(printed(T)).toBe('Error from server (Forbidden): pods is forbidden: User "jane" cannot list resource "pods" in API group "" in the namespace "shop"\n');
  expect(printed(3 * T)).toBe("No resources found in shop namespace.\n");
  expect(printed(3 * T + 1)).toBe("no\n");
});

describe("authentication", () => {
  const bearer = (name: string): Credential => ({ kind: "bearer-token", name });
  const bootstrap = { apiVersion: "v1", kind: "Secret", metadata: { name: "bootstrap-token-abcdef", namespace: "kube-system" }, type: "bootstrap.kubernetes.io/token", data: Object.fromEntries(Object.entries({ "token-id": "abcdef", "token-secret": "0123456789abcdef", "usage-bootstrap-authentication": "true", "auth-extra-groups": "system:bootstrappers:kubeadm:default-node-token" }).map(([key, value]) => [key, encoded(value)])) } as KubeObject;
  const WHO = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
  const review = (at: number, as: Credential | string): Call => ({ at, as, method: "POST", path: WHO, body: {} });
  const name = (response: HttpResponse | undefined): unknown => (response?.body as { status?: { userInfo?: { username: string } } })?.status?.userInfo?.username;

  test.each<[Credential, number, unknown]>([
    [{ kind: "none", name: "" }, 403, undefined], [{ kind: "client-certificate", name: "jane", groups: ["devs"] }, 201, "jane"], [bearer("nonsense"), 401, undefined], [bearer("abcdef.0123456789abcdef"), 201, "system:bootstrap:abcdef"], [bearer("abcdef.0123456789abcdeX"), 401, undefined],
    [{ kind: "service-account-token", name: "system:serviceaccount:shop:builder" }, 201, "system:serviceaccount:shop:builder"], [{ kind: "service-account-token", name: "system:serviceaccount:shop:nobody" }, 401, undefined],
  ])("%j: %i", (credential, status, who) => {
    const [answer] = run(worldOf([bootstrap]), [review(T, credential)], 2 * T).answers;
    expect([answer?.status, name(answer)]).toEqual([status, who]);
  });

  const asked = (more: object = {}): string => (run(worldOf([]), [{ at: T, as: ADMIN, method: "POST", path: "/api/v1/namespaces/shop/serviceaccounts/builder/token", body: { spec: { expirationSeconds: 600, ...more } } }], 2 * T).answers[0]?.body as { status?: { token: string } } | undefined)?.status?.token ?? "";

  test("a service account's token ends with its time, its audience and its account", () => {
    const token = bearer(asked());
    const later = run(worldOf([]), [review(3 * T, token), review(590 * T, token), review(603 * T, token)], 610 * T).answers;
    expect(later.map(({ status }) => status)).toEqual([201, 201, 401]);
    expect(run(worldOf([]), [review(3 * T, bearer(asked({ audiences: ["vault"] })))], 5 * T).answers[0]?.status).toBe(401);
    expect(run(worldOf([]), [review(3 * T, bearer(`${token.name}x`))], 5 * T).answers[0]?.status).toBe(401);
    // A token that was good a moment ago is not looked at again for 10 s.
    const gone = run(worldOf([]), [review(3 * T, token), { at: 4 * T, as: ADMIN, method: "DELETE", path: "/api/v1/namespaces/shop/serviceaccounts/builder" }, review(5 * T, token), review(14 * T, token)], 16 * T).answers;
    expect(gone.map(({ status }) => status)).toEqual([201, 200, 201, 401]);
  });
});

describe("priority and fairness", () => {
  // One seat for ordinary users: 1 share of 600.
  const level = (queueLengthLimit: number): KubeObject => ({ apiVersion: "flowcontrol.apiserver.k8s.io/v1", kind: "PriorityLevelConfiguration", metadata: { name: "global-default" }, spec: { type: "Limited", limited: { nominalConcurrencyShares: 1, lendablePercent: 0, limitResponse: { type: "Queue", queuing: { queues: 1, handSize: 1, queueLengthLimit } } } } }) as KubeObject;
  const many: KubeObject = { apiVersion: "flowcontrol.apiserver.k8s.io/v1", kind: "PriorityLevelConfiguration", metadata: { name: "many" }, spec: { type: "Limited", limited: { nominalConcurrencyShares: 100_000, limitResponse: { type: "Reject" } } } } as KubeObject;
  const viewers = { apiVersion: `${RBAC_GROUP}/v1`, kind: "ClusterRoleBinding", metadata: { name: "viewers" }, subjects: ["eve", "jane"].map((name) => ({ kind: "User", name })), roleRef: { apiGroup: RBAC_GROUP, kind: "ClusterRole", name: "view" } } as KubeObject;
  const world = worldOf([level(2), many, viewers], ["global-default"]);
  const withSchema = { ...world, objects: [...world.objects, ...settledFlowControl(0).filter(({ kind, metadata }) => kind === "FlowSchema" && metadata.name === "global-default").map((object): KubeObject => ({ ...object, metadata: { ...object.metadata, uid: "fs", resourceVersion: "100" } }))] };
  const get = (at: number, as: Credential | string): Call => ({ at, as, path: "/version" });

  test("one is served, two wait their turn, the fourth is told to come back; masters are exempt", () => {
    const { answers, state } = run(withSchema, [get(T, "ann"), get(T + 1, "ann"), get(T + 2, "bob"), get(T + 3, "eve"), get(T + 4, ADMIN)], 3 * T);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429, 200]);
    expect(message(answers[3])).toBe("Too many requests, please try again later.");
    expect(answers[3]?.headers?.["Retry-After"]).toBe("1");
    const [first = 0, second = 0, third = 0] = answers.map(({ at }) => at);
    expect(first < second && second < third).toBe(true);
    expect(state.seats["global-default"]).toBe(0);
    expect(state.queues.size).toBe(0);
  });

  test("who waits for 15 s in vain gets 429; kubectl comes back ten times and then says so", () => {
    // etcd does not answer, so the one seat stays taken.
    const stuck: Call = { at: T, as: "eve", path: `${PODS}/x` };
    const queued = run(withSchema, [stuck, get(2 * T, "ann")], 20 * T, [], IDS).answers[1];
    expect([queued?.status, Math.round((queued?.at ?? 0) / T)]).toEqual([429, 17]);
    const none: KubeObject = { ...level(5), spec: { type: "Limited", limited: { nominalConcurrencyShares: 0, limitResponse: { type: "Reject" } } } };
    const blocked = { ...withSchema, objects: withSchema.objects.map((object) => (object.metadata.name === "global-default" && object.kind === "PriorityLevelConfiguration" ? { ...none, metadata: object.metadata } : object)) };
    const { printed } = run(blocked, [stuck], 30 * T, [{ at: 2 * T, argv: "get pods x" }], IDS);
    expect(printed(2 * T)).toBe("Error from server (TooManyRequests): the server has received too many requests and has asked us to try again later (get pods x)\n");
  });

  test("mandatory and suggested objects are restored within a minute, and what dangles says so", () => {
    const at = "/apis/flowcontrol.apiserver.k8s.io/v1";
    const { answers } = run(worldOf([]), [{ at: T, as: ADMIN, method: "DELETE", path: `${at}/prioritylevelconfigurations/catch-all` }, { at: 2 * T, as: ADMIN, path: `${at}/flowschemas/catch-all` }, { at: 3 * T, as: ADMIN, path: `${at}/prioritylevelconfigurations/catch-all` }, { at: 62 * T, as: ADMIN, path: `${at}/prioritylevelconfigurations/catch-all` }, { at: 62 * T, as: ADMIN, path: `${at}/flowschemas/catch-all` }], 65 * T);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 404, 200, 200]);
    const dangling = (response: HttpResponse | undefined): unknown => (response?.body as { status?: { conditions?: { status: string }[] } } | undefined)?.status?.conditions?.[0]?.status;
    expect([dangling(answers[1]), dangling(answers[4])]).toEqual(["True", "False"]);
  });
});

describe("media types and methods", () => {
  test.each<[Partial<Call>, number, string]>([
    [{ headers: { Accept: "text/html" } }, 406, "only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf, application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch"],
    [{ method: "POST", body: {}, headers: { "Content-Type": "text/plain" } }, 415, "the body of the request was in an unknown format - accepted media types include: application/json, application/yaml, application/vnd.kubernetes.protobuf"],
    [{ method: "PATCH", path: `${PODS}/x`, body: {}, headers: { "Content-Type": "application/json" } }, 415, "the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/strategic-merge-patch+json, application/apply-patch+yaml"],
    [{ path: "/nope" }, 404, "the server could not find the requested resource"],
    [{ method: "POST", body: { pad: "x".repeat(3_145_800) }, headers: { "User-Agent": "kubectl/v1.36.3" } }, 413, "Request entity too large: limit is 3145728"],
  ])("%#", (call, status, text) => {
    const [answer] = run(worldOf([]), [{ at: T, as: ADMIN, path: PODS, ...call }], 3 * T).answers;
    expect([answer?.status, message(answer)]).toEqual([status, text]);
  });
});
