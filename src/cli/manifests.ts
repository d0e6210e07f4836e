import { type Io, UsageError } from "./io.ts";

export interface ManifestFiles {
  /** "-f", path, ... for kubectl. */
  readonly argv: readonly string[];
  /** Path to text; standard input under "-". */
  readonly files: Readonly<Record<string, string>>;
}

/** Reads what a command's -f flags name; a folder stands for its .yaml, .yml and .json files, as for kubectl. */
export function readManifests(paths: readonly string[], io: Io): ManifestFiles {
  const files: Record<string, string> = {};
  const argv: string[] = [];
  for (const path of paths) {
    const listed = path === "-" ? undefined : io.list(path)?.filter((name) => /\.(ya?ml|json)$/.test(name));
    if (listed?.length === 0) throw new UsageError(`the folder ${path} holds no .yaml, .yml or .json file`);
    for (const file of listed ?? [path]) {
      files[file] = io.read(file);
      argv.push("-f", file);
    }
  }
  return { argv, files };
}

/** The files that a kubectl command line names with -f, --custom or as what cp copies, and that exist here. */
export function filesOf(argv: readonly string[], io: Io): Record<string, string> {
  const paths = argv.flatMap((word, i) => {
    if (argv[0] === "cp" && i > 0 && !word.startsWith("-") && !word.includes(":")) return [word];
    if (word === "-f" || word === "--filename" || word === "--custom") return argv[i + 1] === undefined ? [] : [argv[i + 1] as string];
    const named = ["--filename=", "-f=", "--custom="].find((flag) => word.startsWith(flag));
    return named === undefined ? [] : [word.slice(named.length)];
  });
  return Object.fromEntries(paths.filter((path) => path !== "-" && io.exists(path) && io.list(path) === undefined).map((path) => [path, io.read(path)]));
}
