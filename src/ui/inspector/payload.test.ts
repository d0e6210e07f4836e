import { expect, test } from "vitest";
import { partsOf, requestTarget } from "./payload.ts";

test.each([
  { path: "/api/v1/pods", query: undefined, want: "/api/v1/pods" },
  { path: "/api/v1/pods", query: { watch: "true", fieldSelector: "spec.nodeName=n 1" }, want: "/api/v1/pods?watch=true&fieldSelector=spec.nodeName=n%201" },
])("$want", ({ path, query, want }) => expect(requestTarget(path, query)).toBe(want));

test.each([
  {
    name: "an HTTP request",
    payload: { type: "http.request", method: "POST", path: "/api/v1/namespaces/default/pods", query: { fieldValidation: "Strict" }, headers: { Accept: "application/json" }, body: { kind: "Pod" }, credential: { kind: "client-certificate", name: "kubernetes-admin", groups: ["kubeadm:cluster-admins"] } },
    want: [
      { title: "Request", as: "line", text: "POST /api/v1/namespaces/default/pods?fieldValidation=Strict" },
      { title: "Headers", as: "pairs", pairs: [["Accept", "application/json"]] },
      { title: "Who asks", as: "line", text: "client-certificate: kubernetes-admin (kubeadm:cluster-admins)" },
      { title: "Body", as: "object", value: { kind: "Pod" } },
    ],
  },
  { name: "an answer", payload: { type: "http.response", request: 3, status: 404 }, want: [{ title: "Status", as: "line", text: "404 Not Found" }] },
  { name: "a gRPC call", payload: { type: "cri.request", cri: { call: "PullImage", image: "nginx" } }, want: [{ title: "gRPC call", as: "line", text: "runtime.v1.ImageService/PullImage" }, { title: "Message", as: "object", value: { image: "nginx" } }] },
  { name: "a transaction", payload: { type: "etcd.txn.request", key: "/registry/pods/a/b", modRevision: 0 }, want: [{ title: "Compare", as: "line", text: "mod_revision(/registry/pods/a/b) == 0" }, { title: "Then", as: "line", text: "delete /registry/pods/a/b" }, { title: "Else", as: "line", text: "get /registry/pods/a/b" }] },
  { name: "a command", payload: { type: "kubectl.run", argv: ["apply", "-f", "a.yaml"], files: { "a.yaml": "kind: Pod\n" } }, want: [{ title: "Command", as: "line", text: "kubectl apply -f a.yaml" }, { title: "a.yaml", as: "text", text: "kind: Pod\n" }] },
  { name: "an unknown message", payload: { type: "gossip", term: 2 }, want: [{ title: "gossip", as: "object", value: { term: 2 } }] },
  {
    name: "a raft append",
    payload: { type: "raft", msg: "MsgApp", term: 2, index: 7, logTerm: 2, commit: 7, entries: [{ index: 8, term: 2, proposal: { kind: "txn", txn: { key: "/registry/pods/a/b", value: { kind: "Pod" } } } }] },
    want: [
      { title: "Raft message", as: "line", text: "MsgApp" },
      { title: "Fields", as: "pairs", pairs: [["term", "2"], ["index", "7"], ["logTerm", "2"], ["commit", "7"]] },
      { title: "Entry 8 of term 2", as: "line", text: "put /registry/pods/a/b" },
      { title: "Value of entry 8", as: "object", value: { kind: "Pod" } },
    ],
  },
  { name: "a name", payload: { type: "dns.response", request: 1, rcode: "NOERROR", addresses: ["10.0.0.1"], name: "web.default.svc.cluster.local.", tried: 0, ttl: 5 }, want: [{ title: "Answer", as: "line", text: "NOERROR" }, { title: "Records", as: "pairs", pairs: [["web.default.svc.cluster.local. 5 IN A", "10.0.0.1"]] }, { title: "Names tried before it was found", as: "line", text: "0" }] },
  { name: "nothing", payload: undefined, want: [] },
  { name: "a refused connection", payload: { type: "traffic.response", request: 1, status: 0, error: "connection refused" }, want: [{ title: "Answer", as: "line", text: "connection refused" }] },
])("$name", ({ payload, want }) => expect(partsOf(payload)).toEqual(want));
