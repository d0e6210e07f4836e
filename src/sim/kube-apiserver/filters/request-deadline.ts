// Models kubernetes/staging/src/k8s.io/apiserver/pkg/endpoints/filters/request_deadline.go and handlers/rest.go (requestTimeoutUpperBound)
import type { HttpRequest } from "../../api/http.ts";
import { parseGoDuration } from "../../api/duration.ts";
import { newBadRequest } from "../../api/status-errors.ts";
import type { Micros } from "../../kernel/types.ts";
import type { RequestInfo } from "../request-info.ts";
import { refuse } from "../state.ts";
import { type Gate, tell } from "./gates.ts";

/** Writes of one object are given up after 34 s, everything else after 60 s. */
const WRITE: Micros = 34_000_000;
const READ: Micros = 60_000_000;
/** The deadline of requests that may stay open. */
export const NO_DEADLINE: Micros = Number.MAX_SAFE_INTEGER;

const STREAMS = new Set(["attach", "exec", "proxy", "log", "portforward"]);

export const isLongRunning = ({ verb, subresource }: RequestInfo): boolean => verb === "watch" || STREAMS.has(subresource);

/** When the server gives up: ?timeout= may ask for less, never for more. `writing` is a write of one object. */
export function deadlineOf(info: RequestInfo, { query }: HttpRequest, writing: boolean, now: Micros): Micros {
  if (isLongRunning(info)) return NO_DEADLINE;
  const longest = writing ? WRITE : READ;
  const asked = query?.["timeout"] === undefined ? 0 : parseGoDuration(query["timeout"]);
  return now + (asked > 0 && asked < longest ? asked : longest);
}

/** What time.ParseDuration says of what is none. */
function durationError(text: string): string {
  const quoted = JSON.stringify(text);
  const [, unit = ""] = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)([^\d.]*)/.exec(text) ?? [];
  if (/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/.test(text)) return `time: missing unit in duration ${quoted}`;
  return unit === "" ? `time: invalid duration ${quoted}` : `time: unknown unit ${JSON.stringify(unit)} in duration ${quoted}`;
}

export const requestDeadlineGate: Gate = {
  name: "RequestDeadline",
  share: 0,
  run(run) {
    const { info, request, deadline, startedAt } = run.request;
    const timeout = request.query?.["timeout"] ?? "";
    if (timeout !== "" && !isLongRunning(info) && Number.isNaN(parseGoDuration(timeout))) return refuse(run, newBadRequest(`invalid timeout specified in the request URL - ${durationError(timeout)}`));
    tell(run, "RequestDeadline", deadline === NO_DEADLINE ? "sets no deadline: the request may stay open" : `gives the request ${(deadline - startedAt) / 1_000_000} s`, "60 s unless ?timeout= asks for less; a write of one object is given up after 34 s already", "source");
  },
};
