import type { ShellHost } from "./host.ts";
import type { ShellState } from "./state.ts";

/** A parameter's value: what the shell itself sets, a positional one, a variable. Undefined if it is not set. */
export function variable({ args, jobs, status, pid, options, cwd, bash, vars }: ShellState, host: ShellHost, name: string): string | undefined {
  switch (name) {
    case "?": return String(status);
    case "#": return String(Math.max(0, args.length - 1));
    case "$": return String(pid);
    case "!": return jobs.length === 0 ? "" : String(jobs.at(-1)?.pid ?? "");
    case "@": case "*": return args.slice(1).join(" ");
    case "-": return options.errexit ? "e" : "";
    case "PWD": return cwd;
    case "RANDOM": return bash || host.shell === "busybox" ? String((host.now * 7919 + host.output.length * 104_729) % 32_768) : undefined;
  }
  return /^\d+$/.test(name) ? args[Number(name)] : (vars[name] ?? vars[`${name}[0]`]);
}

type Variables = Readonly<Record<string, string>>;

/** The elements of a bash array, which is kept as variables named "name[0]" and so on. */
export function elements(vars: Variables, name: string): readonly string[] {
  const list: string[] = [];
  for (let value = vars[`${name}[0]`] ?? vars[name]; value !== undefined; value = vars[`${name}[${list.length}]`]) list.push(value);
  return list;
}

/** The variables with another array under that name. */
export function withArray(vars: Variables, name: string, values: readonly string[]): Variables {
  const kept = Object.entries(vars).filter(([key]) => key !== name && !key.startsWith(`${name}[`));
  return Object.fromEntries([...kept, ...values.map((value, i) => [`${name}[${i}]`, value] as const)]);
}
