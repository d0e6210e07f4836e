// Models kubernetes/staging/src/k8s.io/kubectl/pkg/cmd and github.com/spf13/pflag: command lines
import { parseGoDuration } from "../api/duration.ts";
import { childOf, type CommandSpec, type FlagSpec, flagsOf, rootCommand } from "./command-table.ts";

export interface Options {
  readonly command: string;
  /** The command with its subcommands: "rollout status"; "" for kubectl alone and for what is no command. */
  readonly path: string;
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

/** What a flag means when it stands alone. */
const ALONE: Readonly<Record<string, string>> = { "dry-run": "unchanged", cascade: "background", validate: "strict" };
/** Widths of numbers that Go's messages do not tell apart. */
const INTEGER = /^[-+]?\d+$/;
const TRUE = new Set(["1", "t", "T", "true", "TRUE", "True"]);
const FALSE = new Set(["0", "f", "F", "false", "FALSE", "False"]);

interface Read {
  spec: CommandSpec;
  /** First word that is no flag. */
  command: string;
  args: string[];
  dash: string[] | undefined;
  flags: Record<string, string[]>;
  error: string | undefined;
}

const shownOf = ({ name, short }: FlagSpec): string => (short === "" ? `--${name}` : `-${short}, --${name}`);

/** What Go says about a value that is none of the flag's type. */
function wrongValue({ type }: FlagSpec, value: string): string | undefined {
  if (type === "int" && !INTEGER.test(value)) return `strconv.ParseInt: parsing ${JSON.stringify(value)}: invalid syntax`;
  if (type === "bool" && !TRUE.has(value) && !FALSE.has(value)) return `strconv.ParseBool: parsing ${JSON.stringify(value)}: invalid syntax`;
  if (type === "duration" && Number.isNaN(parseGoDuration(value))) return `time: ${/^-?[\d.]+$/.test(value) ? "missing unit in" : "invalid"} duration ${JSON.stringify(value)}`;
  return undefined;
}

function put(read: Read, spec: FlagSpec, value: string): void {
  const wrong = wrongValue(spec, value);
  if (wrong !== undefined) read.error ??= `error: invalid argument ${JSON.stringify(value)} for ${JSON.stringify(shownOf(spec))} flag: ${wrong}`;
  (read.flags[spec.name] ??= []).push(value);
}

/** What a flag means without a value; undefined when it needs one. */
const aloneOf = ({ name, type }: FlagSpec): string | undefined => ALONE[name] ?? (type === "bool" ? "true" : undefined);

/** "--name", "--name=value"; returns how many further words it took. */
function readLong(read: Read, arg: string, next: string | undefined): number {
  const at = arg.indexOf("=");
  const name = arg.slice(2, at < 0 ? undefined : at).replaceAll("_", "-");
  const spec = flagsOf(read.spec).find((flag) => flag.name === name);
  if (spec === undefined) {
    read.error ??= name === "" || name.startsWith("-") ? `error: bad flag syntax: ${arg}` : `error: unknown flag: --${name}`;
    return 0;
  }
  const alone = aloneOf(spec);
  if (at >= 0) put(read, spec, arg.slice(at + 1));
  else if (alone !== undefined) put(read, spec, alone);
  else if (next === undefined) read.error ??= `error: flag needs an argument: --${name}`;
  else {
    put(read, spec, next);
    return 1;
  }
  return 0;
}

/** "-f x", "-fx", "-f=x", "-it": letters in a row. */
function readShort(read: Read, arg: string, next: string | undefined): number {
  for (let i = 1; i < arg.length; i++) {
    const letter = arg[i] ?? "";
    const spec = flagsOf(read.spec).find(({ short }) => short === letter);
    if (spec === undefined) {
      read.error ??= `error: unknown shorthand flag: '${letter}' in -${arg.slice(i)}`;
      return 0;
    }
    const rest = arg.slice(i + 1);
    const alone = aloneOf(spec);
    if (rest.startsWith("=")) put(read, spec, rest.slice(1));
    else if (alone !== undefined) {
      put(read, spec, alone);
      continue;
    } else if (rest !== "") put(read, spec, rest);
    else if (next === undefined) read.error ??= `error: flag needs an argument: '${letter}' in -${arg.slice(i)}`;
    else {
      put(read, spec, next);
      return 1;
    }
    return 0;
  }
  return 0;
}

/** How many words a flag takes that stands before its command is known. */
const takesNext = (spec: CommandSpec, arg: string): boolean => {
  if (arg.includes("=")) return false;
  const flag = flagsOf(spec).find(({ name, short }) => arg === `--${name}` || arg === `-${short}`);
  return flag !== undefined && aloneOf(flag) === undefined;
};

/** The command that a line is about, as cobra finds it: words that are no flags name it and its parents. */
export function findCommand(argv: readonly string[]): CommandSpec {
  let spec = rootCommand();
  for (let i = 0; i < argv.length; i++) {
    const arg = argv[i] ?? "";
    if (arg === "--") break;
    if (arg.startsWith("-") && arg !== "-") {
      if (takesNext(spec, arg)) i++;
      continue;
    }
    const child = childOf(spec, arg);
    if (child === undefined) break;
    spec = child;
  }
  return spec;
}

function readWords(argv: readonly string[]): Read {
  const read: Read = { spec: findCommand(argv), command: "", args: [], dash: undefined, flags: {}, error: undefined };
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
  const { spec: { path }, command, args, dash, flags, error } = readWords(argv);
  const text = (name: string, otherwise = ""): string => flags[name]?.at(-1) ?? otherwise;
  const on = (name: string, otherwise = false): boolean => (flags[name] === undefined ? otherwise : TRUE.has(text(name)));
  const dryRun = text("dry-run", "none");
  const warnings: string[] = [];
  if (flags["record"] !== undefined) warnings.push("Flag --record has been deprecated, --record will be removed in the future");
  if (flags["cpu-percent"] !== undefined) warnings.push("Flag --cpu-percent has been deprecated, Use --cpu with percentage or resource quantity format (e.g., '70%' for utilization or '500m' for milliCPU).");
  return {
    command, path, args, dash, flags, files: flags["filename"] ?? flags["kustomize"]?.filter((folder) => folder !== "") ?? [], namespace: text("namespace"), namespaceGiven: text("namespace") !== "", allNamespaces: on("all-namespaces"), output: text("output"), selector: text("selector"),
    fieldSelector: text("field-selector"), watch: on("watch") || on("watch-only"), all: on("all"), force: on("force"), wait: on("wait", true), gracePeriod: on("now") ? 1 : Number(text("grace-period", "-1")), cascade: text("cascade", "background"),
    dryRun: isDryRun(dryRun) ? DRY_RUN[dryRun] : "none", ignoreNotFound: on("ignore-not-found"), container: text("container"), previous: on("previous"), tail: Number(text("tail", "-1")), noHeaders: on("no-headers"),
    showLabels: on("show-labels"), validate: text("validate", "strict"), user: text("as"), timeout: text("timeout", "0s"), overwrite: on("overwrite"), warnings,
    error: error === undefined ? (isDryRun(dryRun) ? undefined : `error: Invalid dry-run value (${dryRun}). Must be "none", "server", or "client".`) : path === "" && command !== "" ? undefined : `${error}\nSee 'kubectl${path === "" ? "" : ` ${path}`} --help' for usage.`,
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

/** cmd/util/helpers.go GetValidationDirective: what --validate asks of the server; undefined for a word that it does not know. */
export const fieldValidation = ({ validate }: Options): "Strict" | "Warn" | "Ignore" | undefined => (validate === "strict" || TRUE.has(validate) ? "Strict" : validate === "warn" ? "Warn" : validate === "ignore" || FALSE.has(validate) ? "Ignore" : undefined);
