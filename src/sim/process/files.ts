import type { PMap } from "../kernel/pmap.ts";
import type { ProcessMount } from "./messages.ts";
import { type Owner, ownerKey, type Owners, permits, presetOwner, type Who } from "./ownership.ts";

/** Path to content. A directory that holds nothing is the path with a trailing slash. */
export type Files = Readonly<Record<string, string>>;

/** What one container sees: its own writable layer over the image, with the Pod's volumes mounted into it. */
export interface FileView {
  readonly podUid: string;
  readonly mounts: readonly ProcessMount[];
  readonly own: Files;
  readonly image: Files;
  readonly volumes: PMap<Files>;
  /** Names the container's own layer in `owners`. */
  readonly layer: string;
  readonly owners: Owners;
  readonly who: Who;
  readonly readOnlyRoot: boolean;
  /** The user of the image's own directories, if it is not root. */
  readonly imageOwner?: number;
  /** Bytes left on the node's disk. */
  readonly room?: () => number;
}

const SPARSE = "\0bytes:";
/** The content of a large file of zeroes: nothing but its size. */
export const sparse = (bytes: number): string => `${SPARSE}${bytes}`;
export const sizeOf = (content: string): number => (content.startsWith(SPARSE) ? Number(content.slice(SPARSE.length)) : content.length);

interface Place {
  readonly volume?: string;
  readonly path: string;
  readonly readOnly: boolean;
  readonly mount?: ProcessMount;
}

/** "/a/../b//c" -> "/b/c" */
export function normalizePath(path: string, cwd = "/"): string {
  const parts: string[] = [];
  for (const part of (path.startsWith("/") ? path : `${cwd}/${path}`).split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}

function placeOf(view: FileView, path: string): Place {
  let best: ProcessMount | undefined;
  for (const mount of view.mounts) {
    const at = normalizePath(mount.path);
    if ((path === at || path.startsWith(at === "/" ? "/" : `${at}/`)) && at.length >= (best === undefined ? 0 : normalizePath(best.path).length)) best = mount;
  }
  if (best === undefined) return { path, readOnly: view.readOnlyRoot && !/^\/(?:dev|proc)(?:\/|$)/.test(path) };
  const inside = path.slice(normalizePath(best.path).length);
  const volume = best.hostPath === undefined ? `${view.podUid}/${best.volume ?? ""}` : `host:${best.hostPath}`;
  return { volume, path: normalizePath(`${best.subPath ?? ""}/${inside}`), readOnly: best.readOnly, mount: best };
}

/** A file's content; undefined if there is none. */
export function readFile(view: FileView, path: string): string | undefined {
  const place = placeOf(view, path);
  if (place.volume !== undefined) return view.volumes.get(place.volume)?.[place.path];
  return view.own[place.path] ?? view.image[place.path];
}

const under = (files: Files, path: string): boolean => {
  const prefix = path === "/" ? "/" : `${path}/`;
  for (const name of Object.keys(files)) if (name.startsWith(prefix)) return true;
  return false;
};

const ROOT_DIRS = new Set(["/", "/bin", "/dev", "/etc", "/home", "/opt", "/proc", "/root", "/run", "/sbin", "/sys", "/tmp", "/usr", "/usr/bin", "/var", "/var/log", "/var/run", "/mnt", "/srv"]);

export function isDirectory(view: FileView, path: string): boolean {
  const place = placeOf(view, path);
  if (place.volume !== undefined) return place.path === "/" || under(view.volumes.get(place.volume) ?? {}, place.path);
  return ROOT_DIRS.has(path) || under(view.own, path) || under(view.image, path) || view.mounts.some((mount) => normalizePath(mount.path).startsWith(`${path}/`));
}

/** Names directly under a directory, sorted. */
export function listDirectory(view: FileView, path: string): string[] {
  const place = placeOf(view, path);
  const names = new Set<string>();
  const collect = (files: Files, at: string): void => {
    const prefix = at === "/" ? "/" : `${at}/`;
    for (const name of Object.keys(files)) if (name.startsWith(prefix) && name !== prefix) names.add(name.slice(prefix.length).split("/")[0] ?? "");
  };
  if (place.volume !== undefined) collect(view.volumes.get(place.volume) ?? {}, place.path);
  else {
    collect(view.image, path);
    collect(view.own, path);
    const below = path === "/" ? "/" : `${path}/`;
    for (const mount of view.mounts) {
      const at = normalizePath(mount.path);
      if (at.startsWith(below)) names.add(at.slice(below.length).split("/")[0] ?? "");
    }
    if (path === "/") for (const dir of ROOT_DIRS) if (dir !== "/" && !dir.slice(1).includes("/")) names.add(dir.slice(1));
  }
  return [...names].filter((name) => name !== "").sort();
}

/** Whose a file or directory is, and who may do what with it. */
export function ownerOf(view: FileView, path: string): Owner {
  const place = placeOf(view, path);
  const stored = view.owners.get(ownerKey(place.volume ?? view.layer, place.path));
  return stored ?? presetOwner(path, isDirectory(view, path), place.mount, place.mount !== undefined && normalizePath(place.mount.path) === path, view.imageOwner);
}

/** Whether this container's user may read (4) or write (2) what is at a path. */
export const mayAccess = (view: FileView, path: string, want: 4 | 2 | 1): boolean => permits(ownerOf(view, path), view.who, want);

/** Whether a file may be run as a program. What an image brings is taken to be marked so. */
export function isRunnable(view: FileView, path: string): boolean {
  const place = placeOf(view, path);
  if (place.volume === undefined && view.own[place.path] === undefined) return true;
  return (ownerOf(view, path).mode & 0o111) !== 0;
}

export const isReadOnlyAt = (view: FileView, path: string): boolean => placeOf(view, path).readOnly;

export interface WriteResult {
  readonly own: Files;
  readonly volumes: PMap<Files>;
  readonly owners: Owners;
  readonly error?: string;
}

const parentOf = (path: string): string => path.replace(/\/$/, "").replace(/\/[^/]*$/, "") || "/";

/** New files are their maker's; a directory with the setgid bit hands on its group, and the bit to directories. */
function newOwner(view: FileView, path: string): Owner {
  const directory = path.endsWith("/");
  const parent = ownerOf(view, parentOf(path));
  const inherits = (parent.mode & 0o2000) !== 0;
  return { uid: view.who.uid, gid: inherits ? parent.gid : view.who.gid, mode: directory ? 0o755 | (inherits ? 0o2000 : 0) : 0o644 };
}

/** Writes, or with undefined removes, a file. Errors: "Read-only file system", "nonexistent directory", "Permission denied", "No space left on device". */
export function writeFile(view: FileView, path: string, content: string | undefined): WriteResult {
  const place = placeOf(view, path);
  const { own, volumes, owners } = view;
  const refuse = (error: string): WriteResult => ({ own, volumes, owners, error });
  if (place.readOnly) return refuse("Read-only file system");
  const parent = parentOf(path);
  if (content !== undefined && !path.endsWith("/") && !isDirectory(view, parent)) return refuse("nonexistent directory");
  const isNew = readFile(view, path) === undefined && !isDirectory(view, path.replace(/(?<=.)\/$/, ""));
  if (!mayAccess(view, isNew || content === undefined ? parent : path, 2)) return refuse("Permission denied");
  if (content !== undefined && !place.volume?.startsWith("host:") && view.room !== undefined && sizeOf(content) > view.room()) return refuse("No space left on device");
  const edit = (files: Files, key: string): Files => {
    if (content !== undefined) return { ...files, [key]: content };
    return Object.fromEntries(Object.entries(files).filter(([name]) => name !== key && !name.startsWith(`${key}/`)));
  };
  const key = path.endsWith("/") && !place.path.endsWith("/") ? `${place.path}/` : place.path;
  const owned = isNew && content !== undefined ? setOwner(view, path.replace(/(?<=.)\/$/, ""), newOwner(view, path)) : owners;
  if (place.volume === undefined) return { own: edit(own, key), volumes, owners: owned };
  return { own, volumes: volumes.set(place.volume, edit(volumes.get(place.volume) ?? {}, key)), owners: owned };
}

/** chown and chmod, without asking who may. */
export function setOwner(view: FileView, path: string, owner: Owner): Owners {
  const place = placeOf(view, path);
  return view.owners.set(ownerKey(place.volume ?? view.layer, place.path), owner);
}
