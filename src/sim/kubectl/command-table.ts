// Models the tree of commands of kubernetes/staging/src/k8s.io/kubectl/pkg/cmd/cmd.go and github.com/spf13/cobra
import { COMMAND_TABLE } from "./commands.generated.ts";

export interface FlagSpec {
  readonly name: string;
  /** One letter, or "". */
  readonly short: string;
  /** As help shows it: 'text', 5, false, []. */
  readonly default: string;
  readonly type: "string" | "bool" | "list" | "int" | "duration";
  /** Deprecated or not for users: help and completion leave it out. */
  readonly hidden: boolean;
}

export interface CommandSpec {
  /** "rollout status"; "" is kubectl itself. */
  readonly path: string;
  readonly name: string;
  readonly aliases: readonly string[];
  /** After "kubectl ". */
  readonly usage: string;
  /** Its own flags, by name. */
  readonly flags: readonly FlagSpec[];
}

function typeOf(text: string): FlagSpec["type"] {
  if (text === "true" || text === "false") return "bool";
  if (/^-?\d+$/.test(text)) return "int";
  if (/^\d+[hms]/.test(text)) return "duration";
  return text.startsWith("[") ? "list" : "string";
}

function readFlag(text: string): FlagSpec {
  const [, hidden, , short = "", name = "", value = ""] = /^(!?)((\w):)?([\w-]+)=(.*)$/.exec(text) ?? [];
  return { name, short, default: value, type: typeOf(value), hidden: hidden === "!" };
}

const items = (text: string, by: string): readonly string[] => (text === "" ? [] : text.split(by));

function readCommand(line: string): CommandSpec {
  const [path = "", aliases = "", usage = "", flags = ""] = line.split("\t");
  return { path, name: path.split(" ").at(-1) ?? "", aliases: items(aliases, ","), usage, flags: items(flags, " ").map(readFlag) };
}

/** Every command, parents before their children, as help lists them. */
export const COMMAND_SPECS: readonly CommandSpec[] = COMMAND_TABLE.split("\n").map(readCommand);

const byPath = new Map(COMMAND_SPECS.map((spec) => [spec.path, spec] as const));
const ROOT: CommandSpec = byPath.get("") ?? { path: "", name: "", aliases: [], usage: "", flags: [] };

/** The command of that path ("rollout status"). */
export const commandSpec = (path: string): CommandSpec | undefined => byPath.get(path);

/** Subcommands of a command, in the order of the table. */
export const childrenOf = ({ path }: CommandSpec): readonly CommandSpec[] => COMMAND_SPECS.filter((spec) => spec.path !== "" && spec.path.split(" ").slice(0, -1).join(" ") === path);

/** The child with that name or alias. */
export const childOf = (parent: CommandSpec, name: string): CommandSpec | undefined => childrenOf(parent).find((spec) => spec.name === name || spec.aliases.includes(name));

const HELP: FlagSpec = { name: "help", short: "h", default: "false", type: "bool", hidden: true };

/** Flags that a command takes: its own, then those of kubectl. */
export const flagsOf = (spec: CommandSpec): readonly FlagSpec[] => [...spec.flags, ...(spec.path === "" ? [] : ROOT.flags), HELP];

export const rootCommand = (): CommandSpec => ROOT;
