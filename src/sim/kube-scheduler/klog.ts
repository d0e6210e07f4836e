// Models kubernetes/staging/src/k8s.io/component-base/logs (klog text format)
import { rfc3339Micro } from "../api/time.ts";
import type { Ctx } from "../kernel/types.ts";

/** A line in the scheduler's own log, as `kubectl logs -n kube-system kube-scheduler-...` shows it. */
export function klog(ctx: Ctx, file: string, line: string, subject: string): void {
  const at = rfc3339Micro(ctx.now);
  const header = `I${at.slice(5, 7)}${at.slice(8, 10)} ${at.slice(11, 26)}       1 ${file}]`;
  ctx.explain({ text: line.length > 140 ? `${line.slice(0, 137)}...` : line, kind: "log", level: "source", subject, log: { source: "kube-scheduler", line: `${header} ${line}` } });
}
