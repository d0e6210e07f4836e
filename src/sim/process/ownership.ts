// Models the kernel's permission check for files (Linux fs/namei.c, generic_permission)
import { capabilityMask } from "../api/capabilities.ts";
import type { PMap } from "../kernel/pmap.ts";
import type { Credentials, MountOwnership, ProcessMount } from "./messages.ts";

/** Who asks: the user and groups of a container's processes, and their powers. */
export interface Who {
  readonly uid: number;
  readonly gid: number;
  /** In ascending order, with `gid`. */
  readonly groups: readonly number[];
  readonly capabilities: readonly string[];
}

export interface Owner {
  readonly uid: number;
  readonly gid: number;
  /** Permission bits, as chmod takes them. */
  readonly mode: number;
}

/** Owners that differ from what their place says, by layer and path. */
export type Owners = PMap<Owner>;

export const ownerKey = (layer: string, path: string): string => `${layer}\n${path}`;

export const ROOT: Who = { uid: 0, gid: 0, groups: [0], capabilities: ["CHOWN", "DAC_OVERRIDE", "FOWNER"] };

/** Lines of /etc/passwd and /etc/group as fields. */
const fields = (text: string | undefined): string[][] => (text ?? "").split("\n").map((line) => line.split(":"));

export const nameOf = (file: string | undefined, id: number): string | undefined => fields(file).find((row) => row[2] === String(id))?.[0];

/** Reads the image's users and groups, as the runtime does before it starts the process. */
export function whoIs(credentials: Credentials, passwd: string | undefined, group: string | undefined): Who {
  const users = fields(passwd);
  const [named = "0", namedGroup] = credentials.user.split(":");
  const row = users.find(([name, , id]) => id === named || (name === named && name !== ""));
  // Simplified: a name that the catalogue's image does not hold stands for the first ordinary user.
  const uid = /^\d+$/.test(named) ? Number(named) : Number(row?.[2] ?? 1000);
  const gid = credentials.gid ?? (/^\d+$/.test(namedGroup ?? "") ? Number(namedGroup) : Number(row?.[3] ?? 0));
  const member = fields(group).filter(([, , , members = ""]) => row?.[0] !== undefined && members.split(",").includes(row[0])).map(([, , id]) => Number(id));
  const groups = [...new Set([gid, ...member, ...credentials.groups])].sort((a, b) => a - b);
  return { uid, gid, groups, capabilities: uid === 0 ? credentials.capabilities : [] };
}

/** Directories that are root's in any image. */
const SYSTEM = /^\/(?:$|(?:bin|boot|dev|etc|lib|lib64|media|mnt|proc|root|sbin|srv|sys|usr|var)(?:$|\/(?!cache\/|lib\/|log\/|run\/)))/;

/** What nobody has changed: a mount's files are as the kubelet left them; the image's are root's, but for its scratch directories. */
export function presetOwner(path: string, directory: boolean, mount: ProcessMount | undefined, atMount: boolean, imageOwner: number | undefined): Owner {
  const owned: MountOwnership = mount?.owned ?? { gid: 0, directory: 0o755, file: 0o644 };
  if (mount !== undefined) return { uid: 0, gid: owned.gid, mode: directory ? (atMount ? owned.directory : owned.directory & ~0o1002) : owned.file };
  if (/^\/(?:tmp|var\/tmp|dev\/shm|dev\/termination-log)$/.test(path)) return { uid: 0, gid: 0, mode: directory ? 0o1777 : 0o666 };
  const owner = SYSTEM.test(path) ? 0 : (imageOwner ?? 0);
  return { uid: owner, gid: owner, mode: directory ? 0o755 : 0o644 };
}

/** Whether `who` may read (4), write (2) or run and search (1). Root may, as long as it has CAP_DAC_OVERRIDE. */
export function permits({ uid, gid, mode }: Owner, who: Who, want: 4 | 2 | 1): boolean {
  if (who.capabilities.includes("DAC_OVERRIDE")) return true;
  const shift = who.uid === uid ? 6 : who.groups.includes(gid) ? 3 : 0;
  return ((mode >> shift) & want) !== 0;
}

/** The part of /proc/PID/status that a security context decides. */
export function procFiles(credentials: Credentials | undefined, { uid, gid, groups, capabilities }: Who): Readonly<Record<string, string>> {
  if (credentials === undefined) return {};
  const own = capabilityMask(capabilities);
  const row = (name: string, value: string): string => `${name}:\t${value}\n`;
  const four = (id: number): string => [id, id, id, id].join("\t");
  const status = row("Uid", four(uid)) + row("Gid", four(gid)) + row("Groups", `${groups.join(" ")} `) + row("CapInh", capabilityMask([])) + row("CapPrm", own) + row("CapEff", own) + row("CapBnd", capabilityMask(credentials.capabilities)) + row("CapAmb", capabilityMask([])) + row("NoNewPrivs", credentials.noNewPrivileges ? "1" : "0") + row("Seccomp", String(credentials.seccomp));
  return { "/proc/1/status": status, "/proc/self/status": status };
}

/** "drwxr-sr-t" */
export function modeText(mode: number, directory: boolean): string {
  const bits = (shift: number, special: boolean, letter: string): string => {
    const rwx = (mode >> shift) & 7;
    const x = (rwx & 1) !== 0;
    return `${rwx & 4 ? "r" : "-"}${rwx & 2 ? "w" : "-"}${special ? (x ? letter : letter.toUpperCase()) : x ? "x" : "-"}`;
  };
  return `${directory ? "d" : "-"}${bits(6, (mode & 0o4000) !== 0, "s")}${bits(3, (mode & 0o2000) !== 0, "s")}${bits(0, (mode & 0o1000) !== 0, "t")}`;
}
