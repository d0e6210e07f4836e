// Models kubernetes/staging/src/k8s.io/kubectl/pkg/cmd: command lines
export interface Options {
  readonly command: string;
  readonly args: readonly string[];
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
  readonly replicas: number | undefined;
  readonly image: string;
  readonly validate: string;
  readonly user: string;
  readonly labels: string;
  readonly patch: string;
  readonly patchType: string;
  readonly timeout: string;
  readonly overwrite: boolean;
  readonly port: number | undefined;
  readonly error: string | undefined;
}

type Mutable = { -readonly [K in keyof Options]: Options[K] };

/** Flags that take a value: name to the field they set. */
const VALUED: Readonly<Record<string, keyof Options>> = {
  "-f": "files", "--filename": "files", "-n": "namespace", "--namespace": "namespace", "-o": "output", "--output": "output", "-l": "selector", "--selector": "selector",
  "--field-selector": "fieldSelector", "--grace-period": "gracePeriod", "--cascade": "cascade", "--dry-run": "dryRun", "-c": "container", "--container": "container", "--tail": "tail",
  "--replicas": "replicas", "--image": "image", "--validate": "validate", "--as": "user", "--port": "port", "--labels": "labels", "--patch": "patch", "--type": "patchType", "--timeout": "timeout",
};
const SWITCHES: Readonly<Record<string, keyof Options>> = {
  "-A": "allNamespaces", "--all-namespaces": "allNamespaces", "-w": "watch", "--watch": "watch", "--all": "all", "--force": "force", "--wait": "wait",
  "--ignore-not-found": "ignoreNotFound", "-p": "previous", "--previous": "previous", "--no-headers": "noHeaders", "--show-labels": "showLabels", "--overwrite": "overwrite",
};
/** Known and without effect here. */
const IGNORED = new Set(["--chunk-size", "--request-timeout", "--sort-by", "-R", "--recursive", "-v", "--v", "--context", "--kubeconfig", "--field-manager", "--restart", "-f=false"]);
const NUMBERS = new Set<keyof Options>(["gracePeriod", "tail", "replicas", "port"]);
const SHORT_WITH_VALUE = ["-n", "-f", "-o", "-l", "-c"];

function defaults(): Mutable {
  return {
    command: "", args: [], files: [], namespace: "", namespaceGiven: false, allNamespaces: false, output: "", selector: "", fieldSelector: "", watch: false, all: false, force: false, wait: true, gracePeriod: -1,
    cascade: "background", dryRun: "none", ignoreNotFound: false, container: "", previous: false, tail: -1, noHeaders: false, showLabels: false, replicas: undefined, image: "", validate: "strict", user: "", labels: "", patch: "", patchType: "strategic", timeout: "0s", overwrite: false, port: undefined, error: undefined,
  };
}

function set(options: Mutable, field: keyof Options, value: string): void {
  const target = options as Record<keyof Options, unknown>;
  if (field === "files") options.files = [...options.files, value];
  else if (NUMBERS.has(field)) target[field] = Number(value);
  else target[field] = value;
  if (field === "namespace") options.namespaceGiven = value !== "";
}

function expandShort(arg: string): readonly [string, string | undefined] {
  const short = SHORT_WITH_VALUE.find((flag) => arg.startsWith(flag) && arg.length > 2 && !arg.startsWith("--"));
  if (short !== undefined) return [short, arg.slice(2).replace(/^=/, "")];
  const at = arg.indexOf("=");
  return at < 0 ? [arg, undefined] : [arg.slice(0, at), arg.slice(at + 1)];
}

/** Reads argv. `error` is cobra's text for what it does not know. */
export function parseFlags(argv: readonly string[]): Options {
  const options = defaults();
  for (let i = 0; i < argv.length; i++) {
    const arg = argv[i] ?? "";
    if (!arg.startsWith("-") || arg === "-") {
      if (options.command === "") options.command = arg;
      else options.args = [...options.args, arg];
      continue;
    }
    const [flag, inline] = expandShort(arg);
    const patching = options.command === "patch" && flag === "-p";
    const field = patching ? "patch" : VALUED[flag];
    const on = patching ? undefined : SWITCHES[flag];
    if (options.command === "logs" && flag === "-f" && inline === undefined) continue;
    if (field === "dryRun" && inline === undefined) options.dryRun = "client";
    else if (field !== undefined) {
      const value = inline ?? argv[++i];
      if (value === undefined) options.error ??= flag.startsWith("--") ? `error: flag needs an argument: ${flag}` : `error: flag needs an argument: '${flag.slice(1)}' in ${flag}`;
      set(options, field, value ?? "");
    }
    else if (on !== undefined) (options as Record<keyof Options, unknown>)[on] = inline !== "false";
    else if (flag === "--now") options.gracePeriod = 1;
    else if (IGNORED.has(flag)) {
      if (inline === undefined && !["-R", "--recursive"].includes(flag)) i++;
    } else options.error ??= flag.startsWith("--") ? `error: unknown flag: ${flag}` : `error: unknown shorthand flag: '${flag.slice(1, 2)}' in ${flag}`;
  }
  return options;
}
