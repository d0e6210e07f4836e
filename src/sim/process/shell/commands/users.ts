// Models the commands of busybox and coreutils that ask who one is and whose a file is
import { isDirectory, isReadOnlyAt, normalizePath, ownerOf, readFile, setOwner } from "../../files.ts";
import { nameOf, type Owner } from "../../ownership.ts";
import { type Command, type CommandEnv, fail, getopt, MISSING, ok } from "./command.ts";

const PASSWD = "/etc/passwd";
const GROUP = "/etc/group";

export const userName = (env: CommandEnv, uid: number): string => nameOf(readFile(env.host.view, PASSWD), uid) ?? String(uid);
export const groupName = (env: CommandEnv, gid: number): string => nameOf(readFile(env.host.view, GROUP), gid) ?? String(gid);

/** "0(root)", or the number of who has no name. */
const named = (id: number, name: string): string => (name === String(id) ? name : `${id}(${name})`);

const id: Command = (args, env) => {
  const { uid, gid, groups } = env.host.view.who;
  const { letters } = getopt(args);
  const byName = letters.includes("n");
  if (letters.includes("u")) return ok(`${byName ? userName(env, uid) : uid}\n`);
  if (letters.includes("g")) return ok(`${byName ? groupName(env, gid) : gid}\n`);
  if (letters.includes("G")) return ok(`${groups.map((group) => (byName ? groupName(env, group) : group)).join(" ")}\n`);
  return ok(`uid=${named(uid, userName(env, uid))} gid=${named(gid, groupName(env, gid))} groups=${groups.map((group) => named(group, groupName(env, group))).join(",")}\n`);
};

const whoami: Command = (_, env) => {
  const { uid } = env.host.view.who;
  const name = userName(env, uid);
  return name === String(uid) ? fail(env.host.shell === "busybox" ? `whoami: unknown uid ${uid}\n` : `whoami: cannot find name for user ID ${uid}: No such file or directory\n`) : ok(`${name}\n`);
};

/** "u+x,g-w", "0640" on the bits that a file has; undefined for what chmod does not understand. */
export function changedMode(mode: number, text: string, directory: boolean): number | undefined {
  if (/^[0-7]{1,4}$/.test(text)) return Number.parseInt(text, 8);
  let bits = mode;
  for (const clause of text.split(",")) {
    const m = /^([ugoa]*)([-+=])([rwxXst]*)$/.exec(clause);
    if (!m) return undefined;
    const [, whom = "", op = "", what = ""] = m;
    const all = whom === "" || whom.includes("a");
    let change = 0;
    for (const [letter, shift] of [["u", 6], ["g", 3], ["o", 0]] as const) {
      if (!all && !whom.includes(letter)) continue;
      for (const [right, bit] of [["r", 4], ["w", 2], ["x", 1]] as const) if (what.includes(right) || (right === "x" && what.includes("X") && (directory || (bits & 0o111) !== 0))) change |= bit << shift;
      if (op === "=") bits &= ~(7 << shift);
    }
    if (what.includes("s")) change |= (all || whom.includes("u") ? 0o4000 : 0) | (all || whom.includes("g") ? 0o2000 : 0);
    if (what.includes("t")) change |= 0o1000;
    bits = op === "-" ? bits & ~change : bits | change;
  }
  return bits;
}

/** Runs over the named files, and what is below them with -R. */
function change(tool: string, words: readonly string[], recursive: boolean, env: CommandEnv, what: (owner: Owner, directory: boolean) => Owner | undefined): ReturnType<Command> {
  const { host } = env;
  for (const name of words) {
    const root = normalizePath(name, env.cwd);
    const there = (path: string): boolean => readFile(host.view, path) !== undefined || isDirectory(host.view, path);
    if (!there(root)) return fail(host.shell === "busybox" ? `${tool}: ${name}: ${MISSING}\n` : `${tool}: cannot access '${name}': ${MISSING}\n`);
    const below = recursive ? [...Object.keys(host.view.own), ...host.view.volumes.keys().flatMap((key) => Object.keys(host.view.volumes.get(key) ?? {}))].map((path) => path.replace(/\/$/, "")).filter((path) => path.startsWith(`${root}/`)) : [];
    for (const path of [root, ...new Set(below)]) {
      const before = ownerOf(host.view, path);
      const { uid, capabilities } = host.view.who;
      const may = tool === "chmod" ? uid === before.uid || capabilities.includes("FOWNER") : capabilities.includes("CHOWN");
      const after = may ? what(before, isDirectory(host.view, path)) : undefined;
      const problem = isReadOnlyAt(host.view, path) ? "Read-only file system" : after === undefined ? "Operation not permitted" : undefined;
      if (problem !== undefined) return fail(host.shell === "busybox" ? `${tool}: ${name}: ${problem}\n` : `${tool}: ${tool === "chmod" ? "changing permissions" : "changing ownership"} of '${name}': ${problem}\n`);
      if (after) host.view = { ...host.view, owners: setOwner(host.view, path, after) };
    }
  }
  return ok();
}

const chmod: Command = (args, env) => {
  const recursive = args.some((arg) => /^-\w*R/.test(arg));
  const [mode = "", ...names] = args.filter((arg) => !/^-[Rvcf]+$/.test(arg));
  if (changedMode(0, mode, false) === undefined) return fail(env.host.shell === "busybox" ? `chmod: invalid mode '${mode}'\n` : `chmod: invalid mode: '${mode}'\n`);
  return change("chmod", names, recursive, env, (owner, directory) => ({ ...owner, mode: changedMode(owner.mode, mode, directory) ?? owner.mode }));
};

/** A name or number as the number; undefined if nobody is called so. */
function idOf(file: string | undefined, word: string): number | undefined {
  if (/^\d+$/.test(word)) return Number(word);
  const row = (file ?? "").split("\n").map((line) => line.split(":")).find(([name]) => name === word);
  return row === undefined ? undefined : Number(row[2]);
}

const chown = (tool: "chown" | "chgrp"): Command => (args, env) => {
  const { rest, letters } = getopt(args);
  const [whom = "", ...names] = rest;
  const [userWord = "", groupWord = ""] = tool === "chgrp" ? ["", whom] : whom.split(/[:.]/);
  const uid = userWord === "" ? undefined : idOf(readFile(env.host.view, PASSWD), userWord);
  const gid = groupWord === "" ? undefined : idOf(readFile(env.host.view, GROUP), groupWord);
  if (userWord !== "" && uid === undefined) return fail(env.host.shell === "busybox" ? `${tool}: unknown user ${userWord}\n` : `${tool}: invalid user: '${whom}'\n`);
  if (groupWord !== "" && gid === undefined) return fail(env.host.shell === "busybox" ? `${tool}: unknown group ${groupWord}\n` : `${tool}: invalid group: '${whom}'\n`);
  return change(tool, names, letters.includes("R"), env, (owner) => ({ ...owner, uid: uid ?? owner.uid, gid: gid ?? owner.gid }));
};

/** Commands that ask who one is, and change whose a file is. */
export const USER_COMMANDS: readonly (readonly [string, Command])[] = [
  ["id", id], ["whoami", whoami], ["groups", (args, env) => id([...args, "-Gn"], env)], ["chmod", chmod], ["chown", chown("chown")], ["chgrp", chown("chgrp")],
];
