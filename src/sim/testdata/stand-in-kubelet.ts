import type { HttpRequest, WatchEventMessage, WatchSpec } from "../api/http.ts";
import { objectKey } from "../api/http.ts";
import { rfc3339 } from "../api/time.ts";
import type { Pod } from "../api/types.ts";
import type { Component, Ctx } from "../kernel/types.ts";

export interface StandInConfig {
  readonly nodes: readonly string[];
  readonly bindAfterMs?: number;
  readonly readyAfterMs: number;
  readonly deleteAfterMs: number;
  /** Transitions come one at a time, at least so far apart. */
  readonly gapMs?: number;
}

interface StandInState {
  readonly bound: number;
  readonly seen: readonly string[];
  readonly nextFree: number;
}

interface Act {
  readonly type: "stand-in.act";
  readonly what: "bind" | "ready" | "exit" | "delete";
  readonly pod: Pod;
  readonly n: number;
}

export const standInWatches = (): WatchSpec[] => [{ component: "stand-in", resource: "pods", path: "/api/v1/pods" }];

function request(ctx: Ctx, method: HttpRequest["method"], path: string, body: unknown): void {
  const message: HttpRequest = { type: "http.request", method, path, headers: { "Content-Type": "application/strategic-merge-patch+json" }, credential: { kind: "none", name: "stand-in" }, body };
  ctx.send("kube-apiserver", message, { protocol: "HTTPS", latency: 100, verb: method, subject: path });
}

/** Scheduler and kubelets in one, as in oracle/controllers.json: binds in turn, makes Pods Ready and removes deleted ones after fixed times. */
export function createStandIn(config: StandInConfig): Component<StandInState> {
  return {
    id: "stand-in",
    machine: "stand-in",
    init: () => ({ bound: 0, seen: [], nextFree: 0 }),
    step(state, message, ctx) {
      if (message.type === "watch.event") {
        const { event } = message as WatchEventMessage;
        const pod = event.object as Pod;
        if (event.type === "DELETED") return state;
        const uid = pod.metadata.uid ?? "";
        if (pod.metadata.deletionTimestamp !== undefined) return plan(state, ctx, "delete", pod, config.deleteAfterMs, config.gapMs ?? 0);
        if (!pod.spec.nodeName && !state.seen.includes(`bind ${uid}`)) return plan(state, ctx, "bind", pod, config.bindAfterMs ?? 5, 0);
        const exit = pod.metadata.annotations?.["sim.example/exit-code"];
        if (pod.status?.phase === "Running" && exit !== undefined) return plan(state, ctx, "exit", pod, Number(pod.metadata.annotations?.["sim.example/run-ms"] ?? 1000), config.gapMs ?? 0);
        if (pod.spec.nodeName && pod.status?.phase === "Pending") return plan(state, ctx, "ready", pod, config.readyAfterMs, config.gapMs ?? 0);
        return state;
      }
      if (message.type !== "stand-in.act") return state;
      const { what, pod, n } = message as Act;
      const path = `/api/v1/namespaces/${pod.metadata.namespace ?? ""}/pods/${pod.metadata.name ?? ""}`;
      if (what === "bind") {
        // A daemon's Pod names its node.
        const pinned = pod.spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms?.[0]?.matchFields?.[0]?.values?.[0];
        request(ctx, "POST", `${path}/binding`, { target: { name: pinned ?? config.nodes[n % config.nodes.length] } });
        return state;
      }
      if (what === "delete") {
        request(ctx, "DELETE", path, { gracePeriodSeconds: 0 });
        return state;
      }
      if (what === "exit") {
        const exitCode = Number(pod.metadata.annotations?.["sim.example/exit-code"]);
        const terminated = { exitCode, finishedAt: rfc3339(ctx.now) };
        request(ctx, "PATCH", `${path}/status`, { status: { phase: exitCode === 0 ? "Succeeded" : "Failed", conditions: [{ type: "Ready", status: "False", lastTransitionTime: rfc3339(ctx.now) }], containerStatuses: [{ name: pod.spec.containers[0]?.name ?? "", ready: false, restartCount: 0, image: "", imageID: "", state: { terminated } }] } });
        return state;
      }
      const ready = pod.metadata.annotations?.["sim.example/ready"] === "never" ? "False" : "True";
      const condition = (type: string, status: string): object => ({ type, status, lastTransitionTime: rfc3339(ctx.now) });
      const podIP = `10.244.${n % 8}.${10 + n}`;
      request(ctx, "PATCH", `${path}/status`, { status: { phase: "Running", podIP, podIPs: [{ ip: podIP }], conditions: [condition("Ready", ready), condition("ContainersReady", ready)] } });
      return state;
    },
  };
}

function plan(state: StandInState, ctx: Ctx, what: Act["what"], pod: Pod, afterMs: number, gapMs: number): StandInState {
  const key = `${what} ${pod.metadata.uid ?? objectKey(pod)}`;
  if (state.seen.includes(key)) return state;
  const at = Math.max(ctx.now + afterMs * 1000, gapMs > 0 ? state.nextFree : 0);
  ctx.after(at - ctx.now, { type: "stand-in.act", what, pod, n: state.bound } satisfies Act);
  return { bound: state.bound + (what === "bind" || what === "ready" ? 1 : 0), seen: [...state.seen, key], nextFree: gapMs > 0 ? at + gapMs * 1000 : state.nextFree };
}
