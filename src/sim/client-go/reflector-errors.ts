// Models the back-off and the WatchErrorHandler of kubernetes/staging/src/k8s.io/client-go/tools/cache/reflector.go
import type { WatchSpec } from "../api/http.ts";
import { resourceForPath } from "../api/schema/resources.ts";
import { rfc3339Micro } from "../api/time.ts";
import type { Status } from "../api/types.ts";
import type { Ctx, Micros } from "../kernel/types.ts";

const FIRST: Micros = 800_000;
const CAP: Micros = 30_000_000;
/** Without a wait for so long the server counts as healthy again. */
export const BACKOFF_RESET: Micros = 120_000_000;

/** 800 ms, doubling to 30 s, each with up to as much again on top. `draw` is a uint32. */
export function backoffDelay(attempts: number, draw: number): Micros {
  let delay = FIRST;
  for (let i = 0; i < attempts && delay < CAP; i++) delay = Math.min(delay * 2, CAP);
  return delay + (draw % delay);
}

/** Why a list or watch was not answered, or with what Status. */
export type Failed = "refused" | "closed" | { readonly status: Status };

export const isExpired = ({ code, reason }: Status): boolean => code === 410 || reason === "Expired" || reason === "Gone";
export const isTooLarge = ({ details }: Status): boolean => details?.causes?.some(({ reason }) => reason === "ResourceVersionTooLarge") === true;

/** What a reflector of a shared informer is called: the line that starts it. */
export const REFLECTOR = "k8s.io/client-go/informers/factory.go:177";

/** "*v1.Pod" */
export function goType({ path, resource }: WatchSpec): string {
  const [root, first = "", second = ""] = path.split("/").slice(1);
  const api = resourceForPath(root === "api" ? first : `${first}/${second}`, resource);
  return api === undefined ? "*unstructured.Unstructured" : `*${api.version}.${api.kind}`;
}

export const failureText = ({ path }: WatchSpec, failed: Failed): string =>
  typeof failed === "object" ? (failed.status.message ?? "unknown") : `Get "https://kube-apiserver:6443${path}": ${failed === "refused" ? "dial tcp: connect: connection refused" : "EOF"}`;

function log(ctx: Ctx, severity: "E" | "I", line: string, watch: WatchSpec, message: string, err: string): void {
  const at = rfc3339Micro(ctx.now);
  const header = `${severity}${at.slice(5, 7)}${at.slice(8, 10)} ${at.slice(11, 26)}       1 reflector.go:${line}]`;
  const type = goType(watch);
  const text = severity === "E" ? `${JSON.stringify(message)} err=${JSON.stringify(err)} reflector=${JSON.stringify(REFLECTOR)} type=${JSON.stringify(type)}` : `${JSON.stringify(message)} reflector=${JSON.stringify(REFLECTOR)} type=${JSON.stringify(type)} err=${JSON.stringify(err)}`;
  ctx.explain({ text: text.length > 140 ? `${text.slice(0, 137)}...` : text, why: "its copy grows stale until the watch is open again", kind: "log", level: severity === "E" ? "operator" : "source", log: { source: watch.component, line: `${header} ${text}` } });
}

/** The line that an operator finds in a component's log when it may not list or watch. */
export const logFailedToWatch = (ctx: Ctx, watch: WatchSpec, err: string): void => log(ctx, "E", "227", watch, "Failed to watch", err);
export const logWatchEnded = (ctx: Ctx, watch: WatchSpec, err: string): void => log(ctx, "I", "664", watch, "Warning: watch ended with error", err);
