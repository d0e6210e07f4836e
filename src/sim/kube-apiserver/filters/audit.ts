// Models kubernetes/staging/src/k8s.io/apiserver/pkg/{audit,endpoints/filters/audit.go,server/options/audit.go}
import { uuid } from "../../api/ids.ts";
import type { Gate } from "./gates.ts";
import { tell } from "./gates.ts";
import type { Run } from "../state.ts";

/** What the request carries with it from filter to filter. It is kept for requests that are told; nobody reads it otherwise. */
export interface Audit {
  readonly id: string;
  readonly stage: "RequestReceived" | "ResponseStarted" | "ResponseComplete";
  readonly annotations: Readonly<Record<string, string>>;
}

export const newAudit = (seed: number, key: string): Audit => ({ id: uuid(seed, `audit/${key}`), stage: "RequestReceived", annotations: {} });

/** Adds to the audit event what a filter decided. */
export function annotate(run: Run, key: string, value: string): void {
  const { audit } = run.request;
  if (audit !== undefined) run.request.audit = { ...audit, annotations: { ...audit.annotations, [key]: value } };
}

// Simplified: kubeadm sets no --audit-policy-file, so no event is written; upstream would write one a stage, at the level of the first rule that matches.
export const auditInitGate: Gate = {
  name: "AuditInit",
  share: 0,
  run: (run) => tell(run, "AuditInit", `gives the request the audit ID ${run.request.audit?.id ?? ""}`, "it is also in the answer's header Audit-Id", "source"),
};

export const auditGate: Gate = {
  name: "Audit",
  share: 0,
  latency: "apiserver.filter.audit",
  run: (run) => tell(run, "Audit", "notes that the request was received", "stages: RequestReceived, ResponseStarted (watches), ResponseComplete, Panic; without a policy file nothing is written down", "source"),
};

/** The last stage, with all that the filters noted. */
export function tellAudit(run: Run, status: number): void {
  const { audit } = run.request;
  if (audit === undefined) return;
  const stage = run.request.info.verb === "watch" && status === 200 ? "ResponseStarted" : "ResponseComplete";
  tell(run, "Audit", `closes the request's audit event with code ${status}`, `stage ${stage}; without a policy file nothing is written down`, "source", { outcome: "passed", after: { kind: "Event", apiVersion: "audit.k8s.io/v1", level: "Metadata", auditID: audit.id, stage, requestURI: run.request.request.path, verb: run.request.info.verb, user: run.request.user, responseStatus: { code: status }, annotations: audit.annotations } });
}
