// Models kubernetes/staging/src/k8s.io/kubectl/pkg/util/templates: the layout of help; its sentences are this project's own
import { childrenOf, commandSpec, type CommandSpec, type FlagSpec, rootCommand } from "./command-table.ts";
import { COMMAND_TEXTS } from "./command-texts.ts";
import { FLAG_TEXTS } from "./flag-texts.ts";

interface CommandText {
  readonly text: string;
  readonly examples: readonly string[];
}

const readTexts = (): ReadonlyMap<string, CommandText> => new Map(COMMAND_TEXTS.split("\n").map((line) => {
  const [path = "", text = "", ...examples] = line.split("|");
  return [path, { text, examples }] as const;
}));
const readFlagTexts = (): ReadonlyMap<string, string> => new Map(FLAG_TEXTS.split(/[|\n]/).map((part) => [part.slice(0, part.indexOf("=")), part.slice(part.indexOf("=") + 1)] as const));

let texts: ReadonlyMap<string, CommandText> | undefined;
let flagTexts: ReadonlyMap<string, string> | undefined;
const textOf = (path: string): CommandText => (texts ??= readTexts()).get(path) ?? { text: "", examples: [] };

/** One sentence about a command, for help and completion. */
export const commandText = (path: string): string => textOf(path).text;
/** One sentence about a flag, for help and completion. */
export const flagText = (name: string): string => (flagTexts ??= readFlagTexts()).get(name) ?? "";

/** The commands of kubectl as its help groups them. */
const GROUPS: readonly (readonly [string, readonly string[]])[] = [
  ["Basic Commands (Beginner):", ["create", "expose", "run", "set"]],
  ["Basic Commands (Intermediate):", ["explain", "get", "edit", "delete"]],
  ["Deploy Commands:", ["rollout", "scale", "autoscale"]],
  ["Cluster Management Commands:", ["certificate", "cluster-info", "top", "cordon", "uncordon", "drain", "taint"]],
  ["Troubleshooting and Debugging Commands:", ["describe", "logs", "attach", "exec", "port-forward", "proxy", "cp", "auth", "debug", "events"]],
  ["Advanced Commands:", ["diff", "apply", "patch", "replace", "wait", "kustomize"]],
  ["Settings Commands:", ["label", "annotate", "completion"]],
  ["Subcommands provided by plugins:", []],
  ["Other Commands:", ["api-resources", "api-versions", "config", "kuberc", "plugin", "version"]],
];
const NARROWEST = 11;

function commandList(title: string, specs: readonly CommandSpec[], width: number): string {
  return [title, ...specs.map(({ name, path }) => `  ${name.padEnd(width)}   ${commandText(path)}`)].join("\n");
}

function subcommands(spec: CommandSpec): string {
  const children = childrenOf(spec);
  const width = Math.max(NARROWEST, ...children.map(({ name }) => name.length));
  if (spec.path !== "") return children.length === 0 ? "" : `${commandList("Available Commands:", [...children].sort((a, b) => (a.name < b.name ? -1 : 1)), width)}\n\n`;
  return `${GROUPS.map(([title, names]) => commandList(title, names.flatMap((name) => commandSpec(name) ?? []), width)).join("\n\n")}\n\n`;
}

const flagLine = ({ name, short, default: value }: FlagSpec): string => `    ${short === "" ? "" : `-${short}, `}--${name}=${value}:\n\t${flagText(name)}\n\n`;
const flagLines = (flags: readonly FlagSpec[]): string => flags.filter(({ hidden }) => !hidden).map(flagLine).join("");

/** What a command prints about its use, without its description. */
export function usageOf(spec: CommandSpec): string {
  const { examples } = textOf(spec.path);
  const own = spec.path === "" ? "" : flagLines(spec.flags).trimEnd();
  const sections = [
    spec.aliases.length === 0 ? "" : `Aliases:\n${[spec.name, ...spec.aliases].join(", ")}\n\n`,
    examples.length === 0 ? "" : `Examples:\n${examples.map((example) => `  ${example}`).join("\n  \n")}\n\n`,
    subcommands(spec),
    own === "" ? "" : `Options:\n${own}\n\n`,
    `Usage:\n  kubectl ${spec.usage}\n\n`,
    childrenOf(spec).length === 0 ? "" : `More about one of them: kubectl ${spec.path === "" ? "" : `${spec.path} `}<command> --help\n`,
    "Flags that every command takes: kubectl options\n",
  ];
  return `\n\n${sections.join("")}`;
}

/** kubectl COMMAND --help */
export const helpOf = (spec: CommandSpec): string => `${commandText(spec.path)}${spec.path === "" || commandText(spec.path).endsWith(".") ? "" : "."}${usageOf(spec)}`;

/** kubectl options */
export const optionsText = (): string => `The following options can be passed to any command:\n\n${flagLines(rootCommand().flags)}`;
