import { type Fault, inside } from "./fault.ts";

export const authnCredentialsExpired = {
  id: "authn.credentials-expired",
  title: "A client's certificate has expired",
  group: "API",
  symptom: "error: You must be logged in to the server (Unauthorized); nothing behind authentication runs",
  command: "kubeadm certs check-expiration",
  fix: "Renew it: kubeadm certs renew admin.conf, or log in again where an identity provider hands out tokens.",
  params: [{ name: "user", label: "User (CN of the certificate)", default: "kubernetes-admin" }],
  ...inside("authn.credentials-expired", () => ["kube-apiserver"]),
} satisfies Fault;
