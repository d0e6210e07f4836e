// Models tar of busybox and GNU, as far as kubectl cp needs it: one archive on standard output or from standard input or a file
import { readTar, type TarEntry, writeTar } from "../../../api/tar.ts";
import { isDirectory, listDirectory, normalizePath, readFile } from "../../files.ts";
import { type CommandResult, hostWrite, type ShellHost } from "../host.ts";

interface TarEnv {
  readonly host: ShellHost;
  readonly cwd: string;
  readonly stdin: string;
}

const MISSING = "No such file or directory";
const fail = (busybox: boolean, short: string, long: string): CommandResult => (busybox ? { status: 1, err: `tar: ${short}\n` } : { status: 2, err: `tar: ${long}\n` });

function collect(env: TarEnv, name: string, path: string): readonly TarEntry[] | undefined {
  const content = readFile(env.host.view, path);
  if (content !== undefined) return [{ name, content }];
  if (!isDirectory(env.host.view, path)) return undefined;
  const inside = listDirectory(env.host.view, path).flatMap((entry) => collect(env, `${name === "" ? "" : `${name}/`}${entry}`, normalizePath(entry, path)) ?? []);
  return [...(name === "" ? [] : [{ name: `${name}/`, content: "" }]), ...inside];
}

function create(env: TarEnv, file: string, names: readonly string[], busybox: boolean): CommandResult {
  const entries: TarEntry[] = [];
  let err = "";
  for (const name of names) {
    const stored = name.replace(/^\/+/, "").replace(/\/+$/, "");
    if (name.startsWith("/") && err === "") err = busybox ? "tar: removing leading '/' from member names\n" : "tar: Removing leading `/' from member names\n";
    const found = collect(env, stored, normalizePath(name, env.cwd));
    if (found === undefined) return { status: busybox ? 1 : 2, err: `${err}${busybox ? `tar: ${name}: ${MISSING}\ntar: error exit delayed from previous errors\n` : `tar: ${name}: Cannot stat: ${MISSING}\ntar: Exiting with failure status due to previous errors\n`}` };
    entries.push(...found);
  }
  const archive = writeTar(entries);
  if (file === "-") return { status: 0, out: archive, err };
  const error = hostWrite(env.host, normalizePath(file, env.cwd), archive);
  return error === undefined ? { status: 0, err } : fail(busybox, `can't open '${file}': ${error}`, `${file}: Cannot open: ${error}\ntar: Error is not recoverable: exiting now`);
}

function extract(env: TarEnv, file: string, folder: string, list: boolean, busybox: boolean): CommandResult {
  if (!isDirectory(env.host.view, folder)) return fail(busybox, `can't change directory to '${folder}': ${MISSING}`, `${folder}: Cannot open: ${MISSING}\ntar: Error is not recoverable: exiting now`);
  const text = file === "-" ? env.stdin : readFile(env.host.view, normalizePath(file, env.cwd));
  if (text === undefined) return fail(busybox, `can't open '${file}': ${MISSING}`, `${file}: Cannot open: ${MISSING}\ntar: Error is not recoverable: exiting now`);
  const entries = readTar(text);
  if (entries === undefined) return fail(busybox, "short read", "This does not look like a tar archive\ntar: Exiting with failure status due to previous errors");
  if (list) return { status: 0, out: entries.map(({ name }) => `${name}\n`).join("") };
  for (const { name, content } of entries) {
    const path = normalizePath(name, folder);
    const parent = path.slice(0, path.lastIndexOf("/")) || "/";
    if (!isDirectory(env.host.view, parent)) hostWrite(env.host, `${parent}/`, "");
    const error = name.endsWith("/") ? (isDirectory(env.host.view, path) ? undefined : hostWrite(env.host, `${path}/`, "")) : hostWrite(env.host, path, content);
    if (error !== undefined) return fail(busybox, `can't open '${name}': ${error}`, `${name}: Cannot open: ${error}\ntar: Exiting with failure status due to previous errors`);
  }
  return { status: 0 };
}

/** tar {c|x|t}[mvz]f FILE [-C DIR] [NAME...]; "-" is a standard stream. */
export function tar(args: readonly string[], env: TarEnv): CommandResult {
  const busybox = env.host.shell === "busybox";
  const words = args.filter((arg) => !arg.startsWith("--"));
  const [first = "", ...rest] = words;
  const flags = first.replace(/^-/, "");
  let file = "-";
  let folder = env.cwd;
  const names: string[] = [];
  const queue = flags.includes("f") ? rest.slice(1) : rest;
  if (flags.includes("f")) file = rest[0] ?? "-";
  for (let i = 0; i < queue.length; i++) {
    const word = queue[i] ?? "";
    if (word === "-C") folder = normalizePath(queue[++i] ?? "", env.cwd);
    else if (word === "-f") file = queue[++i] ?? "-";
    else names.push(word);
  }
  if (flags.includes("c")) return create({ ...env, cwd: folder }, file, names, busybox);
  if (flags.includes("x") || flags.includes("t")) return extract(env, file, folder, flags.includes("t"), busybox);
  return fail(busybox, "must specify one of -c -x -t", "You must specify one of the '-Acdtrux', '--delete' or '--test-label' options");
}
