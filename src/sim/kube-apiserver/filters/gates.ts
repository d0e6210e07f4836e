// Models kubernetes/staging/src/k8s.io/apiserver/pkg/server/config.go: what a place in the handler chain is
import type { Level } from "../../kernel/types.ts";
import { resourceText } from "../request-info.ts";
import { type Run, subjectOf } from "../state.ts";

/** One place in the chain. It lets the request go on, keeps it waiting, or answers it. */
export interface Gate {
  readonly name: string;
  /** Percent of the request's own cost that passes before this gate. */
  readonly share: number;
  /** A filter's own duration (latencies/apiserver.ts): it is taken from the cost of what comes behind the filters. */
  readonly latency?: string;
  run(run: Run): void;
}

/** Tells the gate's outcome for a user's request; components pass silently. */
export function tell(run: Run, gate: string, text: string, why: string, level: Level, data: { readonly outcome: string; readonly before?: unknown; readonly after?: unknown; readonly annotations?: unknown } = { outcome: "passed" }): void {
  if (run.request.teach === "") return;
  const loudness = run.request.teach === "write" ? level : level === "basic" ? "operator" : "source";
  run.ctx.explain({ kind: "gate", text: `kube-apiserver ${text}`, why, level: loudness, subject: subjectOf(run.request.info), status: `${gate}: ${run.request.request.method} ${resourceText(run.request.info)}`, data: { gate, ...data } });
}

/** A refusal is told whoever asked. `others`: how loud it is when the request is no user's. */
export function tellRefusal(run: Run, gate: string, text: string, others: Level = "operator"): void {
  run.ctx.explain({ kind: "gate", text: `kube-apiserver ${text}`.slice(0, 140), why: "the request stops here: nothing is stored", level: run.request.teach === "" ? others : "basic", subject: subjectOf(run.request.info), status: "idle", data: { gate, outcome: "refused" } });
}
