import { expect, test } from "vitest";
import { familyOf, subjectText } from "./words.ts";

test.each([
  ["kubelet@worker-node-03", "kubelet"],
  ["etcd-2", "etcd"],
  ["replicaset-controller", "controllers"],
  ["kube-proxy@n", "network"],
  ["kubectl", "client"],
])("%s belongs to %s", (id, want) => expect(familyOf(id)).toBe(want));

test.each([
  ["pod/default/nginx", "Pod default/nginx"],
  ["node/n1", "Node n1"],
  ["widget/a/b", "widget a/b"],
  ["/api/v1/pods", "/api/v1/pods"],
])("%s reads %s", (subject, want) => expect(subjectText(subject)).toBe(want));
