import { type Fault, inside } from "./fault.ts";

export const admissionWebhookTimeout = {
  id: "admission.webhook-timeout",
  title: "An admission webhook does not answer",
  group: "API",
  symptom: "Creating a Pod takes 10 s, then fails: failed calling webhook ... context deadline exceeded; with failurePolicy Ignore it succeeds late",
  command: "kubectl get validatingwebhookconfigurations",
  fix: "Mend the webhook's program, or delete its ValidatingWebhookConfiguration; failurePolicy Ignore and a short timeoutSeconds limit the harm.",
  params: [
    { name: "name", label: "Webhook", default: "check.example.com" },
    { name: "failurePolicy", label: "When it fails", default: "Fail", options: ["Fail", "Ignore"] },
    { name: "timeoutSeconds", label: "Seconds it may take", default: 10 },
  ],
  ...inside("admission.webhook-timeout", () => ["webhook"]),
} satisfies Fault;
