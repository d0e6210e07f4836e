import { describe, expect, test } from "vitest";
import { base64Decode } from "../../api/base64.ts";
import { rfc3339 } from "../../api/time.ts";
import type { KubeObject } from "../../api/types.ts";
import { notAfterOf, parseRequest, pemBlock } from "../../api/x509.ts";
import { http, type Op, requestsOf, runWith, stored, T } from "../../testdata/control-plane.ts";
import type { ControllerEntry } from "../registry.ts";
import type { CertificateSigningRequest } from "./certificate-request.ts";
import { createCSRApprovingController, csrApprovingWatches } from "./csr-approving-controller.ts";
import { createCSRCleanerController, csrCleanerWatches } from "./csr-cleaner-controller.ts";
import { createCSRSigningController, csrSigningWatches } from "./csr-signing-controller.ts";

const SIGNING: ControllerEntry = { watches: csrSigningWatches, create: createCSRSigningController as never };
const APPROVING: ControllerEntry = { watches: csrApprovingWatches, create: createCSRApprovingController as never };
const CLEANER: ControllerEntry = { watches: csrCleanerWatches, create: createCSRCleanerController as never };
const CSRS = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
/** Made by openssl req: O=system:nodes, CN=system:node:n1. */
const NODE = "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIck1JR1NBZ0VBTURBeEZUQVRCZ05WQkFvTURITjVjM1JsYlRwdWIyUmxjekVYTUJVR0ExVUVBd3dPYzNsegpkR1Z0T201dlpHVTZiakV3V1RBVEJnY3Foa2pPUFFJQkJnZ3Foa2pPUFFNQkJ3TkNBQVJFUXQ3NW9IcURkNDF1CjlySW1Id1EvanNpdkFobnVCSk5OanFqalpkbE5PZ1AyaTZTeDdJWWRRaHdZZXcxdm5nMUc1aHVFa1JpYm1GbFgKRmdnaCtVVnZvQUF3Q2dZSUtvWkl6ajBFQXdJRFNBQXdSUUlnTmI5OVBzbnJpQ1JCektQZWtvZmxtU2xxYTE3SwpHVlc5ZjMzQmpZdDNJRDBDSVFDdUtuNGthTlgxcC9wbW5LZ2FHbVNsSTdSNURvRStlRDF2Y1Z0bW1hVDJjQT09Ci0tLS0tRU5EIENFUlRJRklDQVRFIFJFUVVFU1QtLS0tLQo=";
/** O=developers, CN=ann. */
const USER = "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIZU1JR0ZBZ0VBTUNNeEV6QVJCZ05WQkFvTUNtUmxkbVZzYjNCbGNuTXhEREFLQmdOVkJBTU1BMkZ1YmpCWgpNQk1HQnlxR1NNNDlBZ0VHQ0NxR1NNNDlBd0VIQTBJQUJFUkMzdm1nZW9OM2pXNzJzaVlmQkQrT3lLOENHZTRFCmswMk9xT05sMlUwNkEvYUxwTEhzaGgxQ0hCaDdEVytlRFVibUc0U1JHSnVZV1ZjV0NDSDVSVytnQURBS0JnZ3EKaGtqT1BRUURBZ05JQURCRkFpQmEveG5IM0xDWjZQeGdMc1VQb1hheG1Gc25rZE9sSkFzOWhwb1N1RWJlS1FJaApBTmZjakxEalIvdFdhbjZBM3pQVGFUOGh5Q2ZDd0tVaUhtNFJoaW5KdFVDUAotLS0tLUVORCBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0K";
/** As the node's, with DNS:n1 and IP:10.0.0.11. */
const SERVING = "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlJQkVUQ0J1QUlCQURBd01SVXdFd1lEVlFRS0RBeHplWE4wWlcwNmJtOWtaWE14RnpBVkJnTlZCQU1NRG5ONQpjM1JsYlRwdWIyUmxPbTR4TUZrd0V3WUhLb1pJemowQ0FRWUlLb1pJemowREFRY0RRZ0FFUkVMZSthQjZnM2VOCmJ2YXlKaDhFUDQ3SXJ3SVo3Z1NUVFk2bzQyWFpUVG9EOW91a3NleUdIVUljR0hzTmI1NE5SdVliaEpFWW01aFoKVnhZSUlmbEZiNkFtTUNRR0NTcUdTSWIzRFFFSkRqRVhNQlV3RXdZRFZSMFJCQXd3Q29JQ2JqR0hCQW9BQUFzdwpDZ1lJS29aSXpqMEVBd0lEU0FBd1JRSWdPZ1dwZndDb2xFaGl1S2ZIWDZDVWdJNTFtVWtJSG1CdExhVVJIQzIyCi9XQUNJUURCanN4NjA0Umt5ZmE3aTRCVjZCK2dxaTczUzB4SmVrOUtUZnNmb09KWjlBPT0KLS0tLS1FTkQgQ0VSVElGSUNBVEUgUkVRVUVTVC0tLS0tCg==";

const CLIENT = "kubernetes.io/kube-apiserver-client";
const KUBELET = "kubernetes.io/kube-apiserver-client-kubelet";
const csr = (request: string, signerName: string, usages: readonly string[], more: object = {}): KubeObject => ({ apiVersion: "certificates.k8s.io/v1", kind: "CertificateSigningRequest", metadata: { name: "r" }, spec: { request, signerName, usages, ...more } });
const create = (object: KubeObject, user?: string): Op => http(1 * T, { method: "POST", path: CSRS, body: object, ...(user === undefined ? {} : { user }) });
const decide = (type: string): Op => http(2 * T, { method: "PATCH", path: `${CSRS}/r/approval`, body: { status: { conditions: [{ type, status: "True", reason: "KubectlApprove", message: "m" }] } } });
const stays = (sim: ReturnType<typeof runWith>): CertificateSigningRequest | undefined => stored(sim, "CertificateSigningRequest")[0] as CertificateSigningRequest | undefined;
const conditions = (sim: ReturnType<typeof runWith>): readonly string[] => (stays(sim)?.status?.conditions ?? []).map(({ type, reason, message, lastUpdateTime }) => `${type} ${reason ?? ""} ${message ?? ""} ${lastUpdateTime ?? ""}`);

describe("signing", () => {
  test.each([
    { name: "a client, for a year less the five minutes that it is valid before", object: csr(USER, CLIENT, ["client auth"]), end: "2026-12-31T23:55:02Z" },
    { name: "as long as asked for; a short one ends when asked for", object: csr(USER, CLIENT, ["client auth"], { expirationSeconds: 3600 }), end: "2026-01-01T01:00:02Z" },
    { name: "a kubelet's client", object: csr(NODE, KUBELET, ["digital signature", "client auth"]), end: "2026-12-31T23:55:02Z" },
    { name: "a kubelet's server", object: csr(SERVING, "kubernetes.io/kubelet-serving", ["digital signature", "key encipherment", "server auth"]), end: "2026-12-31T23:55:02Z" },
  ])("$name", ({ object, end }) => {
    const sim = runWith([SIGNING], [create(object), decide("Approved")], 5 * T);
    const pem = base64Decode(stays(sim)?.status?.certificate ?? "");
    expect(rfc3339(notAfterOf(pem) ?? 0)).toBe(end);
    expect(conditions(sim)).toEqual(["Approved KubectlApprove m 2026-01-01T00:00:02Z"]);
  });

  test.each([
    { name: "a client that wants to serve", object: csr(USER, CLIENT, ["server auth"]), message: "invalid usage for client certificate: server auth" },
    { name: "a client without the usage", object: csr(USER, CLIENT, ["digital signature"]), message: "missing required usage for client certificate: client auth" },
    { name: "a kubelet that is none", object: csr(USER, KUBELET, ["client auth"]), message: "subject organization is not system:nodes" },
    { name: "a kubelet's client with names", object: csr(SERVING, KUBELET, ["digital signature", "client auth"]), message: "DNS subjectAltNames are not allowed" },
    { name: "a kubelet's server without names", object: csr(NODE, "kubernetes.io/kubelet-serving", ["digital signature", "server auth"]), message: "DNS or IP subjectAltName is required" },
    { name: "a kubelet's client with other usages", object: csr(NODE, KUBELET, ["client auth"]), message: "usages did not match [client auth digital signature key encipherment]" },
  ])("$name fails", ({ object, message }) => {
    const sim = runWith([SIGNING], [create(object), decide("Approved")], 5 * T);
    expect(conditions(sim)[1]).toBe(`Failed SignerValidationFailure ${message} 2026-01-01T00:00:02Z`);
    expect(stays(sim)?.status?.certificate).toBeUndefined();
  });

  test.each([
    { name: "one that nobody approved", ops: [create(csr(USER, CLIENT, ["client auth"]))] },
    { name: "a denied one", ops: [create(csr(USER, CLIENT, ["client auth"])), decide("Denied")] },
    { name: "another signer's", ops: [create(csr(USER, "example.com/mine", ["client auth"])), decide("Approved")] },
  ])("$name is not signed", ({ ops }) => {
    const sim = runWith([SIGNING], ops, 5 * T);
    expect([stays(sim)?.status?.certificate, requestsOf(sim, "certificatesigningrequest-signing-controller")]).toEqual([undefined, []]);
  });
});

describe("approving", () => {
  const KUBELETS = ["digital signature", "client auth"];
  const binding = (role: string, user: string): KubeObject => ({ apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRoleBinding", metadata: { name: "b" }, roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: role }, subjects: [{ kind: "User", apiGroup: "rbac.authorization.k8s.io", name: user }] }) as KubeObject;
  test.each([
    { name: "a node renews its own", user: "system:node:n1", bound: "system:certificates.k8s.io:certificatesigningrequests:selfnodeclient", want: "Approved AutoApproved Auto approving self kubelet client certificate after SubjectAccessReview. 2026-01-01T00:00:01Z", reviews: 1 },
    { name: "a bootstrapper asks for a node", user: "boot", bound: "system:certificates.k8s.io:certificatesigningrequests:nodeclient", want: "Approved AutoApproved Auto approving kubelet client certificate after SubjectAccessReview. 2026-01-01T00:00:01Z", reviews: 1 },
  ])("$name", ({ user, bound, want, reviews }) => {
    const creator: KubeObject = { apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRole", metadata: { name: "creator" }, rules: [{ apiGroups: ["certificates.k8s.io"], resources: ["certificatesigningrequests"], verbs: ["create"] }] } as KubeObject;
    const also = { ...binding("creator", user), metadata: { name: "c" } };
    const sim = runWith([APPROVING], [create(csr(NODE, KUBELET, KUBELETS), user)], 5 * T, [binding(bound, user), creator, also]);
    expect(stays(sim)?.spec.username).toBe(user);
    expect(conditions(sim)).toEqual([want]);
    expect(requestsOf(sim, "certificatesigningrequest-approving-controller").filter(({ call }) => call.startsWith("POST")).length).toBe(reviews);
  });

  test("without the right it is asked again with growing pauses, from 200 ms", () => {
    const creator: KubeObject = { apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRole", metadata: { name: "creator" }, rules: [{ apiGroups: ["certificates.k8s.io"], resources: ["certificatesigningrequests"], verbs: ["create"] }] } as KubeObject;
    const sim = runWith([APPROVING], [create(csr(NODE, KUBELET, KUBELETS), "boot")], 3 * T, [creator, binding("creator", "boot")]);
    expect(conditions(sim)).toEqual([]);
    expect(requestsOf(sim, "certificatesigningrequest-approving-controller").map(({ at }) => Math.floor(at / 100_000))).toEqual([10, 12, 16, 24]);
  });

  test("what is no kubelet's is left to people", () => {
    const sim = runWith([APPROVING], [create(csr(USER, CLIENT, ["client auth"]))], 5 * T);
    expect(requestsOf(sim, "certificatesigningrequest-approving-controller")).toEqual([]);
  });
});

describe("the cleaner looks once an hour", () => {
  const old = (hours: number): string => rfc3339(-hours * 3600 * T);
  const settled = (created: number, status: object): KubeObject => ({ ...csr(USER, CLIENT, ["client auth"]), metadata: { name: "r", creationTimestamp: old(created) }, status }) as KubeObject;
  const decided = (type: string, hours: number): object => ({ conditions: [{ type, status: "True", lastUpdateTime: old(hours) }] });
  test.each([
    { name: "issued an hour ago", status: { ...decided("Approved", 1), certificate: "LS0=" }, created: 1, gone: true },
    { name: "issued just now", status: { ...decided("Approved", 0), certificate: "LS0=" }, created: 1, gone: false },
    { name: "denied an hour ago", status: decided("Denied", 1), created: 1, gone: true },
    { name: "failed an hour ago", status: decided("Failed", 1), created: 1, gone: true },
    { name: "approved, and not signed for a day", status: decided("Approved", 24), created: 24, gone: true },
    { name: "approved, and not signed for an hour", status: decided("Approved", 1), created: 1, gone: false },
    { name: "pending for a day", status: {}, created: 24, gone: true },
    { name: "pending for an hour", status: {}, created: 1, gone: false },
  ])("$name: gone $gone", ({ status, created, gone }) => {
    const sim = runWith([CLEANER], [], 1_900 * T, [settled(created, status)]);
    expect(stays(sim) === undefined).toBe(gone);
  });
});

test("requests are read as openssl writes them", () => {
  const read = parseRequest(base64Decode(SERVING));
  expect([read?.commonName, read?.organizations, read?.dnsNames, read?.addresses]).toEqual(["system:node:n1", ["system:nodes"], ["n1"], 1]);
  expect([parseRequest("nonsense"), pemBlock("nonsense", "CERTIFICATE")]).toEqual([undefined, undefined]);
});
