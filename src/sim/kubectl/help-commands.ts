// Models kubernetes/staging/src/k8s.io/kubectl/pkg/cmd/{help,options,alpha.go,completion,plugin}: commands that only tell about commands
import { childOf, commandSpec, rootCommand } from "./command-table.ts";
import { findCommand } from "./flags.ts";
import { helpOf, optionsText, usageOf } from "./help.ts";
import { command, type Process } from "./process.ts";

/** A command that has only subcommands: its help, and an error when another word follows. */
export function onlySubcommands(p: Process, toStdout = false): never {
  const spec = commandSpec(p.options.path) ?? rootCommand();
  const words = p.options.args.slice(spec.path.split(" ").length - 1);
  if (words.length > 0) return p.fail(`error: unknown command ${JSON.stringify(words.join(" "))}\nSee 'kubectl ${spec.path} -h' for help and examples`);
  if (toStdout) p.print(helpOf(spec));
  else p.printError(helpOf(spec));
  return p.exit(1);
}

/** kubectl without a word. */
export const bare = command([""], (p) => p.print(helpOf(rootCommand())));

/** kubectl help COMMAND */
export const help = command(["help"], (p) => {
  const { args } = p.options;
  const spec = findCommand(args);
  if (args.length > 0 && childOf(rootCommand(), args[0] ?? "") === undefined) return p.printError(`Unknown help topic [${args.map((word) => `\`${word}\``).join(" ")}]\n${usageOf(rootCommand())}`);
  p.print(helpOf(spec));
});

/** kubectl options */
export const options = command(["options"], (p) => p.print(optionsText()));

/** kubectl alpha */
export const alpha = command(["alpha"], (p) => p.printError("No alpha commands are available in this version of kubectl"));

const SHELLS = ["bash", "zsh", "fish", "powershell"];

/** kubectl completion SHELL. Simplified: upstream prints some hundred lines of that shell's code. */
export const completion = command(["completion"], (p) => {
  const [shell, more] = p.options.args;
  const see = "\nSee 'kubectl completion -h' for help and examples";
  if (shell === undefined) return p.fail(`error: Shell not specified.${see}`);
  if (more !== undefined) return p.fail(`error: Too many arguments. Expected only the shell type.${see}`);
  if (!SHELLS.includes(shell)) return p.fail(`error: Unsupported shell type ${JSON.stringify(shell)}.${see}`);
  p.print(`# kubectl completion for ${shell}: this terminal completes commands by itself.`);
});

/** kubectl plugin list: there is no plugin here. */
export const plugin = command(["plugin"], (p) => {
  if (p.options.path === "plugin") return onlySubcommands(p);
  p.fail("error: unable to find any kubectl plugins in your PATH");
});
