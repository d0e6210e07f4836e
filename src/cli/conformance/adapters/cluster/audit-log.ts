import type { HttpRequest } from "../../../../sim/api/http.ts";
import { requestInfo } from "../../../../sim/kube-apiserver/request-info.ts";

/** A request as the API server's audit log tells it. */
export interface AuditedRequest {
  readonly verb: string;
  readonly uri: string;
  readonly code?: number | null;
}

/** A request of the simulation's in the words of the audit log; no code, if it was not answered. */
export function audited(request: HttpRequest, code: number | undefined): AuditedRequest {
  // A parameter that is given several times is one text with the further ones written out (exec's command).
  const query = Object.entries(request.query ?? {}).map(([key, value]) => value.split(`&${key}=`).map((one) => `${key}=${encodeURIComponent(one)}`).join("&")).join("&");
  return { verb: requestInfo(request).verb, uri: query === "" ? request.path : `${request.path}?${query}`, ...(code === undefined ? {} : { code }) };
}

/** Who is not authenticated is no user of the recorded log's: such requests are not in it. */
const UNAUTHENTICATED = 401;
/** Documents with an ETag: whether they came again depends on what earlier commands of the recording had cached. */
const CACHED = /^\/openapi\//;

/** Discovery: cached by the recorded kubectl, mostly; what is served under /openapi/v3 answers 200 or 304. */
const DISCOVERY = /^\/(?:apis?(?:\/[^/]+){0,2}\?timeout=|openapi\/v3)/;

const decoded = (text: string): string => decodeURIComponent(text.replaceAll("+", " "));

/** fields.Set.AsSelector walks a Go map: the terms of a field selector come in any order. */
const termsInOrder = (param: string): string => (param.startsWith("fieldSelector=") ? `fieldSelector=${param.slice("fieldSelector=".length).split(",").sort().join(",")}` : param);

/** A request in one spelling: its parameters decoded and in order. Watches have a random one, and are told by their path. */
function spelled({ verb, uri, code }: AuditedRequest): string {
  const [path = "", query = ""] = uri.split(/\?(.*)/s);
  const params = verb === "watch" || query === "" ? "" : `?${query.split("&").map(decoded).map(termsInOrder).sort().join("&")}`;
  return `${verb} ${decodeURIComponent(path)}${params} ${CACHED.test(path) && code === 304 ? 200 : (code ?? "unanswered")}`;
}

/** What counts of a log; requests that were cut off before their answer do not. */
const compared = (log: readonly AuditedRequest[]): readonly string[] => log.filter(({ uri, code }) => !DISCOVERY.test(uri) && code !== null && code !== undefined && code !== UNAUTHENTICATED).map(spelled);

/** Lists may have been sent in parallel: those that follow each other are put in order. */
function inOrder(log: readonly string[]): readonly string[] {
  const runs: string[][] = [];
  for (const line of log) {
    const last = runs.at(-1);
    if (last?.[0]?.startsWith("list ") === true && line.startsWith("list ")) last.push(line);
    else runs.push([line]);
  }
  return runs.flatMap((run) => run.sort());
}

/** Where two logs of one command differ, or undefined. */
export function differentRequest(expected: readonly AuditedRequest[], actual: readonly AuditedRequest[]): string | undefined {
  const [want, got] = [inOrder(compared(expected)), inOrder(compared(actual))];
  const at = [...want.keys(), want.length].find((i) => want[i] !== got[i]);
  return at === undefined ? undefined : `request ${at + 1}: expected ${want[at] ?? "no more"}, got ${got[at] ?? "no more"}`;
}
