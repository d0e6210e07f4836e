import { type Fault, inside } from "./fault.ts";

export const admissionWebhookInjectsSidecar = {
  id: "admission.webhook-injects-sidecar",
  title: "A webhook adds a sidecar to every new Pod",
  group: "API",
  symptom: "No error: READY says 2/2 where the manifest has one container; the stored Pod is not the one that was sent",
  command: "kubectl get mutatingwebhookconfigurations",
  fix: "Nothing is broken. If the sidecar is not wanted, delete the MutatingWebhookConfiguration and make the Pods anew.",
  params: [
    { name: "name", label: "Webhook", default: "sidecar-injector.example.com" },
    { name: "image", label: "Image of the sidecar", default: "envoyproxy/envoy:v1.31.0" },
  ],
  ...inside("admission.webhook-injects-sidecar", () => ["webhook"]),
} satisfies Fault;
