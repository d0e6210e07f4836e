import { type Fault, inside } from "./fault.ts";

export const admissionWebhookDenies = {
  id: "admission.webhook-denies",
  title: "An admission webhook denies Pods",
  group: "API",
  symptom: "kubectl prints the webhook's name and its reason; nothing is stored",
  command: "kubectl get validatingwebhookconfigurations",
  fix: "Change the manifest so that it meets the webhook's rule, or delete the ValidatingWebhookConfiguration.",
  params: [
    { name: "name", label: "Webhook", default: "check.example.com" },
    { name: "message", label: "Reason it gives", default: "images must come from registry.corp" },
  ],
  // The webhook's installer registers it; the API server asks because of that, and the webhook says no.
  ...inside("admission.webhook-denies", () => ["webhook"]),
} satisfies Fault;
