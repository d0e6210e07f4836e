import { type Fault, inside } from "./fault.ts";

export const authzDenied = {
  id: "authz.denied",
  title: "RBAC no longer allows it",
  group: "API",
  symptom: "kubectl prints Error from server (Forbidden); nothing is stored",
  command: "kubectl auth can-i create pods",
  fix: "Bind a Role that allows the verb on the resource to the user (kubectl create rolebinding).",
  params: [
    { name: "user", label: "User", default: "kubernetes-admin" },
    { name: "verb", label: "Verb", default: "create", options: ["get", "list", "watch", "create", "update", "patch", "delete"] },
    { name: "resource", label: "Resource", default: "pods" },
    { name: "namespace", label: "Namespace", default: "default" },
  ],
  ...inside("authz.denied", () => ["kube-apiserver"]),
} satisfies Fault;
