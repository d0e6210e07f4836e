// Models kubernetes/pkg/kubelet/logs/container_log_manager.go
import type { Message, Micros } from "../kernel/types.ts";
import type { Turn } from "./turn.ts";

export interface LogRotationTimer extends Message {
  readonly type: "kubelet.logRotation";
  readonly containers: readonly string[];
}

/** containerLogMonitorInterval */
const INTERVAL: Micros = 10_000_000;

/** Log files have grown beyond containerLogMaxSize: the next look of the monitor finds them. */
export function rotateLogs(turn: Turn, containers: readonly string[]): void {
  turn.ctx.after(turn.nextTick("logMonitor", INTERVAL, turn.now + 1) - turn.now, { type: "kubelet.logRotation", containers } satisfies LogRotationTimer);
}

export function onLogRotation(turn: Turn, { containers }: LogRotationTimer): void {
  for (const containerId of containers) turn.cri({ call: "ReopenContainerLog", containerId }, { for: "remove" }, `node/${turn.config.node.name}`);
}
