// Models kubernetes/staging/src/k8s.io/kubectl/pkg/cmd and github.com/spf13/pflag: command lines
import { parseGoDuration } from "../api/duration.ts";

export interface Options {
  readonly command: string;
  readonly args: readonly string[];
  /** What stands after "--"; undefined without it. */
  readonly dash: readonly string[] | undefined;
  /** Every flag that was given, by its long name, in order. */
  readonly flags: Readonly<Record<string, readonly string[]>>;
  readonly files: readonly string[];
  readonly namespace: string;
  /** -n was given: objects of other namespaces are refused. */
  readonly namespaceGiven: boolean;
  readonly allNamespaces: boolean;
  readonly output: string;
  readonly selector: string;
  readonly fieldSelector: string;
  readonly watch: boolean;
  readonly all: boolean;
  readonly force: boolean;
  readonly wait: boolean;
  readonly gracePeriod: number;
  readonly cascade: string;
  readonly dryRun: "none" | "client" | "server";
  readonly ignoreNotFound: boolean;
  readonly container: string;
  readonly previous: boolean;
  readonly tail: number;
  readonly noHeaders: boolean;
  readonly showLabels: boolean;
  readonly validate: string;
  readonly user: string;
  readonly timeout: string;
  readonly overwrite: boolean;
  /** What is said before anything else: deprecated flags. */
  readonly warnings: readonly string[];
  readonly error: string | undefined;
}

/** Long names of flags that take a value. */
const VALUED = new Set(`
filename namespace output selector field-selector grace-period container tail replicas image as as-group as-uid as-user-extra port labels patch type timeout template sort-by label-columns
chunk-size request-timeout v context cluster user kubeconfig field-manager restart kustomize overrides override-type env from keys prefix target-port protocol name external-ip cluster-ip
session-affinity load-balancer-ip schedule tcp node-port clusterip external-name rule class default-backend annotation verb resource resource-name non-resource-url role clusterrole group
serviceaccount hard scopes min-available max-unavailable value description preemption-policy from-literal from-file from-env-file docker-server docker-username docker-password docker-email
cert key audience duration bound-object-kind bound-object-name bound-object-uid limits requests containers current-replicas resource-version revision to-revision for since since-time limit-bytes
max-log-requests pod-running-timeout pod-selector skip-wait-for-delete-timeout min max cpu memory api-group api-version subresource raw patch-file server token cluster-server prune-allowlist
image-pull-policy target profile copy-to set-image types username password certificate-authority client-certificate client-key tls-server-name custom cpu-percent concurrency
`.trim().split(/\s+/));
/** Flags that need no value. */
const SWITCHES = new Set(`
all-namespaces watch watch-only all force wait ignore-not-found previous no-headers show-labels overwrite recursive show-managed-fields show-kind allow-missing-template-keys output-watch-events
server-side force-conflicts prune now save-config edit windows-line-endings record local list quiet stdin tty rm attach expose command leave-stdin-open privileged append-hash default resolve
ignore-daemonsets delete-emptydir-data delete-local-data disable-eviction follow timestamps all-containers all-pods ignore-errors insecure-skip-tls-verify-backend insecure-skip-tls-verify client short namespaced
show-events openapi-patch no-diff show-capacity use-protocol-buffers minify flatten raw-values disable-compression match-server-version warnings-as-errors cached interactive use-openapi-print-columns remove-extra-permissions remove-extra-subjects share-processes replace same-node arguments-only keep-annotations create-annotation help
`.trim().split(/\s+/));
/** What a flag means when it stands alone. */
const ALONE: Readonly<Record<string, string>> = { "dry-run": "unchanged", cascade: "background", validate: "strict" };
const SHORT: Readonly<Record<string, string>> = { f: "filename", n: "namespace", o: "output", l: "selector", c: "container", L: "label-columns", k: "kustomize", A: "all-namespaces", w: "watch", R: "recursive", v: "v", q: "quiet", i: "stdin", t: "tty", s: "server", h: "help" };
/** Letters that mean something else to one command. */
const SHORT_OF: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  logs: { f: "follow", p: "previous" }, patch: { p: "patch" }, set: { e: "env" }, delete: { i: "interactive" }, create: { r: "replicas" },
};
const NUMBERS: Readonly<Record<string, string>> = { "grace-period": "int", tail: "int64", replicas: "int", "current-replicas": "int", port: "string", revision: "int64", "to-revision": "int64", "chunk-size": "int64", limit: "int", min: "int32", max: "int32" };
const TRUE = new Set(["1", "t", "T", "true", "TRUE", "True"]);

interface Read {
  command: string;
  args: string[];
  dash: string[] | undefined;
  flags: Record<string, string[]>;
  error: string | undefined;
}

const isSwitch = (name: string): boolean => SWITCHES.has(name);
const known = (name: string): boolean => VALUED.has(name) || isSwitch(name) || ALONE[name] !== undefined;

function put(read: Read, name: string, value: string, shown: string): void {
  const type = NUMBERS[name];
  if (type?.startsWith("int") === true && !/^[-+]?\d+$/.test(value)) read.error ??= `error: invalid argument ${JSON.stringify(value)} for ${JSON.stringify(shown)} flag: strconv.Parse${name === "x" ? "Uint" : "Int"}: parsing ${JSON.stringify(value)}: invalid syntax`;
  (read.flags[name] ??= []).push(value);
}

/** "--name", "--name=value"; returns how many further words it took. */
function readLong(read: Read, arg: string, next: string | undefined): number {
  const at = arg.indexOf("=");
  const name = arg.slice(2, at < 0 ? undefined : at);
  if (!known(name)) {
    read.error ??= `error: unknown flag: --${name}`;
    return 0;
  }
  if (at >= 0) put(read, name, arg.slice(at + 1), shownOf(name));
  else if (isSwitch(name)) put(read, name, "true", name);
  else if (ALONE[name] !== undefined) put(read, name, ALONE[name] ?? "", name);
  else if (next === undefined) read.error ??= `error: flag needs an argument: --${name}`;
  else {
    put(read, name, next, shownOf(name));
    return 1;
  }
  return 0;
}

const shownOf = (name: string): string => {
  const short = Object.keys(SHORT).find((letter) => SHORT[letter] === name);
  return short === undefined ? `--${name}` : `-${short}, --${name}`;
};

/** "-f x", "-fx", "-f=x", "-it": letters in a row. */
function readShort(read: Read, arg: string, next: string | undefined): number {
  for (let i = 1; i < arg.length; i++) {
    const letter = arg[i] ?? "";
    const name = SHORT_OF[read.command]?.[letter] ?? SHORT[letter];
    if (name === undefined) {
      read.error ??= `error: unknown shorthand flag: '${letter}' in -${arg.slice(i)}`;
      return 0;
    }
    const rest = arg.slice(i + 1);
    if (rest.startsWith("=")) {
      put(read, name, rest.slice(1), shownOf(name));
      return 0;
    }
    if (isSwitch(name)) {
      put(read, name, "true", name);
      continue;
    }
    if (rest !== "") put(read, name, rest, shownOf(name));
    else if (next === undefined) read.error ??= `error: flag needs an argument: '${letter}' in -${arg.slice(i)}`;
    else {
      put(read, name, next, shownOf(name));
      return 1;
    }
    return 0;
  }
  return 0;
}

function readWords(argv: readonly string[]): Read {
  const read: Read = { command: "", args: [], dash: undefined, flags: {}, error: undefined };
  for (let i = 0; i < argv.length; i++) {
    const arg = argv[i] ?? "";
    if (arg === "--") {
      read.dash = argv.slice(i + 1);
      break;
    }
    if (arg.startsWith("--")) i += readLong(read, arg, argv[i + 1]);
    else if (arg.startsWith("-") && arg !== "-") i += readShort(read, arg, argv[i + 1]);
    else if (read.command === "") read.command = arg;
    else read.args.push(arg);
  }
  return read;
}

const DRY_RUN = { "": "none", none: "none", client: "client", server: "server", unchanged: "client" } as const;
const isDryRun = (text: string): text is keyof typeof DRY_RUN => Object.hasOwn(DRY_RUN, text);

/** Reads argv. `error` is pflag's text for what it does not know. */
export function parseFlags(argv: readonly string[]): Options {
  const { command, args, dash, flags, error } = readWords(argv);
  const text = (name: string, otherwise = ""): string => flags[name]?.at(-1) ?? otherwise;
  const on = (name: string, otherwise = false): boolean => (flags[name] === undefined ? otherwise : TRUE.has(text(name)));
  const dryRun = text("dry-run", "none");
  const warnings: string[] = [];
  if (flags["record"] !== undefined) warnings.push("Flag --record has been deprecated, --record will be removed in the future");
  return {
    command, args, dash, flags, files: flags["filename"] ?? [], namespace: text("namespace"), namespaceGiven: text("namespace") !== "", allNamespaces: on("all-namespaces"), output: text("output"), selector: text("selector"),
    fieldSelector: text("field-selector"), watch: on("watch") || on("watch-only"), all: on("all"), force: on("force"), wait: on("wait", true), gracePeriod: on("now") ? 1 : Number(text("grace-period", "-1")), cascade: text("cascade", "background"),
    dryRun: isDryRun(dryRun) ? DRY_RUN[dryRun] : "none", ignoreNotFound: on("ignore-not-found"), container: text("container"), previous: on("previous"), tail: Number(text("tail", "-1")), noHeaders: on("no-headers"),
    showLabels: on("show-labels"), validate: text("validate", "strict"), user: text("as"), timeout: text("timeout", "0s"), overwrite: on("overwrite"), warnings,
    error: error === undefined ? (isDryRun(dryRun) ? undefined : `error: Invalid dry-run value (${dryRun}). Must be "none", "server", or "client".`) : `${error}\nSee 'kubectl ${command} --help' for usage.`,
  };
}

/** The last value of a flag, by its long name. */
export const flag = (options: Options, name: string, otherwise = ""): string => options.flags[name]?.at(-1) ?? otherwise;
/** All values of a flag that may be repeated, comma-separated ones taken apart. */
export const flagList = (options: Options, name: string): readonly string[] => (options.flags[name] ?? []).flatMap((value) => value.split(",")).filter((value) => value !== "");
export const isOn = (options: Options, name: string): boolean => TRUE.has(flag(options, name));

/** --request-timeout in microseconds: a number of seconds, or a duration; undefined when it is neither. */
export function timeoutOf(text: string): number | undefined {
  if (/^\d+$/.test(text)) return Number(text) * 1_000_000;
  const micros = parseGoDuration(text);
  return text !== "" && Number.isNaN(micros) ? undefined : micros || 0;
}
