import { expect, test } from "vitest";
import { filterOf, type Searchable } from "./filter.ts";

const post: Searchable = { text: "kube-apiserver answers POST", component: "kube-apiserver", peer: "kubectl", verb: "POST", object: "pod/default/nginx", lane: "apiserver", status: 201, outcome: "delivered" };
const denied: Searchable = { ...post, text: "kube-apiserver refuses", verb: "GET", object: "node/worker-1", lane: "apiserver", status: 403 };
const step: Searchable = { text: "The scheduler binds nginx", component: "kube-scheduler", peer: "", verb: "", object: "pod/default/nginx", lane: "apiserver", status: 0, outcome: "" };
const lost: Searchable = { ...step, text: "kubelet renews", component: "kubelet@n", verb: "PUT", object: "lease/kube-node-lease/n", outcome: "lost" };
const rows = { post, denied, step, lost };

test.each([
  { query: "", want: ["post", "denied", "step", "lost"] },
  { query: "component:scheduler", want: ["step"] },
  { query: "component:kubectl", want: ["post", "denied"] },
  { query: "verb:p", want: ["post", "lost"] },
  { query: "object:pod/default", want: ["post", "step"] },
  { query: "status:403", want: ["denied"] },
  { query: "status:4xx", want: ["denied"] },
  { query: "status:2", want: ["post"] },
  { query: "status:>=400", want: ["denied"] },
  { query: "status:failed", want: ["denied", "lost"] },
  { query: "status:lost", want: ["lost"] },
  { query: "-status:failed", want: ["post", "step"] },
  { query: "NGINX binds", want: ["step"] },
  { query: '"scheduler binds"', want: ["step"] },
  { query: "object:nginx verb:post", want: ["post"] },
  { query: "verb:", want: ["post", "denied", "step", "lost"] },
  { query: "colour:red", want: [] },
  { query: "-nginx", want: ["denied", "lost"] },
])("$query", ({ query, want }) => {
  const filter = filterOf(query);
  expect(Object.entries(rows).filter(([, row]) => filter(row)).map(([name]) => name)).toEqual(want);
});
