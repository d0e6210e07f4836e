// Models glibc's stub resolver (resolv.conf(5), res_search): one question a name and type, server after server
import type { DnsAnswer, DnsQuestion, TrafficResponse } from "./traffic.ts";
import type { MailId } from "../../trace/model.ts";

/** /etc/resolv.conf as a program reads it. Times in microseconds. */
export interface ResolvConf {
  readonly nameservers: readonly string[];
  readonly search: readonly string[];
  readonly ndots: number;
  readonly timeout: number;
  readonly attempts: number;
}

const SECOND = 1_000_000;
const MAX_SERVERS = 3;

/** The file as text; without a nameserver the machine itself is asked. */
export function parseResolvConf(text: string): ResolvConf {
  const nameservers: string[] = [];
  let search: readonly string[] = [];
  const options: Record<string, number> = { ndots: 1, timeout: 5, attempts: 2 };
  for (const line of text.split("\n")) {
    const [word, ...rest] = line.trim().split(/\s+/);
    if (word === "nameserver" && rest[0] !== undefined) nameservers.push(rest[0]);
    if (word === "search" || word === "domain") search = rest;
    if (word === "options") for (const [, name, value] of rest.map((option) => /^(ndots|timeout|attempts):(\d+)$/.exec(option) ?? [])) if (name !== undefined) options[name] = Number(value);
  }
  return { nameservers: nameservers.length === 0 ? ["127.0.0.1"] : nameservers.slice(0, MAX_SERVERS), search, ndots: Math.min(15, options["ndots"] ?? 1), timeout: (options["timeout"] ?? 5) * SECOND, attempts: Math.max(1, options["attempts"] ?? 2) };
}

/** The names that are tried, in order: as it is first when it has enough dots, else the search list first. */
export function searchNames(name: string, { search, ndots }: Pick<ResolvConf, "search" | "ndots">): readonly string[] {
  if (name.endsWith(".")) return [name.slice(0, -1)];
  const listed = search.map((suffix) => `${name}.${suffix}`);
  return name.split(".").length - 1 >= ndots ? [name, ...listed] : [...listed, name];
}

/** A lookup under way. */
export interface Resolving {
  readonly conf: ResolvConf;
  readonly qtypes: readonly DnsQuestion["qtype"][];
  readonly names: readonly string[];
  readonly at: number;
  readonly server: number;
  readonly attempt: number;
  /** Questions that are out, by their position in `qtypes`. */
  readonly pending: readonly MailId[];
  readonly answers: readonly (DnsAnswer | undefined)[];
  /** Questions sent so far. */
  readonly sent: number;
  /** A server was reached and said no. */
  readonly refused: boolean;
}

/** What came of a lookup: `failed` when no server gave an answer. */
export interface Resolved {
  readonly name: string;
  readonly rcode: "NOERROR" | "NXDOMAIN" | "SERVFAIL";
  readonly failed?: "timeout" | "refused";
  readonly addresses: readonly string[];
  readonly answer?: DnsAnswer;
  readonly sent: number;
}

export type Step = { readonly going: Resolving } | { readonly done: Resolved };

/** Sends a question to a server and returns its mail; arms one timer of conf.timeout for all of a name. */
export type Ask = (question: DnsQuestion, server: string) => MailId;

function ask(resolving: Resolving, send: Ask): Step {
  const { names, at, qtypes, conf, server } = resolving;
  const name = names[at] ?? "";
  const pending = qtypes.map((qtype) => send({ name, qtype }, conf.nameservers[server] ?? ""));
  return { going: { ...resolving, pending, answers: qtypes.map(() => undefined), sent: resolving.sent + qtypes.length } };
}

/** Begins a lookup: addresses of both families unless told otherwise. */
export const beginLookup = (name: string, conf: ResolvConf, send: Ask, qtypes: Resolving["qtypes"] = ["A", "AAAA"]): Step => ask({ conf, qtypes, names: searchNames(name, conf), at: 0, server: 0, attempt: 0, pending: [], answers: [], sent: 0, refused: false }, send);

/** The next server, the next attempt, or the end: a name that nobody answers ends the search. */
function nextServer(resolving: Resolving, send: Ask): Step {
  const { conf, server, attempt, names, at, sent, refused } = resolving;
  if (server + 1 < conf.nameservers.length) return ask({ ...resolving, server: server + 1 }, send);
  if (attempt + 1 < conf.attempts) return ask({ ...resolving, server: 0, attempt: attempt + 1 }, send);
  return { done: { name: names[at] ?? "", rcode: "SERVFAIL", failed: refused ? "refused" : "timeout", addresses: [], sent } };
}

function nameDone(resolving: Resolving, send: Ask): Step {
  const { names, at, answers, sent } = resolving;
  const found = answers.find((answer) => answer?.rcode === "NOERROR" && (answer.addresses.length > 0 || answer.srv !== undefined || answer.ptr !== undefined));
  const name = names[at] ?? "";
  if (found) return { done: { name, rcode: "NOERROR", addresses: answers.flatMap((answer) => answer?.addresses ?? []), answer: found, sent } };
  if (answers.some((answer) => answer?.rcode === "SERVFAIL")) return nextServer(resolving, send);
  if (at + 1 < names.length) return ask({ ...resolving, at: at + 1, server: 0, attempt: 0 }, send);
  const rcode = answers.some((answer) => answer?.rcode === "NOERROR") ? "NOERROR" : "NXDOMAIN";
  return { done: { name, rcode, addresses: [], sent } };
}

/** An answer, or a refusal, to one of the questions. */
export function answered(resolving: Resolving, request: MailId, response: TrafficResponse, send: Ask): Step {
  const i = resolving.pending.indexOf(request);
  if (i < 0) return { going: resolving };
  if (response.dns === undefined) return nextServer({ ...resolving, refused: true }, send);
  const answers = resolving.answers.with(i, response.dns);
  const next = { ...resolving, answers };
  return answers.includes(undefined) ? { going: next } : nameDone(next, send);
}

/** conf.timeout has passed without an answer. */
export const unanswered = (resolving: Resolving, send: Ask): Step => nextServer(resolving, send);
