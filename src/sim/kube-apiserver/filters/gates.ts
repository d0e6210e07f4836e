// Models kubernetes/staging/src/k8s.io/apiserver/pkg/server/config.go (DefaultBuildHandlerChain)
import { newUnauthorized } from "../../api/status-errors.ts";
import type { Level } from "../../kernel/types.ts";
import { resourceText } from "../request-info.ts";
import { refuse, type Run, subjectOf } from "../state.ts";
import { listObjects } from "../watch-cache/lookup.ts";
import { authenticate, proofText } from "./authentication.ts";
import { authorize, forbiddenStatus } from "./authorization.ts";
import { flowOf, nominalSeats } from "./flow-control.ts";

/** One place in the chain. It lets the request go on, keeps it waiting, or answers it. */
export interface Gate {
  readonly name: string;
  /** Percent of the request's own cost that passes before this gate. */
  readonly share: number;
  run(run: Run): void;
}

/** Tells the gate's outcome for a user's request; components pass silently. */
export function tell(run: Run, gate: string, text: string, why: string, level: Level, data: { readonly outcome: string; readonly before?: unknown; readonly after?: unknown } = { outcome: "passed" }): void {
  if (run.request.teach === "") return;
  const loudness = run.request.teach === "write" ? level : level === "basic" ? "operator" : "source";
  run.ctx.explain({ kind: "gate", text: `kube-apiserver ${text}`, why, level: loudness, subject: subjectOf(run.request.info), status: `${gate}: ${run.request.request.method} ${resourceText(run.request.info)}`, data: { gate, ...data } });
}

/** A refusal is told whoever asked. */
export function tellRefusal(run: Run, gate: string, text: string): void {
  run.ctx.explain({ kind: "gate", text: `kube-apiserver ${text}`.slice(0, 140), why: "the request stops here: nothing is stored", level: run.request.teach === "" ? "operator" : "basic", subject: subjectOf(run.request.info), status: "idle", data: { gate, outcome: "refused" } });
}

const requestInfoGate: Gate = {
  name: "RequestInfo",
  share: 0,
  run(run) {
    const { info, request } = run.request;
    tell(run, "RequestInfo", `reads ${request.method} ${info.path}`.slice(0, 126), `verb ${info.verb}, resource ${resourceText(info) || "(none)"}, namespace ${info.namespace || "(none)"}`, "operator");
  },
};

const authenticationGate: Gate = {
  name: "Authentication",
  share: 0,
  run(run) {
    const { credential } = run.request.request;
    const user = authenticate(credential, run.state.expired);
    if (user === undefined) {
      tellRefusal(run, "Authentication", `does not know who asks (${proofText(credential)})`);
      refuse(run, newUnauthorized());
      return;
    }
    run.request.user = user;
    tell(run, "Authentication", `authenticates ${user.name}`, proofText(credential), "basic");
  },
};

const auditGate: Gate = {
  name: "Audit",
  share: 8,
  run(run) {
    tell(run, "Audit", "gives the request an audit ID", "without a policy file nothing is written down", "source");
  },
};

const flowControlGate: Gate = {
  name: "PriorityAndFairness",
  share: 0,
  run(run) {
    const { user, info } = run.request;
    if (user === undefined) return;
    const seat = flowOf(user, info);
    const used = (run.state.seats[seat.level] ?? 0) + 1;
    // Simplified: upstream queues by shuffle sharding when a level's seats are taken, for at most 15 s, then answers 429;
    // here seats are only counted: the simulated load never fills them.
    run.state.seats = { ...run.state.seats, [seat.level]: used };
    run.request.seat = seat;
    tell(run, "PriorityAndFairness", `takes a seat in priority level ${seat.level}`, `flow schema ${seat.schema}; ${used} of ${nominalSeats(seat.level)} seats in use`, "operator");
  },
};

const authorizationGate: Gate = {
  name: "Authorization",
  share: 0,
  run(run) {
    const { user, info } = run.request;
    if (user === undefined) return;
    const decision = authorize(user, info, (resource, namespace) => listObjects(run.state, resource, namespace), run.state.denied);
    if (!decision.allowed) {
      tellRefusal(run, "Authorization", `forbids ${user.name} to ${info.verb} ${resourceText(info)}`);
      refuse(run, forbiddenStatus(user, info, decision.problem));
      return;
    }
    tell(run, "Authorization", `allows ${user.name} to ${info.verb} ${resourceText(info) || info.path}`, decision.reason, "basic");
  },
};

export const FILTERS: readonly Gate[] = [requestInfoGate, authenticationGate, auditGate, flowControlGate, authorizationGate];
