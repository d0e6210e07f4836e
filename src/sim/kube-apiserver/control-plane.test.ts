import { describe, expect, test } from "vitest";
import type { HttpRequest, HttpResponse } from "../api/http.ts";
import type { MemberState } from "../etcd/member-state.ts";
import { run, http, kubectl, fault, stop, start, state, answers, body, printed, podBody, PODS, T, type Call, type Op } from "../testdata/control-plane.ts";

const NGINX = `apiVersion: v1
kind: Pod
metadata: {name: nginx, labels: {app: nginx}}
spec:
  nodeSelector: {disktype: ssd}
  containers:
    - name: nginx
      image: nginx:1.27
      ports: [{containerPort: 80}]
      resources: {requests: {cpu: 250m, memory: 128Mi}, limits: {cpu: 500m, memory: 256Mi}}
      readinessProbe: {httpGet: {path: /, port: 80}, periodSeconds: 5}
---
apiVersion: v1
kind: Service
metadata: {name: nginx}
spec: {selector: {app: nginx}, ports: [{port: 80, targetPort: 80}]}
`;
describe("kubectl apply of the sample", () => {
  const sim = run([kubectl(T, "apply -f nginx.yaml", { "nginx.yaml": NGINX }), kubectl(2 * T, "apply -f nginx.yaml", { "nginx.yaml": NGINX }), kubectl(3 * T, "get pods"), kubectl(4 * T, "get pod nginx -o yaml"), kubectl(5 * T, "get svc nginx -o name"), kubectl(6 * T, "apply -f nginx.yaml", { "nginx.yaml": NGINX.replace("nginx:1.27", "nginx:1.28") })], 8 * T);

  test("creates both objects and says so", () => {
    expect(printed(sim, T)).toMatchObject({ out: "pod/nginx created\nservice/nginx created\n", err: "", code: 0 });
    expect(printed(sim, 2 * T)).toMatchObject({ out: "pod/nginx unchanged\nservice/nginx unchanged\n", code: 0 });
    expect(printed(sim, 3 * T).out).toBe("NAME    READY   STATUS    RESTARTS   AGE\nnginx   0/1     Pending   0          2s\n");
    expect(printed(sim, 5 * T).out).toBe("service/nginx\n");
    expect(printed(sim, 6 * T)).toMatchObject({ out: "pod/nginx configured\nservice/nginx unchanged\n", err: "", code: 0 });
  });

  test("the stored Pod is defaulted, admitted and completed", () => {
    const text = printed(sim, 4 * T).out;
    for (const line of ["  qosClass: Burstable", "  serviceAccountName: default", "    tolerationSeconds: 300", "  priority: 0", "  preemptionPolicy: PreemptLowerPriority", "  terminationGracePeriodSeconds: 30", "  generation: 1", "  - image: nginx:1.27", '  resourceVersion: "101"']) expect(text).toContain(line);
    expect(text).toMatch(/name: kube-api-access-[b-z2-9]{5}/);
    expect(text).not.toContain("managedFields");
  });

  test("times are the measured ones", () => {
    const post = sim.trace.payloads.findIndex((p) => (p as HttpRequest).type === "http.request" && (p as HttpRequest).method === "POST");
    const received = sim.trace.mail.dueAt.get(post);
    const answer = sim.trace.payloads.findIndex((p) => (p as HttpResponse).type === "http.response" && (p as HttpResponse).request === post);
    expect((received - T) / 1000).toBeGreaterThan(94);
    expect((received - T) / 1000).toBeLessThan(99);
    const took = sim.trace.mail.sentAt.get(answer) - received;
    expect(took).toBeGreaterThan(3_300);
    expect(took).toBeLessThan(3_900);
    // POST 201 -> a watcher sees the Pod.
    const seen = state(sim).events[0];
    expect((seen?.at ?? 0) - sim.trace.mail.sentAt.get(answer)).toBeGreaterThan(400);
    expect((seen?.at ?? 0) - sim.trace.mail.sentAt.get(answer)).toBeLessThan(1_200);
  });

  test("a reader sees the gates and one revision a write", () => {
    const gates = sim.trace.noteData.map((d) => (d as { gate?: string } | undefined)?.gate).filter((g) => g !== undefined);
    for (const gate of ["Authentication", "PriorityAndFairness", "Authorization", "Defaulting", "MutatingAdmission", "ServiceAccount", "DefaultTolerationSeconds", "Validation", "ValidatingAdmission", "Storage"]) expect(gates).toContain(gate);
    expect(sim.trace.revisions.map((r) => `${r.verb} ${r.key}`)).toEqual(["create /registry/pods/default/nginx", "create /registry/services/specs/default/nginx", "update /registry/pods/default/nginx"]);
  });
});

describe("API semantics", () => {
  test.each([
    { name: "404", call: { path: `${PODS}/nope` }, status: 404, message: 'pods "nope" not found' },
    { name: "unknown resource", call: { path: "/api/v1/namespaces/default/foos/x" }, status: 404, message: "the server could not find the requested resource" },
    { name: "missing namespace", call: { method: "POST", path: "/api/v1/namespaces/nope/pods", body: podBody("a") }, status: 404, message: 'namespaces "nope" not found' },
    { name: "unknown field", call: { method: "POST", path: PODS, query: { fieldValidation: "Strict" }, body: podBody("a", { replicas: 1 }) }, status: 400, message: 'Pod in version "v1" cannot be handled as a Pod: strict decoding error: unknown field "spec.replicas"' },
    { name: "invalid", call: { method: "POST", path: PODS, body: podBody("My_Pod") }, status: 422, message: /^Pod "My_Pod" is invalid: metadata.name: Invalid value: "My_Pod": a lowercase RFC 1123 subdomain/ },
    { name: "forbidden", call: { path: PODS, user: "alice" }, status: 403, message: 'pods is forbidden: User "alice" cannot list resource "pods" in API group "" in the namespace "default"' },
    { name: "immortal", call: { method: "DELETE", path: "/api/v1/namespaces/default" }, status: 403, message: 'namespaces "default" is forbidden: this namespace may not be deleted' },
    { name: "service account missing", call: { method: "POST", path: PODS, body: podBody("a", { serviceAccountName: "nope" }) }, status: 403, message: 'pods "a" is forbidden: error looking up service account default/nope: serviceaccount "nope" not found' },
  ] as const)("$name", ({ call, status, message }) => {
    const [answer] = answers(run([http(T, call as Call)], 3 * T));
    expect(answer?.status).toBe(status);
    if (typeof message === "string") expect(body(answer).message).toBe(message);
    else expect(body(answer).message).toMatch(message);
  });

  test("create twice, stale PUT, PATCH retries over a race, binding twice", () => {
    const bind = { apiVersion: "v1", kind: "Binding", metadata: { name: "a", namespace: "default" }, target: { kind: "Node", name: "n1" } };
    const sim = run([
      http(T, { method: "POST", path: PODS, body: podBody("a") }),
      http(T + 10_000, { method: "POST", path: PODS, body: podBody("a") }),
      http(T + 20_000, { method: "POST", path: `${PODS}/a/binding`, body: bind }),
      http(T + 30_000, { method: "POST", path: `${PODS}/a/binding`, body: bind }),
      // Two patches in one moment: the second finds the first's revision and applies itself again.
      http(T + 40_000, { method: "PATCH", path: `${PODS}/a/status`, body: { status: { phase: "Running" } } }),
      http(T + 40_050, { method: "PATCH", path: `${PODS}/a/status`, body: { status: { podIP: "10.244.1.2" } } }),
      http(T + 60_000, { method: "PUT", path: `${PODS}/a/status`, body: { ...podBody("a"), metadata: { name: "a", namespace: "default", resourceVersion: "101" }, status: { phase: "Failed" } } }),
      http(T + 80_000, { path: `${PODS}/a` }),
    ], 3 * T);
    const got = answers(sim);
    expect(got.map((a) => a.status)).toEqual([201, 409, 201, 409, 200, 200, 409, 200]);
    expect(body(got[1]).message).toBe('pods "a" already exists');
    expect(body(got[3]).message).toBe('Operation cannot be fulfilled on pods/binding "a": pod a is already assigned to node "n1"');
    expect(body(got[6]).message).toBe('Operation cannot be fulfilled on pods "a": the object has been modified; please apply your changes to the latest version and try again');
    expect(body(got[7])).toMatchObject({ metadata: { labels: { "topology.kubernetes.io/zone": "a" } }, spec: { nodeName: "n1" }, status: { phase: "Running", podIP: "10.244.1.2", conditions: [{ type: "PodScheduled", status: "True" }] } });
    const { events } = state(sim);
    const all = events.filter((e) => e.message.stream === "client/pods").map((e) => e.message.event.type);
    const node = events.filter((e) => e.message.stream.includes("nodeName")).map((e) => e.message.event.type);
    expect(all).toEqual(["ADDED", "MODIFIED", "MODIFIED", "MODIFIED"]);
    expect(node).toEqual(["ADDED", "MODIFIED", "MODIFIED"]);
  });

  test("measured durations of binding, status PATCH and slice PUT", () => {
    const slice = { apiVersion: "discovery.k8s.io/v1", kind: "EndpointSlice", metadata: { name: "s", namespace: "default" }, addressType: "IPv4", endpoints: [] as unknown[], ports: [] };
    const SLICES = "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices";
    const sim = run([
      http(T, { method: "POST", path: PODS, body: podBody("a") }), http(T, { method: "POST", path: SLICES, body: slice }),
      http(T + 20_000, { method: "POST", path: `${PODS}/a/binding`, body: { apiVersion: "v1", kind: "Binding", metadata: { name: "a" }, target: { kind: "Node", name: "n1" } } }),
      http(T + 40_000, { method: "PATCH", path: `${PODS}/a/status`, body: { status: { phase: "Running" } } }),
      http(T + 60_000, { method: "PUT", path: `${SLICES}/s`, body: { ...slice, endpoints: [{ addresses: ["10.244.1.2"] }] } }),
      http(T + 80_000, { path: `${PODS}/a` }),
    ], 3 * T);
    const took = (asked: number): number => {
      const found = state(sim).answers.find((a) => a.asked === asked + 120);
      return found === undefined ? -1 : (found.at - found.asked) / 1000;
    };
    const near = (value: number, want: number): void => expect(Math.abs(value - want)).toBeLessThan(0.15);
    near(took(T + 20_000), 2.99);
    near(took(T + 40_000), 4.2);
    near(took(T + 60_000), 2.65);
    near(took(T + 80_000), 1.58);
  });

  test("graceful deletion: marked, shortened, removed by the kubelet; unscheduled Pods go at once", () => {
    const sim = run([
      http(T, { method: "POST", path: PODS, body: podBody("a") }), http(T, { method: "POST", path: PODS, body: podBody("b", { nodeName: "n1" }) }),
      http(T + 20_000, { method: "DELETE", path: `${PODS}/a` }), http(T + 20_000, { method: "DELETE", path: `${PODS}/b` }),
      http(T + 40_000, { method: "DELETE", path: `${PODS}/b`, body: { gracePeriodSeconds: 5 } }),
      http(T + 60_000, { method: "DELETE", path: `${PODS}/b`, body: { gracePeriodSeconds: 0, preconditions: { uid: "other" } } }),
      http(T + 80_000, { method: "DELETE", path: `${PODS}/b`, body: { gracePeriodSeconds: 0 } }),
      http(T + 100_000, { path: `${PODS}/b` }),
    ], 3 * T);
    const got = answers(sim);
    expect(got.slice(2).map((a) => a.status)).toEqual([200, 200, 200, 409, 200, 404]);
    const marked = got.filter((a) => body(a).metadata?.name === "b" && body(a).metadata.deletionTimestamp !== undefined);
    expect(marked.map((a) => body(a).metadata.deletionGracePeriodSeconds)).toEqual([30, 5, 5]);
    expect(body(marked[0]).metadata.generation).toBe(2);
    expect(state(sim).events.filter((e) => e.message.event.type === "DELETED" && e.message.stream === "client/pods")).toHaveLength(2);
  });

  test("lists and watches", () => {
    const sim = run([
      http(T, { method: "POST", path: PODS, body: podBody("a") }),
      http(T + 20_000, { path: "/api/v1/pods" }),
      http(T + 20_000, { path: "/api/v1/pods", query: { resourceVersion: "0", fieldSelector: "spec.nodeName=n1" } }),
      http(T + 20_000, { path: "/api/v1/pods", query: { watch: "true", resourceVersion: "100" }, stream: "w1" }),
      http(T + 20_000, { path: "/api/v1/pods", query: { watch: "true", resourceVersion: "50" }, stream: "w2" }),
      http(T + 20_000, { path: "/api/v1/pods", query: { fieldSelector: "spec.foo=1" } }),
    ], 3 * T);
    const lists = answers(sim).filter((a) => body(a).kind === "PodList");
    expect(lists.map((l) => body(l).items?.length).sort()).toEqual([0, 1]);
    expect(lists.every((l) => body(l).metadata.resourceVersion === "101")).toBe(true);
    const streams = state(sim).events;
    expect(streams.filter((e) => e.message.stream === "w1").map((e) => e.message.event.type)).toEqual(["ADDED"]);
    expect(streams.filter((e) => e.message.stream === "w2").map((e) => (e.message.event.object as { message?: string }).message)).toEqual(["too old resource version: 50 (100)"]);
    expect(answers(sim).find((a) => a.status === 400)?.body).toMatchObject({ message: "field label not supported: spec.foo" });
  });

  test("a restarted server fills its caches from etcd before it answers", () => {
    const sim = run([http(T, { method: "POST", path: PODS, body: podBody("a") }), stop(2 * T, "kube-apiserver"), start(3 * T, "kube-apiserver"), http(3 * T + 100, { path: "/api/v1/pods" })], 5 * T);
    expect(body(answers(sim).at(-1)).items).toHaveLength(1);
  });
});

describe("kubectl errors", () => {
  const file = (yaml: string): Record<string, string> => ({ "y.yaml": yaml });
  const POD = "apiVersion: v1\nkind: Pod\nmetadata: {name: ok}\nspec: {containers: [{name: c, image: nginx}]}\n";
  test.each([
    { name: "missing file", command: "apply -f nope.yaml", files: {}, err: 'error: the path "nope.yaml" does not exist\n' },
    { name: "no apiVersion", command: "apply -f y.yaml", files: file("kind: Pod\nmetadata: {name: a}\n"), err: 'error: error validating "y.yaml": error validating data: apiVersion not set; if you choose to ignore these errors, turn validation off with --validate=false\n' },
    { name: "unknown kind", command: "apply -f y.yaml", files: file("apiVersion: apps/v1\nkind: Deploymnt\nmetadata: {name: p1}\n"), err: 'error: resource mapping not found for name: "p1" namespace: "" from "y.yaml": no matches for kind "Deploymnt" in version "apps/v1"\nensure CRDs are installed first\n' },
    { name: "unknown field", command: "apply -f y.yaml", files: file(POD.replace("spec: {", "spec: {replicas: 1, ")), err: 'Error from server (BadRequest): error when creating "y.yaml": Pod in version "v1" cannot be handled as a Pod: strict decoding error: unknown field "spec.replicas"\n' },
    { name: "YAML 1.1 booleans", command: "apply -f y.yaml", files: file(POD.replace("name: ok", "name: no")), err: /^Error from server \(BadRequest\): error when creating "y.yaml": .*cannot unmarshal bool/ },
    { name: "422", command: "create -f y.yaml", files: file(POD.replace("image: nginx", "image: ''")), err: 'The Pod "ok" is invalid: spec.containers[0].image: Required value\n' },
    { name: "empty", command: "apply -f y.yaml", files: file("# nothing\n"), err: "error: no objects passed to apply\n" },
    { name: "unknown type", command: "get foo", files: {}, err: 'error: the server doesn\'t have a resource type "foo"\n' },
    { name: "not found", command: "get pod nope", files: {}, err: 'Error from server (NotFound): pods "nope" not found\n' },
    { name: "delete not found", command: "delete pod nope", files: {}, err: 'Error from server (NotFound): pods "nope" not found\n' },
    { name: "namespace", command: "apply -f y.yaml -n default", files: file(POD.replace("name: ok", "name: ok, namespace: other")), err: "error: the namespace from the provided object \"other\" does not match the namespace \"default\". You must pass '--namespace=other' to perform this operation.\n" },
    { name: "syntax", command: "apply -f y.yaml", files: file("a: b\nc: [1, 2\nd: e\n"), err: /^error: error parsing y.yaml: error converting YAML to JSON: yaml: line \d+: / },
  ])("$name", ({ command, files, err }) => {
    const got = printed(run([kubectl(T, command, files)], 4 * T), T);
    expect(got.code).toBe(1);
    if (typeof err === "string") expect(got.err).toBe(err);
    else expect(got.err).toMatch(err);
  });

  test("an empty list is no error; a bad document does not stop the good ones", () => {
    const sim = run([kubectl(T, "get pods"), kubectl(2 * T, "apply -f y.yaml", file(`${POD.replace("name: c", "name: C_1")}---\n${POD.replace("name: ok", "name: ok2")}`)), kubectl(3 * T, "apply --dry-run=server -f y.yaml", file(POD)), kubectl(4 * T, "get pods -o name")], 6 * T);
    expect(printed(sim, T)).toMatchObject({ out: "", err: "No resources found in default namespace.\n", code: 0 });
    expect(printed(sim, 2 * T)).toMatchObject({ out: "pod/ok2 created\n", code: 1 });
    expect(printed(sim, 2 * T).err).toMatch(/^The Pod "ok" is invalid: spec.containers\[0\].name: Invalid value: "C_1"/);
    expect(printed(sim, 3 * T)).toMatchObject({ out: "pod/ok created (server dry run)\n", code: 0 });
    expect(printed(sim, 4 * T).out).toBe("pod/ok2\n");
  });

  test("delete waits until the object is gone", () => {
    const sim = run([http(T, { method: "POST", path: PODS, body: podBody("b", { nodeName: "n1" }) }), kubectl(2 * T, "delete pod b"), http(4 * T, { method: "DELETE", path: `${PODS}/b`, body: { gracePeriodSeconds: 0 } })], 6 * T);
    expect(printed(sim, 2 * T)).toMatchObject({ out: 'pod "b" deleted from default namespace\n', code: 0 });
    expect(printed(sim, 2 * T).at).toBeGreaterThan(4 * T);
  });

  test("commands that read, patch and say one line", () => {
    const sim = run([kubectl(T, "apply -f y.yaml", file(POD)), kubectl(2 * T, "label pod ok a=b"), kubectl(3 * T, "label pod ok a=c"), kubectl(4 * T, "cordon n1"), kubectl(5 * T, "uncordon n1"), kubectl(6 * T, "get pods --show-labels"), kubectl(7 * T, "delete -f y.yaml", file(POD)), kubectl(8 * T, "describe pod ok")], 10 * T);
    expect(printed(sim, 2 * T).out).toBe("pod/ok labeled\n");
    expect(printed(sim, 3 * T).err).toBe("error: 'a' already has a value (b), and --overwrite is false\n");
    expect(printed(sim, 4 * T).out + printed(sim, 5 * T).out).toBe("node/n1 cordoned\nnode/n1 uncordoned\n");
    expect(printed(sim, 6 * T).out).toContain("LABELS\nok     0/1     Pending   0          5s    a=b\n");
    expect(printed(sim, 7 * T)).toMatchObject({ out: 'pod "ok" deleted from default namespace\n', code: 0 });
    expect(printed(sim, 8 * T)).toMatchObject({ err: 'Error from server (NotFound): pods "ok" not found\n', code: 1 });
  });

  test("events posted as events.k8s.io/v1 are found as core/v1", () => {
    const event = { apiVersion: "events.k8s.io/v1", kind: "Event", metadata: { name: "e", namespace: "default" }, eventTime: "2026-01-01T00:00:01.000000Z", regarding: { kind: "Pod", name: "ok", namespace: "default" }, note: "hello", reason: "Tested", action: "Testing", type: "Normal", reportingController: "test", reportingInstance: "t" };
    const sim = run([http(T, { method: "POST", path: "/apis/events.k8s.io/v1/namespaces/default/events", body: event }), http(2 * T, { path: "/api/v1/namespaces/default/events", query: { fieldSelector: "involvedObject.name=ok" } })], 3 * T);
    const [created, list] = answers(sim);
    expect(created?.status).toBe(201);
    expect(created?.body).toMatchObject({ apiVersion: "events.k8s.io/v1", regarding: { name: "ok" }, note: "hello" });
    expect(body(list).items).toMatchObject([{ apiVersion: "v1", involvedObject: { name: "ok" }, message: "hello", reportingComponent: "test" }]);
  });

  test("a policy's denial", () => {
    const api = "/apis/admissionregistration.k8s.io/v1";
    const registered = (kind: string, spec: object): object => ({ apiVersion: "admissionregistration.k8s.io/v1", kind, metadata: { name: "no-latest" }, spec });
    const rule = { operations: ["CREATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["pods"] };
    const sim = run([
      http(T, { method: "POST", path: `${api}/validatingadmissionpolicies`, body: registered("ValidatingAdmissionPolicy", { matchConstraints: { resourceRules: [rule] }, validations: [{ expression: "object.spec.containers.all(c, !c.image.endsWith(':latest'))", message: "latest tag is not allowed" }] }) }),
      http(T, { method: "POST", path: `${api}/validatingadmissionpolicybindings`, body: registered("ValidatingAdmissionPolicyBinding", { policyName: "no-latest", validationActions: ["Deny"] }) }),
      kubectl(2 * T, "apply -f y.yaml", file(POD.replace("image: nginx", "image: nginx:latest"))),
    ], 4 * T);
    expect(answers(sim).map((a) => a.status)).toEqual([201, 201]);
    expect(printed(sim, 2 * T)).toMatchObject({ code: 1, err: `The pods "ok" is invalid: : ValidatingAdmissionPolicy 'no-latest' with binding 'no-latest' denied request: latest tag is not allowed\n` });
  });

  test("refused connection, RBAC", () => {
    const sim = run([fault(T, "authz.denied", { user: "kubernetes-admin", verb: "create", resource: "pods", namespace: "default" }), kubectl(T + 1, "apply -f y.yaml", file(POD)), kubectl(2 * T, "get pods")], 4 * T);
    expect(printed(sim, T + 1).err).toBe('Error from server (Forbidden): error when creating "y.yaml": pods is forbidden: User "kubernetes-admin" cannot create resource "pods" in API group "" in the namespace "default"\n');
    const down = run([stop(T, "kube-apiserver"), kubectl(T + 1, "get pods")], 4 * T);
    expect(printed(down, T + 1).err).toBe("The connection to the server 10.0.0.11:6443 was refused - did you specify the right host or port?\n");
  });
});

describe("etcd trouble through the API server", () => {
  test("leader crash: a gap of 1 to 2 s, writes in it fail after 7 s, nothing acknowledged is lost", () => {
    const ops: Op[] = [];
    for (let i = 0; i < 200; i++) ops.push(http(T + i * 20_000, { method: "POST", path: "/api/v1/namespaces/default/configmaps", body: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: `c${i}` } } }));
    const sim = run([...ops, stop(2 * T, "etcd-0"), http(2 * T + 100_000, { path: "/api/v1/namespaces/default/serviceaccounts/default" })], 16 * T);
    const all = state(sim).answers;
    const ok = all.filter((a) => a.response.status === 201);
    const times = ok.map((a) => a.at).sort((a, b) => a - b);
    const gap = Math.max(...times.map((t, i) => (i === 0 ? 0 : t - (times[i - 1] ?? 0))));
    expect(gap).toBeGreaterThan(900_000);
    expect(gap).toBeLessThan(1_950_000);
    const failed = all.filter((a) => a.response.status === 500);
    expect(failed.length).toBeGreaterThan(20);
    expect(failed.filter((a) => body(a.response).message?.startsWith("etcdserver: request timed out")).every((a) => a.at - a.asked > 7_000_000 && a.at - a.asked < 7_100_000)).toBe(true);
    const read = all.find((a) => body(a.response).kind === "ServiceAccount");
    expect(read?.response.status).toBe(200);
    expect((read?.at ?? 0) - (read?.asked ?? 0)).toBeGreaterThan(700_000);
    const keys = (sim.stateAt("etcd-1", sim.now) as MemberState).store.keys;
    for (const a of ok) expect(keys.has(`/registry/configmaps/default/${body(a.response).metadata.name}`)).toBe(true);
  });

  test("quorum lost: writes end after 34 s, reads after 60 s, lists from the cache go on; a write on its way when it happened after 7 s", () => {
    const sim = run([
      stop(T, "etcd-1"), stop(T, "etcd-2"),
      http(T + 100_000, { method: "POST", path: PODS, body: podBody("early") }),
      http(5 * T, { method: "POST", path: PODS, body: podBody("a") }),
      http(5 * T, { path: `${PODS}/a` }),
      http(6 * T, { path: "/api/v1/pods", query: { resourceVersion: "0" } }),
    ], 70 * T);
    const found = state(sim).answers.map(({ at, asked, response }) => `${asked / T}: ${Math.floor((at - asked) / T)} s ${response.status} ${body(response).message ?? ""}`);
    expect(found).toEqual([
      "6.00012: 0 s 200 ",
      "1.10012: 7 s 500 etcdserver: request timed out",
      "5.00012: 34 s 504 Timeout: request did not complete within requested timeout - context deadline exceeded",
      "5.00012: 60 s 504 the server was unable to return a response in the time allotted, but may still be processing the request (get pods a)",
    ]);
  });

  test("a dead etcd machine is noticed by its silence, then another member serves", () => {
    const make = (at: number, name: string): Op => http(at, { method: "POST", path: "/api/v1/namespaces/default/configmaps", body: { apiVersion: "v1", kind: "ConfigMap", metadata: { name } } });
    const sim = run([stop(T, "etcd-0", "machine"), make(2 * T, "lost"), http(2 * T, { path: `${PODS}/a` }), make(20 * T, "later")], 25 * T);
    const find = (asked: number, status: number): boolean => state(sim).answers.some((a) => a.asked === asked + 120 && a.response.status === status);
    expect(find(2 * T, 500)).toBe(true);
    expect(find(2 * T, 404)).toBe(true);
    expect(find(20 * T, 201)).toBe(true);
    expect((sim.stateAt("kube-apiserver", sim.now) as { member: string }).member).toBe("etcd-1");
  });

  test("a restarted etcd leader comes back as a follower and catches up; the watches never missed a revision", () => {
    const make = (at: number, name: string): Op => http(at, { method: "POST", path: PODS, body: podBody(name) });
    const sim = run([make(T, "a"), stop(2 * T, "etcd-0"), make(6 * T, "b"), start(7 * T, "etcd-0"), make(8 * T, "c")], 10 * T);
    const seen = state(sim).events.filter((e) => e.message.stream === "client/pods").map((e) => e.message.event.object.metadata.name);
    expect(seen).toEqual(["a", "b", "c"]);
    expect((sim.stateAt("etcd-0", sim.now) as MemberState).store.revision).toBe(103);
    expect(sim.trace.revisions.map((r) => r.revision)).toEqual([101, 102, 103]);
  });

  test("the same inputs give the same run", () => {
    const ops = [kubectl(T, "apply -f nginx.yaml", { "nginx.yaml": NGINX }), stop(T + 97_000, "etcd-0")];
    const a = run(ops, 4 * T, true);
    const b = run(ops, 4 * T, true);
    expect(a.trace.events.hash.get(a.trace.eventCount - 1)).toBe(b.trace.events.hash.get(b.trace.eventCount - 1));
  });
});
