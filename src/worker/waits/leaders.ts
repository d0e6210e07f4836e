import { type Election, leaseEnd, RENEW_DEADLINE, RETRY_PERIOD } from "../../sim/client-go/leader-election.ts";
import { type ManagerState, restartPause } from "../../sim/kube-controller-manager/controller-manager.ts";
import type { WaitView } from "../protocol-waits.ts";
import { type Asked, rungOf, rungs, running, seconds } from "./asked.ts";

interface Elected {
  readonly election: Election;
  readonly running: boolean;
  readonly exits?: number;
}

/** A leader renews every 2 s within its deadline; who does not lead waits for the lease's end. */
function election(component: string, { election: e }: Elected, asked: Asked): WaitView[] {
  if (e.lease === undefined) return [];
  const base = { about: component, name: component, component, ladder: [] };
  const retry = asked.timers.next(component, "leader-election.try");
  const holder: readonly [string, string] = ["Lease held by", e.lease.spec?.holderIdentity || "nobody"];
  if (!e.leads) {
    const until = leaseEnd(e);
    if (until <= asked.at) return [];
    return [{ ...base, id: `leader-candidate/${component}/${e.observedAt}`, kind: "leader-candidate", part: `lease ${e.lock}`, since: e.observedAt, until, weight: 15, facts: [holder, ["Looks again", retry === undefined ? "it is asking now" : `in ${seconds(Math.round((retry.dueAt - asked.at) / 1000) * 1000)}`]] }];
  }
  if (e.round >= 0) return [{ ...base, id: `leader-lease/${component}/${e.round}`, kind: "leader-lease", part: `renewal of ${e.lock} under way`, since: e.round, until: e.round + RENEW_DEADLINE, weight: asked.at - e.round > RETRY_PERIOD ? 40 : 0, facts: [["Tries again every", seconds(RETRY_PERIOD)], ["Without success by then", "it exits"]] }];
  if (retry === undefined) return [];
  return [{ ...base, id: `leader-lease/${component}/${retry.dueAt}`, kind: "leader-lease", part: `next renewal of ${e.lock}`, since: retry.setAt, until: retry.dueAt, weight: 0, facts: [["Lease ends", `${seconds(leaseEnd(e) - e.observedAt)} after the last renewal`]] }];
}

/** A process of the control plane that ended, and is started again. */
function restarts(component: string, { exits, running: up }: Elected, asked: Asked): WaitView[] {
  const timer = up ? undefined : (asked.timers.next(component, "manager.restart") ?? asked.timers.next(component, "scheduler.restart"));
  if (timer === undefined) return [];
  const ladder = exits === undefined ? [] : rungs((n) => restartPause(n + 1));
  return [{ id: `restart/${component}/${timer.dueAt}`, kind: "restart", about: component, name: component, part: "its process", component, since: timer.setAt, until: timer.dueAt, ladder, ...rungOf(ladder, timer.dueAt - timer.setAt), facts: exits === undefined ? [] : [["Exits in a row", String(exits)]], weight: 45 }];
}

/** Leases of the scheduler and the controller manager. */
export const leaderWaits = (asked: Asked): WaitView[] =>
  ["kube-controller-manager", "kube-scheduler"].flatMap((kind) =>
    running<ManagerState & Elected>(kind, asked).flatMap(([component, state]) => (state.running ? election(component, state, asked) : restarts(component, state, asked))),
  );
