// Models kubernetes/staging/src/k8s.io/kubectl: the program on the user's workstation
import type { Credential, HttpResponse, WatchClosedMessage, WatchEventMessage } from "../api/http.ts";
import { discoverable } from "../api/apiextensions/served.ts";
import { type KnownSchema, schemaIndex } from "../api/apiextensions/schema-index.ts";
import type { ApiResource } from "../api/schema/resources.ts";
import type { KubeObject } from "../api/types.ts";
import { objectsOf, type World } from "../api/world.ts";
import { API_SERVER } from "../client-go/api-client.ts";
import { genericStatus, MAX_RETRIES, requestText, retryDelay } from "../client-go/retry.ts";
import { PMap } from "../kernel/pmap.ts";
import type { StreamData } from "../kube-apiserver/messages.ts";
import type { FaultMessage } from "../faults/messages.ts";
import type { Component, Ctx, MailId, Message, Micros, NetClosedMessage, NetErrorMessage } from "../kernel/types.ts";
import { COMMANDS, unknownCommand } from "./commands.ts";
import { commandSpec } from "./command-table.ts";
import { kustomizeWarnings } from "./files.ts";
import { fieldValidation, flag, isOn, parseFlags, timeoutOf } from "./flags.ts";
import { cancelStreams, isFollow, onFollowAnswer, onStreamData } from "./follow.ts";
import { helpOf } from "./help.ts";
import type { KubectlEdited, KubectlInterrupt, KubectlRun } from "./messages.ts";
import { isDiscovery, onDiscovery, rediscover } from "./rediscovery.ts";
import { type Answer, ask, type Command, commandSubject, exit, fail, type Kubeconfig, type KubeContexts, contextsOf, logOf, klogWarning, pause, print, printError, say, type Session, type Turn, type Waiting, warningsOf } from "./session.ts";
import { InvalidSegment } from "./manifest.ts";
import { StaleDiscovery } from "./types.ts";

export interface KubectlState {
  readonly sessions: PMap<Session>;
  /** Contexts of ~/.kube/config, once they were changed. */
  readonly kubeconfig?: KubeContexts;
  /** Requests under way: "m<mail>" to session and tag. */
  readonly waiting: PMap<Waiting>;
  /** The discovery cache on the workstation's disk, as far as it is not about built-in types. */
  readonly discovered: readonly ApiResource[];
  /** Its cache of OpenAPI documents of custom resources. */
  readonly schemas: Readonly<Record<string, KnownSchema>>;
  /** Since when no packet reaches the server. */
  readonly cutSince?: Micros;
}

export interface KubectlConfig {
  readonly world: World;
  /** CN of the client certificate. */
  readonly user?: string;
  readonly groups?: readonly string[];
  /** Namespace of the context. Default "default". */
  readonly namespace?: string;
  /** Names in the kubeconfig; default kubeadm's. */
  readonly cluster?: string;
  readonly context?: string;
  /** Host and port. */
  readonly server?: string;
  /** The kubeconfig has a token instead of a certificate. */
  readonly token?: boolean;
  /** What is shown instead of a certificate. */
  readonly credential?: Credential;
}

function kubeconfigOf({ world, user = "kubernetes-admin", groups = ["kubeadm:cluster-admins"], namespace = "default", cluster = "kubernetes", context = `${user}@${cluster}`, server, token = false, credential = { kind: "client-certificate", name: user, groups } }: KubectlConfig): Kubeconfig {
  const controlPlane = objectsOf(world, "Node").find((object) => object.metadata.labels?.["node-role.kubernetes.io/control-plane"] !== undefined)?.metadata.name;
  const address = (world.nodes.find((node) => node.name === controlPlane) ?? world.nodes[0])?.address ?? "127.0.0.1";
  const client = { userAgent: "kubectl/v1.36.3 (linux/amd64) kubernetes/0f29094", credential };
  return { cluster, server: server ?? `${address}:6443`, context, user, namespace, token, client };
}

/** What the last discovery before the story began found: the workstation has used this cluster before. */
const cachedDiscovery = (objects: readonly KubeObject[]): readonly ApiResource[] => discoverable(objects).map((api) => {
  const { custom: _, ...known } = api;
  return known;
});

/** kubectl: every run is a process of its own, from exec to exit code. */
export function createKubectl(config: KubectlConfig): Component<KubectlState> {
  const kubeconfig = kubeconfigOf(config);
  return {
    id: "kubectl",
    machine: "workstation",
    connections: [API_SERVER],
    init: () => ({ sessions: PMap.empty(), waiting: PMap.empty(), discovered: cachedDiscovery(config.world.objects), schemas: schemaIndex(discoverable(config.world.objects)) }),
    step: (state, message, ctx) => step(kubeconfig, state, message, ctx),
  };
}

/** They catch SIGINT to close what they watch; others die of it. */
const CATCHES = new Set(["debug", "events", "get", "logs"]);

const keyOf = (session: number): string => `s${session}`;

function step(config: Kubeconfig, state: KubectlState, message: Message, ctx: Ctx): KubectlState {
  switch (message.type) {
    case "kubectl.run":
      return begin(config, state, message as KubectlRun, ctx);
    case "kubectl.continue": {
      const { key, tag } = message as Message & { readonly key: string; readonly tag: string };
      return turn(config, state, key, ctx, (t, command) => onPause(t, command, tag));
    }
    case "kubectl.timeout":
      return turn(config, state, (message as Message & { readonly key: string }).key, ctx, (t, command) => command?.onPause?.(t, "timeout"));
    case "http.response":
      return onResponse(config, state, message as HttpResponse, ctx);
    case "kubectl.retry": {
      const { session, tag, call, sent } = (message as Message & { readonly waiting: Waiting }).waiting;
      return turn(config, state, session, ctx, (t) => ask(t, tag, call, sent + 1));
    }
    case "net.error":
      return answered(config, state, (message as NetErrorMessage).hop, { refused: true, ...((message as NetErrorMessage).reason === "timeout" ? { timedOut: true } : {}), status: 0, body: undefined, warnings: [] }, ctx);
    case "net.closed":
      return (message as NetClosedMessage).peer === API_SERVER ? connectionLost(config, state, ctx) : state;
    case "fault":
      return cutOff(state, message as FaultMessage, ctx);
    case "kubectl.ping":
      return state.cutSince === (message as Message & { readonly since: Micros }).since ? connectionLost(config, state, ctx) : state;
    case "watch.event": {
      const { stream, event } = message as WatchEventMessage;
      const session = state.sessions.values().find((candidate) => candidate.streams.includes(stream));
      return session === undefined ? state : turn(config, state, session.key, ctx, (t, command) => command?.onEvent?.(t, event));
    }
    case "stream.data": {
      const data = message as StreamData;
      const session = state.sessions.values().find((candidate) => candidate.sinks[data.stream] !== undefined);
      return session === undefined ? state : turn(config, state, session.key, ctx, (t, command) => onStreamData(t, command, data));
    }
    case "watch.closed": {
      const session = state.sessions.values().find((candidate) => candidate.streams.includes((message as WatchClosedMessage).stream));
      return session === undefined ? state : turn(config, state, session.key, ctx, (t) => exit(t));
    }
    case "kubectl.edited": {
      const { session, text } = message as KubectlEdited;
      return turn(config, state, keyOf(session), ctx, (t, command) => command?.onEdited?.(t, text));
    }
    case "kubectl.interrupt":
      return turn(config, state, keyOf((message as KubectlInterrupt).session), ctx, (t) => exit(t, CATCHES.has(t.session.options.command) ? 1 : 130));
    default:
      return state;
  }
}

function begin(config: Kubeconfig, state: KubectlState, run: KubectlRun, ctx: Ctx): KubectlState {
  const key = keyOf(run.session);
  const session: Session = { key, run, startedAt: ctx.now, options: parseFlags(run.argv), data: undefined, discovered: state.discovered, schemas: state.schemas, fresh: false, errors: [], waiting: [], streams: [], sinks: {}, done: false };
  ctx.explain({ text: `kubectl ${run.argv.join(" ")}`.slice(0, 140), why: "the shell starts the program; most of its time is its own start", level: "basic", subject: commandSubject(run.session), status: `starting: kubectl ${run.argv[0] ?? ""}` });
  const started: KubectlState = { ...state, sessions: state.sessions.set(key, session) };
  return turn(config, started, key, ctx, (t) => pause(t, "kubectl.start", "started"));
}

function onPause(t: Turn, command: Command | undefined, tag: string): void {
  if (tag === "started") return prepare(t);
  if (tag !== "prepared") return command?.onPause?.(t, tag);
  const { options } = t.session;
  for (const warning of options.warnings) printError(t, warning);
  if (options.error !== undefined) return fail(t, options.error);
  const spec = commandSpec(options.path);
  if (isOn(options, "help") && spec !== undefined) {
    print(t, helpOf(spec));
    return exit(t, 0);
  }
  const wrong = wrongConfig(t);
  if (wrong !== undefined) return fail(t, wrong);
  if (flag(options, "dry-run") === "unchanged") printError(t, klogWarning(t.ctx.now, "helpers.go:719", "--dry-run is deprecated and can be replaced with --dry-run=client."));
  if (fieldValidation(options) === undefined) return fail(t, `error: invalid - validate option ${JSON.stringify(options.validate)}; must be one of: strict (or true), warn, ignore (or false)`);
  if (command === undefined) return fail(t, unknownCommand(options.command));
  for (const warning of kustomizeWarnings(options, t.session.run.files)) printError(t, warning);
  command.start(t);
}

/** Flags that name something else than the kubeconfig has. */
function wrongConfig({ session: { options }, config }: Turn): string | undefined {
  const { cluster, user } = config;
  if (options.command === "config") return undefined;
  const chosen = flag(options, "context");
  if (chosen !== "" && !contextsOf(config).contexts.some(({ name }) => name === chosen)) return `error: context ${JSON.stringify(chosen)} does not exist`;
  const file = flag(options, "kubeconfig");
  if (file !== "") return `error: stat ${file}: no such file or directory`;
  for (const [name, has, what] of [["cluster", cluster, "cluster"], ["user", user, "auth info"]] as const) {
    const wanted = flag(options, name);
    if (wanted !== "" && wanted !== has && !NAMES_SUBJECTS.has(options.args[0] ?? "")) return `error: ${what} ${JSON.stringify(wanted)} does not exist`;
  }
  if (timeoutOf(flag(options, "request-timeout")) === undefined) return "error: Invalid timeout value. Timeout must be a single integer in seconds, or an integer followed by a corresponding time unit (e.g. 1s | 2m | 3h)";
  return undefined;
}
/** What --user means a subject to. */
const NAMES_SUBJECTS = new Set(["rolebinding", "clusterrolebinding", "subject"]);

function prepare(t: Turn): void {
  const { cluster, server, user } = t.config;
  say(t, `reads ~/.kube/config: cluster ${cluster} at https://${server}, user ${user}`, `client certificate CN=${user}, O=${t.config.client.credential.groups?.join(",") ?? ""}; discovery is cached for 6 h`, "basic", { cluster, server: `https://${server}`, user, context: t.config.context, namespace: t.config.namespace });
  pause(t, "kubectl.prepare", "prepared");
}

/** One event's work on one session. */
function turn(config: Kubeconfig, state: KubectlState, key: string, ctx: Ctx, work: (t: Turn, command: Command | undefined) => void): KubectlState {
  const session = state.sessions.get(key);
  if (session === undefined) return state;
  const t: Turn = { ctx, config: impersonating(inContext(config, state.kubeconfig, session), session), session };
  try {
    work(t, COMMANDS.find((command) => command.names.includes(session.options.command)));
  } catch (reason) {
    if (reason instanceof StaleDiscovery) rediscover(t);
    else if (reason instanceof InvalidSegment) fail(t, `error: ${reason.message}`);
    else throw reason;
  }
  if (t.session.done) cancelStreams(t, t.session);
  let { waiting } = state;
  for (const [mail, asked] of logOf(t).asked) waiting = waiting.set(`m${mail}`, { session: key, ...asked });
  const kubeconfig = t.kubeconfig ?? state.kubeconfig;
  return { ...(kubeconfig === undefined ? {} : { kubeconfig }), waiting, discovered: t.session.fresh ? t.session.discovered : state.discovered, schemas: t.session.schemas, sessions: t.session.done ? state.sessions.delete(key) : state.sessions.set(key, t.session) };
}

/** The namespace is that of the context in use, or of --context. */
function inContext(config: Kubeconfig, contexts: KubeContexts | undefined, { options }: Session): Kubeconfig {
  if (contexts === undefined) return config;
  const wanted = NAMES_CONTEXT(options) || contexts.current;
  const context = contexts.contexts.find(({ name }) => name === wanted);
  return { ...config, contexts, context: contexts.current, namespace: context === undefined || context.namespace === "" ? "default" : context.namespace };
}
const NAMES_CONTEXT = (options: Session["options"]): string => (options.command === "config" ? "" : flag(options, "context"));

/** --token shows another credential; --as and its like let the own one ask to be taken for somebody else. */
function impersonating(config: Kubeconfig, session: Session): Kubeconfig {
  const { user, flags } = session.options;
  const token = flag(session.options, "token");
  if (token !== "") return { ...config, client: { ...config.client, credential: { kind: "bearer-token", name: token } } };
  const groups = flags["as-group"] ?? [];
  const uid = flag(session.options, "as-uid");
  const extras = flags["as-user-extra"] ?? [];
  if (user === "" && uid === "" && groups.length === 0 && extras.length === 0) return config;
  const extra: Record<string, readonly string[]> = {};
  for (const text of extras) {
    const at = text.indexOf("=");
    extra[text.slice(0, at)] = [...(extra[text.slice(0, at)] ?? []), text.slice(at + 1)];
  }
  return { ...config, client: { ...config.client, impersonate: { user, uid, groups, extra } } };
}

/** An answer that asks to come back later is not told to the command before client-go gives up. */
function onResponse(config: Kubeconfig, state: KubectlState, response: HttpResponse, ctx: Ctx): KubectlState {
  const waiting = state.waiting.get(`m${response.request}`);
  if (waiting === undefined) return state;
  const delay = retryDelay(response, waiting.sent);
  if (delay !== undefined) {
    ctx.explain({ text: `kubectl will send ${waiting.call.method} ${waiting.call.path} again in ${delay / 1_000_000} s`.slice(0, 140), why: `the server answered ${response.status} with Retry-After; that was try ${waiting.sent} of ${MAX_RETRIES + 1}`, level: "operator", subject: commandSubject(state.sessions.get(waiting.session)?.run.session ?? 0) });
    ctx.after(delay, { type: "kubectl.retry", waiting });
    return { ...state, waiting: state.waiting.delete(`m${response.request}`) };
  }
  const body = genericStatus(response.status, response.body, requestText(waiting.call)) ?? response.body;
  return answered(config, state, response.request, { status: response.status, body, warnings: warningsOf(response) }, ctx);
}

function answered(config: Kubeconfig, state: KubectlState, mail: MailId, answer: Answer, ctx: Ctx): KubectlState {
  const waiting = state.waiting.get(`m${mail}`);
  if (waiting === undefined) return state;
  const next = { ...state, waiting: state.waiting.delete(`m${mail}`) };
  return turn(config, next, waiting.session, ctx, (t, command) => (isDiscovery(waiting.tag) ? onDiscovery(t, command, waiting.tag, answer) : isFollow(waiting.tag) ? onFollowAnswer(t, command, waiting.tag, answer) : command?.onAnswer?.(t, waiting.tag, answer)));
}

/** k8s.io/apimachinery/pkg/util/net/http.go: a silent connection is pinged after 30 s (ReadIdleTimeout) and given up 15 s later (PingTimeout). */
const PINGED_AFTER: Micros = 45_000_000;

/** Packets to the server are lost from now on. Simplified: what the server sends on open connections still arrives until their pings fail. */
function cutOff(state: KubectlState, { on, params }: FaultMessage, ctx: Ctx): KubectlState {
  const { cutSince: _, ...whole } = state;
  if (!on || params["how"] !== "timeout") return whole;
  if (state.waiting.size > 0 || state.sessions.values().some(({ streams }) => streams.length > 0)) ctx.after(PINGED_AFTER, { type: "kubectl.ping", since: ctx.now });
  return { ...whole, cutSince: ctx.now };
}

/** The server's process stopped: open requests end without an answer, open watches break. */
function connectionLost(config: Kubeconfig, state: KubectlState, ctx: Ctx): KubectlState {
  let next: KubectlState = state;
  for (const [mail, { session }] of state.waiting.sorted()) {
    next = { ...next, waiting: next.waiting.delete(mail) };
    next = turn(config, next, session, ctx, (t) => fail(t, "Unable to connect to the server: unexpected EOF"));
  }
  for (const [key, session] of state.sessions.sorted()) if (session.streams.length > 0) next = turn(config, next, key, ctx, (t) => fail(t, Object.keys(session.sinks).length > 0 ? "error: unexpected EOF" : "error: an error on the server (\"unable to decode an event from the watch stream: http2: client connection lost\") has prevented the request from succeeding"));
  return next;
}
