// Models busybox coreutils/ and the GNU tools, as far as their results show in files and texts
import { isDirectory, listDirectory, mayAccess, normalizePath, ownerOf, readFile, sizeOf, sparse } from "../../files.ts";
import { modeText } from "../../ownership.ts";
import { globRegExp } from "../glob.ts";
import { type CommandResult, hostWrite, type ShellHost } from "../host.ts";
import { groupName, userName } from "./users.ts";
import { type Command, type CommandEnv, fail, getopt, joined, lines, MISSING, ok } from "./command.ts";

const there = (env: CommandEnv, path: string): boolean => readFile(env.host.view, path) !== undefined || isDirectory(env.host.view, path);
const busybox = ({ host }: CommandEnv): boolean => host.shell === "busybox";
/** Of a file in bytes; a directory is one block. */
const bytesAt = (host: ShellHost, path: string): number => {
  const text = readFile(host.view, path);
  return text === undefined ? 4096 : sizeOf(text);
};
const pathOf = (env: CommandEnv, name: string): string => normalizePath(name, env.cwd);

/** The operand's text, or standard input for none and "-". */
export function textOf(env: CommandEnv, name: string | undefined): string | undefined {
  return name === undefined || name === "-" ? env.stdin : readFile(env.host.view, pathOf(env, name));
}

const cat: Command = (args, env) => {
  const { rest, letters } = getopt(args);
  let out = "";
  let err = "";
  for (const name of rest.length === 0 ? ["-"] : rest) {
    const text = textOf(env, name);
    if (text !== undefined && name !== "-" && !mayAccess(env.host.view, pathOf(env, name), 4)) err += busybox(env) ? `cat: can't open '${name}': Permission denied\n` : `cat: ${name}: Permission denied\n`;
    else if (text !== undefined) out += text;
    else if (isDirectory(env.host.view, pathOf(env, name))) err += busybox(env) ? "cat: read error: Is a directory\n" : `cat: ${name}: Is a directory\n`;
    else err += busybox(env) ? `cat: can't open '${name}': ${MISSING}\n` : `cat: ${name}: ${MISSING}\n`;
  }
  if (letters.includes("n")) out = joined(lines(out).map((line, i) => `${String(i + 1).padStart(6)}\t${line}`));
  return { status: err === "" ? 0 : 1, out, err };
};

const touch: Command = (args, env) => {
  for (const name of getopt(args, "dtr").rest) {
    const path = pathOf(env, name);
    if (isDirectory(env.host.view, path)) continue;
    const error = hostWrite(env.host, path, readFile(env.host.view, path) ?? "");
    if (error !== undefined) return fail(`touch: ${busybox(env) ? name : `cannot touch '${name}'`}: ${error === "nonexistent directory" ? MISSING : error}\n`);
  }
  return ok();
};

const rm: Command = (args, env) => {
  const { letters, rest } = getopt(args);
  for (const name of rest) {
    const path = pathOf(env, name);
    const directory = isDirectory(env.host.view, path);
    if (!there(env, path)) {
      if (letters.includes("f")) continue;
      return fail(busybox(env) ? `rm: can't remove '${name}': ${MISSING}\n` : `rm: cannot remove '${name}': ${MISSING}\n`);
    }
    if (directory && !/[rR]/.test(letters)) return fail(busybox(env) ? `rm: '${name}' is a directory\n` : `rm: cannot remove '${name}': Is a directory\n`);
    const error = hostWrite(env.host, path, undefined);
    if (error !== undefined) return fail(`rm: ${busybox(env) ? "can't" : "cannot"} remove '${name}': ${error}\n`);
  }
  return ok();
};

const mkdir: Command = (args, env) => {
  const { letters, values, rest } = getopt(args, "m");
  const parents = letters.includes("p") || "parents" in values;
  for (const name of rest) {
    const path = pathOf(env, name);
    const problem = (text: string): CommandResult => fail(busybox(env) ? `mkdir: can't create directory '${name}': ${text}\n` : `mkdir: cannot create directory '${name}': ${text}\n`);
    if (there(env, path)) {
      if (parents && isDirectory(env.host.view, path)) continue;
      return problem("File exists");
    }
    if (!parents && !isDirectory(env.host.view, normalizePath("..", path))) return problem(MISSING);
    const error = hostWrite(env.host, `${path}/`, "");
    if (error !== undefined) return problem(error);
  }
  return ok();
};

function longEntry(env: CommandEnv, path: string, shown: string): string {
  const directory = isDirectory(env.host.view, path);
  const size = bytesAt(env.host, path);
  const { uid, gid, mode } = ownerOf(env.host.view, path);
  return `${modeText(mode, directory)}    ${directory ? 2 : 1} ${userName(env, uid).padEnd(8)} ${groupName(env, gid).padEnd(8)} ${String(size).padStart(9)} Jan  1 00:00 ${shown}`;
}

const ls: Command = (args, env) => {
  const { letters, rest } = getopt(args);
  const long = letters.includes("l");
  let out = "";
  let err = "";
  const names = rest.length === 0 ? ["."] : rest;
  for (const name of names) {
    const path = pathOf(env, name);
    if (isDirectory(env.host.view, path) && !letters.includes("d")) {
      const all = [...(letters.includes("a") ? [".", ".."] : []), ...listDirectory(env.host.view, path).filter((entry) => /[aA]/.test(letters) || !entry.startsWith("."))];
      if (names.length > 1) out += `${out === "" ? "" : "\n"}${name}:\n`;
      out += joined([...(long ? [`total ${all.length * 4}`] : []), ...all.map((entry) => (long ? longEntry(env, normalizePath(entry, path), entry) : entry))]);
    } else if (there(env, path)) out += `${long ? longEntry(env, path, name) : name}\n`;
    else err += busybox(env) ? `ls: ${name}: ${MISSING}\n` : `ls: cannot access '${name}': ${MISSING}\n`;
  }
  return { status: err === "" ? 0 : busybox(env) ? 1 : 2, out, err };
};

function copyTree(env: CommandEnv, from: string, to: string): string | undefined {
  const text = readFile(env.host.view, from);
  if (text !== undefined) return hostWrite(env.host, to, text);
  const made = hostWrite(env.host, `${to}/`, "");
  if (made !== undefined) return made;
  for (const name of listDirectory(env.host.view, from)) {
    const error = copyTree(env, normalizePath(name, from), normalizePath(name, to));
    if (error !== undefined) return error;
  }
  return undefined;
}

function copy(remove: boolean): Command {
  const tool = remove ? "mv" : "cp";
  return (args, env) => {
    const { letters, rest } = getopt(args);
    const target = pathOf(env, rest.at(-1) ?? "");
    for (const name of rest.slice(0, -1)) {
      const from = pathOf(env, name);
      if (!there(env, from)) return fail(busybox(env) ? `${remove ? "mv: can't rename" : "cp: can't stat"} '${name}': ${MISSING}\n` : `${tool}: cannot stat '${name}': ${MISSING}\n`);
      const directory = isDirectory(env.host.view, from);
      if (directory && !remove && !/[rRa]/.test(letters)) return fail(busybox(env) ? `cp: omitting directory '${name}'\n` : `cp: -r not specified; omitting directory '${name}'\n`);
      const to = isDirectory(env.host.view, target) && !(directory && /\/\.?$/.test(name)) ? normalizePath(from.slice(from.lastIndexOf("/") + 1), target) : target;
      const error = copyTree(env, from, to);
      if (error !== undefined) return fail(`${tool}: can't create '${to}': ${error === "nonexistent directory" ? MISSING : error}\n`);
      if (remove) hostWrite(env.host, from, undefined);
    }
    return ok();
  };
}

/** Simplified: upstream's link shares its file; here it is a copy. */
const ln: Command = (args, env) => {
  const [from = "", to = ""] = getopt(args).rest;
  const target = isDirectory(env.host.view, pathOf(env, to)) ? normalizePath(from.slice(from.lastIndexOf("/") + 1), pathOf(env, to)) : pathOf(env, to);
  if (/^\/dev\/(?:std|fd|null)/.test(from) || !there(env, pathOf(env, from))) return ok();
  const error = copyTree(env, pathOf(env, from), target);
  return error === undefined ? ok() : fail(`ln: ${to}: ${error}\n`);
};

function walk(host: ShellHost, path: string, shown: string, depth: number): { readonly path: string; readonly shown: string }[] {
  const here = { path, shown };
  if (depth === 0 || !isDirectory(host.view, path)) return [here];
  return [here, ...listDirectory(host.view, path).flatMap((name) => walk(host, normalizePath(name, path), `${shown.replace(/\/$/, "")}/${name}`, depth - 1))];
}

const find: Command = (args, env) => {
  const first = args.findIndex((arg) => /^[-!(]/.test(arg));
  const roots = first < 0 ? args : args.slice(0, first);
  const tests = first < 0 ? [] : args.slice(first);
  const value = (name: string): string | undefined => (tests.includes(name) ? tests[tests.indexOf(name) + 1] : undefined);
  const name = value("-name") ?? value("-iname");
  const type = value("-type");
  let found = (roots.length === 0 ? ["."] : roots).flatMap((root) => walk(env.host, pathOf(env, root), root, Number(value("-maxdepth") ?? 20)));
  if (name !== undefined) found = found.filter(({ path }) => globRegExp(name).test(path.slice(path.lastIndexOf("/") + 1)));
  if (type !== undefined) found = found.filter(({ path }) => isDirectory(env.host.view, path) === (type === "d"));
  if (tests.includes("-delete")) for (const { path } of found) hostWrite(env.host, path, undefined);
  return ok(tests.includes("-delete") ? "" : joined(found.map(({ shown }) => shown)));
};

const stat: Command = (args, env) => {
  const { rest, values } = getopt(args, "c");
  const [name = ""] = rest;
  const path = pathOf(env, name);
  if (!there(env, path)) return fail(busybox(env) ? `stat: can't stat '${name}': ${MISSING}\n` : `stat: cannot statx '${name}': ${MISSING}\n`);
  const size = bytesAt(env.host, path);
  const directory = isDirectory(env.host.view, path);
  const format = values["c"];
  const { uid, gid, mode } = ownerOf(env.host.view, path);
  const octal = mode.toString(8);
  if (format === undefined) return ok(`  File: ${name}\n  Size: ${size}\n`);
  return ok(`${format.replace(/%([saAnUGugF])/g, (_, c: string) => ({ s: String(size), a: octal, A: modeText(mode, directory), n: name, U: userName(env, uid), G: groupName(env, gid), u: String(uid), g: String(gid), F: directory ? "directory" : "regular file" })[c] ?? "")}\n`);
};

const du: Command = (args, env) => {
  const { rest } = getopt(args);
  return ok(joined((rest.length === 0 ? ["."] : rest).map((name) => `${Math.ceil(walk(env.host, pathOf(env, name), name, 20).reduce((sum, { path }) => sum + bytesAt(env.host, path), 0) / 1024)}\t${name}`)));
};

const unit = (text: string): number => Number.parseInt(text, 10) * ({ k: 1024, K: 1024, m: 1_048_576, M: 1_048_576, g: 1_073_741_824, G: 1_073_741_824 }[text.replace(/[0-9]/g, "").slice(0, 1)] ?? 1);

const fallocate: Command = (args, env) => {
  const { rest, values } = getopt(args, "lo");
  const [name = ""] = rest;
  const error = hostWrite(env.host, pathOf(env, name), sparse(unit(values["l"] ?? "0")));
  return error === undefined ? ok() : fail(`fallocate: ${error === "No space left on device" ? `fallocate '${name}'` : `can't open '${name}'`}: ${error}\n`);
};

const dd: Command = (args, env) => {
  const values = Object.fromEntries(args.map((arg) => [arg.slice(0, arg.indexOf("=")), arg.slice(arg.indexOf("=") + 1)]));
  const bytes = unit(values["bs"] ?? "512") * Number(values["count"] ?? 1);
  const output = values["of"];
  // What it wrote is kept as its length alone: a file of zeroes says nothing.
  const error = output === undefined || output === "/dev/null" ? undefined : hostWrite(env.host, pathOf(env, output), sparse(bytes));
  if (error === "No space left on device") return fail(`dd: error writing '${output ?? ""}': ${error}\n`);
  if (error !== undefined) return fail(`dd: can't open '${output ?? ""}': ${error}\n`);
  return { status: 0, err: `${values["count"] ?? 1}+0 records in\n${values["count"] ?? 1}+0 records out\n` };
};

const mktemp: Command = (args, env) => {
  const { letters, rest } = getopt(args, "p");
  const path = pathOf(env, (rest[0] ?? "/tmp/tmp.XXXXXX").replace(/X+$/, (all) => String(env.host.now).padStart(all.length, "0").slice(-all.length)));
  hostWrite(env.host, letters.includes("d") ? `${path}/` : path, "");
  return ok(`${path}\n`);
};

const readlink: Command = (args, env) => ok(joined(getopt(args).rest.map((name) => pathOf(env, name))));
const basename: Command = ([name = "", suffix = ""]) => ok(`${name.replace(/\/+$/, "").replace(/^.*\//, "").replace(new RegExp(`(?<=.)${suffix.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`), "")}\n`);
const dirname: Command = ([name = ""]) => ok(`${name.includes("/") ? name.replace(/\/+$/, "").replace(/\/[^/]*$/, "") || "/" : "."}\n`);

/** Commands that look at and change files. */
export const FILE_COMMANDS: readonly (readonly [string, Command])[] = [
  ["cat", cat], ["touch", touch], ["rm", rm], ["rmdir", (args, env) => rm(["-r", ...args], env)], ["mkdir", mkdir], ["ls", ls], ["cp", copy(false)], ["mv", copy(true)], ["ln", ln], ["find", find], ["stat", stat], ["du", du], ["dd", dd], ["fallocate", fallocate],
  ["mktemp", mktemp], ["readlink", readlink], ["realpath", readlink], ["basename", basename], ["dirname", dirname],
  ["truncate", (args, env) => touch(getopt(args, "s").rest, env)], ["install", (args, env) => copy(false)(getopt(args, "mog").rest, env)],
];
