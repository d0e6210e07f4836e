import { getField } from "../../../../sim/api/fields.ts";
import { isFailure } from "../../../../sim/api/status-errors.ts";
import type { KubeObject, Status } from "../../../../sim/api/types.ts";
import { difference, show } from "../../difference.ts";
import { shortenRuns } from "./manifest.ts";

/** What a case expects of one answer: the code, then fields of the object or the parts of the Status. */
export interface ExpectedResponse {
  readonly statusCode?: number;
  readonly reason?: string;
  readonly message?: string;
  readonly causes?: readonly { readonly reason?: string; readonly message?: string; readonly field?: string }[];
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly absent?: readonly string[];
  readonly patterns?: Readonly<Record<string, string>>;
  readonly kubectl?: string;
}

export interface Response {
  readonly statusCode: number;
  readonly reason?: string;
  readonly message?: string;
  readonly causes?: readonly unknown[];
  readonly kubectl?: string;
  readonly object?: KubeObject;
}

/** How kubectl prints a 422: one cause on the line, several on lines of their own, each once. */
function kubectlText(status: Status): string {
  const { kind = "", name = "", causes = [] } = status.details ?? {};
  const lines = [...new Set(causes.map((c) => `${c.field ?? ""}: ${c.message ?? ""}`))];
  const head = `The ${kind} ${JSON.stringify(name)} is invalid: `;
  return lines.length === 1 ? `${head}${lines[0] ?? ""}` : `${head}\n${lines.map((line) => `* ${line}\n`).join("")}`;
}

/** Case files end a refused update's text where its diff of the internal spec begins. */
const shown = (text: string | undefined): string => shortenRuns((text ?? "").replace(/\n@@[^]*$/, ""));

/** The answer of the pipeline in the words of a case. */
export function toResponse(result: KubeObject | Status, okCode: number): Response {
  if (!isFailure(result)) return { statusCode: okCode, object: result as KubeObject };
  const { code = 500, reason, message, details } = result;
  const causes = details?.causes?.map((c) => ({ ...c, message: shown(c.message) }));
  return {
    statusCode: code, ...(reason === undefined ? {} : { reason }), message: shown(message), ...(causes === undefined ? {} : { causes }),
    ...(code === 422 && details?.kind ? { kubectl: shown(kubectlText(result)) } : {}),
  };
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;
const SUFFIX = /[bcdfghjklmnpqrstvwxz2456789]{5}/;

/** Case files write what is different every time as "<time>" and "<5>". */
function matchesText(expected: string, actual: unknown): boolean {
  if (typeof actual !== "string") return false;
  if (expected === "<time>") return TIME.test(actual);
  if (!expected.includes("<5>")) return expected === actual;
  const [before = "", after = ""] = expected.split("<5>");
  return actual.startsWith(before) && actual.endsWith(after) && SUFFIX.test(actual.slice(before.length, actual.length - after.length));
}

/** Equal, neither more nor less, but for what is random. */
function same(expected: unknown, actual: unknown): boolean {
  if (typeof expected === "string") return matchesText(expected, actual);
  if (Array.isArray(expected)) return Array.isArray(actual) && actual.length === expected.length && expected.every((item, i) => same(item, actual[i]));
  if (typeof expected !== "object" || expected === null) return expected === actual;
  if (typeof actual !== "object" || actual === null || Array.isArray(actual)) return false;
  const keys = new Set([...Object.keys(expected), ...Object.keys(actual)]);
  return [...keys].every((key) => same((expected as Record<string, unknown>)[key], (actual as Record<string, unknown>)[key]));
}

/** Where an answer differs from what is expected of it. */
export function compareResponse(actual: Response, expect: ExpectedResponse): string | undefined {
  const { fields = {}, absent = [], patterns = {}, ...status } = expect;
  if (expect.statusCode !== actual.statusCode) return `statusCode: expected ${show(expect.statusCode)}, got ${show(actual.statusCode)} ${actual.message ?? ""}`;
  for (const [path, want] of Object.entries(fields)) {
    const got = getField(actual.object, path);
    if (!same(want, got)) return `${path}: expected ${show(want)}, got ${show(got)}`;
  }
  for (const path of absent) if (getField(actual.object, path) !== undefined) return `${path}: expected nothing, got ${show(getField(actual.object, path))}`;
  for (const [path, pattern] of Object.entries(patterns)) if (!new RegExp(pattern).test(String(getField(actual.object, path)))) return `${path}: expected ${pattern}, got ${show(getField(actual.object, path))}`;
  const { statusCode: _code, kubectl: _kubectl, ...rest } = status as Readonly<Record<string, unknown>>;
  const known = Object.fromEntries(Object.entries(rest).filter(([key]) => ["reason", "message", "causes"].includes(key)));
  return difference(known, actual) ?? (expect.kubectl === undefined ? undefined : difference(expect.kubectl, actual.kubectl, "kubectl"));
}
