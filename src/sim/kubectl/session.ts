// Models kubernetes/staging/src/k8s.io/kubectl: one run of the program, from exec to exit
import type { HttpResponse, WatchEvent } from "../api/http.ts";
import type { KnownSchema } from "../api/apiextensions/schema-index.ts";
import type { ApiResource } from "../api/schema/resources.ts";
import { goDuration } from "../api/duration.ts";
import { rfc3339Micro } from "../api/time.ts";
import { type ApiCall, type ApiClient, apiRequest } from "../client-go/api-client.ts";
import type { Ctx, Level, MailId, Micros } from "../kernel/types.ts";
import type { KubectlRun } from "./messages.ts";
import { flag, type Options, timeoutOf } from "./flags.ts";

/** One process: its command's own `data`, and what it waits for. */
export interface Session {
  readonly key: string;
  readonly run: KubectlRun;
  readonly startedAt: Micros;
  readonly options: Options;
  readonly data: unknown;
  /** Custom resources that discovery told of; `fresh` when this run asked for it. */
  readonly discovered: readonly ApiResource[];
  readonly fresh: boolean;
  /** OpenAPI documents of custom resources in the cache on the workstation's disk, by group version. */
  readonly schemas: Readonly<Record<string, KnownSchema>>;
  /** Errors that are printed at the end: kubectl goes on after a bad document. */
  readonly errors: readonly ErrorText[];
  /** Warnings of the server that were printed: each is printed once. */
  readonly warned?: readonly string[];
  readonly waiting: readonly MailId[];
  readonly streams: readonly string[];
  /** Texts that are printed as they come, by stream. */
  readonly sinks: Readonly<Record<string, Sink>>;
  readonly done: boolean;
}

/** How a followed text is printed. */
export interface Sink {
  /** Before every line. */
  readonly prefix: string;
  /** The server has begun to answer; what overtook its answer waits in `early`. */
  readonly open: boolean;
  readonly early: string;
  /** The end overtook the answer. */
  readonly over: boolean;
}

/** An error, and how it is worded among several. */
export type ErrorText = string | { readonly single: string; readonly several: string };

/** Where kubectl points, as ~/.kube/config says. */
export interface Kubeconfig {
  readonly cluster: string;
  readonly server: string;
  readonly context: string;
  readonly user: string;
  readonly namespace: string;
  readonly client: ApiClient;
  /** The credential is a bearer token. */
  readonly token?: boolean;
  /** Contexts, once they were changed. */
  readonly contexts?: KubeContexts;
}

export interface KubeContext {
  readonly name: string;
  readonly cluster: string;
  readonly user: string;
  /** "" stands for "default". */
  readonly namespace: string;
}

/** What `kubectl config` has made of the contexts. */
export interface KubeContexts {
  readonly current: string;
  readonly contexts: readonly KubeContext[];
}

/** The contexts of a kubeconfig. */
export const contextsOf = ({ contexts, context, cluster, user, namespace }: Kubeconfig): KubeContexts => contexts ?? { current: context, contexts: [{ name: context, cluster, user, namespace: namespace === "default" ? "" : namespace }] };

/** How an answer, or the lack of one, is told to the command. */
export type Answer = { readonly status: number; readonly body: unknown; readonly warnings: readonly string[]; readonly refused?: undefined } | { readonly refused: true; readonly timedOut?: boolean; readonly status: 0; readonly body: undefined; readonly warnings: readonly string[] };

/** One event's work on one session. */
export interface Turn {
  readonly ctx: Ctx;
  readonly config: Kubeconfig;
  session: Session;
  /** Contexts that this command has written. */
  kubeconfig?: KubeContexts;
}

/** A command: how it begins, and what it does with answers, watch events and the end of its pauses. `tag` is its own word. */
export interface Command {
  readonly names: readonly string[];
  start(turn: Turn): void;
  /** Goes on after a new discovery; without it the command starts again. */
  resume?(turn: Turn): void;
  onAnswer?(turn: Turn, tag: string, answer: Answer): void;
  onEvent?(turn: Turn, event: WatchEvent): void;
  /** A followed text has ended, or could not be opened. */
  onEnd?(turn: Turn, stream: string, refusal: Answer | undefined): void;
  onPause?(turn: Turn, tag: string): void;
  /** The page's editor was closed; undefined without saving. */
  onEdited?(turn: Turn, text: string | undefined): void;
}

/** Says what kubectl does now. */
export function say(turn: Turn, text: string, why: string, level: Level = "operator", data?: unknown): void {
  turn.ctx.explain({ text: `kubectl ${text}`.slice(0, 140), why, level, status: turn.session.run.argv.join(" ").slice(0, 60), ...(data === undefined ? {} : { data }) });
}

/** What a command says is told apart from what others say at the same time by this subject. */
export const commandSubject = (session: number): string => `command/${session}`;

/** Longer than this no sentence of the story is. */
const SENTENCE = 120;
const shortened = (text: string): string => (text.length > SENTENCE + 20 ? `${text.slice(0, SENTENCE + 19)}…` : text);

function output(turn: Turn, source: "stdout" | "stderr", text: string): void {
  const first = text.split("\n")[0] ?? "";
  turn.ctx.explain({ kind: "output", text: shortened(`kubectl prints: ${first}`), ...(first.length > SENTENCE ? { why: first } : {}), level: "basic", subject: commandSubject(turn.session.run.session), log: { source, line: text }, data: { session: turn.session.run.session } });
}

/** Asks the page to open a text in its editor; the answer is a KubectlEdited of the same session. */
export function openEditor(turn: Turn, file: string, text: string): void {
  const { session } = turn.session.run;
  turn.ctx.explain({ kind: "output", text: `kubectl opens ${file} in the editor`, why: "it goes on when the editor is closed", level: "basic", subject: commandSubject(session), data: { session, edit: { file, text } } });
}

const PID = 4711;
/** A line of klog on standard error: "W0131 12:00:00.000000    4711 helpers.go:719] ...". */
export function klogWarning(now: Micros, place: string, text: string): string {
  const [, month = "", day = "", clock = ""] = /^\d{4}-(\d\d)-(\d\d)T([\d:.]+)Z$/.exec(rfc3339Micro(now)) ?? [];
  return `W${month}${day} ${clock} ${String(PID).padStart(7)} ${place}] ${text}`;
}

/** A block of text, newline-terminated. */
export const print = (turn: Turn, text: string): void => output(turn, "stdout", text.endsWith("\n") ? text : `${text}\n`);
/** A text that need not end its line: templates. */
export const printRaw = (turn: Turn, text: string): void => output(turn, "stdout", text);
export const printError = (turn: Turn, text: string): void => output(turn, "stderr", text.endsWith("\n") ? text : `${text}\n`);

/** rest.WarningWriter with Deduplicate. */
export function printWarnings(turn: Turn, warnings: readonly string[]): void {
  for (const warning of warnings) {
    if (turn.session.warned?.includes(warning) === true) continue;
    turn.session = { ...turn.session, warned: [...(turn.session.warned ?? []), warning] };
    printError(turn, `Warning: ${warning}`);
  }
}

export function addError(turn: Turn, text: ErrorText): void {
  turn.session = { ...turn.session, errors: [...turn.session.errors, text] };
}

/** The process ends: collected errors are printed, then comes the exit code. */
export function exit(turn: Turn, code?: number): void {
  const { errors } = turn.session;
  // Several errors are printed as they are; a single one says that it is one.
  const worded = (error: ErrorText): string => (typeof error === "string" ? (errors.length > 1 ? error.replace(/^error: /, "") : error) : errors.length > 1 ? error.several : error.single);
  for (const error of errors) printError(turn, worded(error));
  const exitCode = code ?? (errors.length > 0 ? 1 : 0);
  const seconds = ((turn.ctx.now - turn.session.startedAt) / 1_000_000).toFixed(3);
  turn.ctx.explain({ text: `kubectl exits with code ${exitCode} after ${seconds} s`, level: "operator", status: "idle", subject: commandSubject(turn.session.run.session), data: { session: turn.session.run.session, exitCode } });
  turn.session = { ...turn.session, done: true };
}

export function fail(turn: Turn, text: ErrorText): void {
  addError(turn, text);
  exit(turn);
}

/** Tags travel in the waiting list: "m<mail>" to tag. */
export interface Waiting {
  readonly session: string;
  readonly tag: string;
  readonly call: ApiCall;
  /** How many times the request was sent. */
  readonly sent: number;
}

/** Requests of one event, collected by the component. */
export interface TurnLog {
  readonly asked: [MailId, Omit<Waiting, "session">][];
}
const logs = new WeakMap<Turn, TurnLog>();

export function logOf(turn: Turn): TurnLog {
  let log = logs.get(turn);
  if (log === undefined) {
    log = { asked: [] };
    logs.set(turn, log);
  }
  return log;
}

/** --request-timeout is told to the server too (client-go/rest Request.Timeout). */
function timed(turn: Turn, call: ApiCall): ApiCall {
  const text = flag(turn.session.options, "request-timeout");
  const micros = text === "" || sentBefore(call) ? 0 : (timeoutOf(text) ?? 0);
  return micros <= 0 ? call : { ...call, query: { ...call.query, timeout: goDuration(micros) } };
}
const sentBefore = ({ query }: ApiCall): boolean => query?.["timeout"] !== undefined;

/** Sends a request; the command is told the answer under `tag`. */
export function ask(turn: Turn, tag: string, first: ApiCall, sent = 1): void {
  const call = timed(turn, first);
  const mail = apiRequest(turn.ctx, turn.config.client, call);
  logOf(turn).asked.push([mail, { tag, call, sent }]);
}

/** Lets the process work for a measured time. */
export function pause(turn: Turn, segment: string, tag: string): void {
  turn.ctx.after(turn.ctx.latency(segment, `${turn.session.key}/${tag}`), { type: "kubectl.continue", key: turn.session.key, tag });
}

export function warningsOf(response: HttpResponse): readonly string[] {
  const text = response.headers?.["Warning"];
  return text === undefined || text === "" ? [] : text.split("\n");
}
