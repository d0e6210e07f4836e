import { followLinks, LINK, normalizePath } from "../api/volume-files.ts";
import type { PMap } from "../kernel/pmap.ts";
import type { ProcessMount } from "./messages.ts";

export { normalizePath };

/** Path to content. A directory that holds nothing is the path with a trailing slash. */
export type Files = Readonly<Record<string, string>>;

/** What one container sees: its own writable layer over the image, with the Pod's volumes mounted into it. */
export interface FileView {
  readonly podUid: string;
  readonly mounts: readonly ProcessMount[];
  readonly own: Files;
  readonly image: Files;
  readonly volumes: PMap<Files>;
  /** Bytes that a volume in memory holds at most. */
  readonly tmpfs?: PMap<number>;
}

const SPARSE = "\0bytes:";
/** The content of a large file of zeroes: nothing but its size. */
export const sparse = (bytes: number): string => `${SPARSE}${bytes}`;
export const sizeOf = (content: string): number => (content.startsWith(SPARSE) ? Number(content.slice(SPARSE.length)) : content.startsWith(LINK) ? 0 : content.length);
/** Bytes of all files of a volume. */
export const usageOf = (files: Files): number => Object.values(files).reduce((sum, content) => sum + sizeOf(content), 0);

interface Place {
  readonly volume?: string;
  readonly mount?: ProcessMount;
  /** Path of the mount itself in the volume. */
  readonly root?: string;
  readonly path: string;
  readonly readOnly: boolean;
}

function placeOf(view: FileView, path: string): Place {
  let best: ProcessMount | undefined;
  for (const mount of view.mounts) {
    const at = normalizePath(mount.path);
    if ((path === at || path.startsWith(at === "/" ? "/" : `${at}/`)) && at.length >= (best === undefined ? 0 : normalizePath(best.path).length)) best = mount;
  }
  if (best === undefined) return { path, readOnly: false };
  const inside = path.slice(normalizePath(best.path).length);
  const volume = best.hostPath === undefined ? `${view.podUid}/${best.volume ?? ""}` : `host:${best.hostPath}`;
  const root = normalizePath(best.subPath ?? "");
  return { volume, mount: best, root, path: normalizePath(`${root}/${inside}`), readOnly: best.readOnly };
}

/** The mount's own directory is there, whatever it holds. */
const isMountRoot = (view: FileView, { volume, root, path }: Place): boolean => path === root && view.volumes.get(volume ?? "")?.[path] === undefined;

/** The mount that a path lies in, and whether it is its root. */
export function mountOf(view: FileView, path: string): { readonly mount: ProcessMount; readonly root: boolean } | undefined {
  const { mount, path: at, root } = placeOf(view, path);
  return mount && { mount, root: at === root };
}

/** Where a symbolic link of a volume points to. */
export function readLink(view: FileView, path: string): string | undefined {
  const place = placeOf(view, path);
  const content = place.volume === undefined ? undefined : view.volumes.get(place.volume)?.[place.path];
  return content?.startsWith(LINK) ? content.slice(LINK.length) : undefined;
}

/** A file's content; undefined if there is none. */
export function readFile(view: FileView, path: string): string | undefined {
  const place = placeOf(view, path);
  if (place.volume !== undefined) {
    const files = view.volumes.get(place.volume);
    return files?.[followLinks(files, place.path)];
  }
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
  if (place.volume !== undefined) {
    const files = view.volumes.get(place.volume) ?? {};
    const at = followLinks(files, place.path);
    return files[at] === undefined && (at === "/" || isMountRoot(view, place) || under(files, at));
  }
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
  if (place.volume !== undefined) {
    const files = view.volumes.get(place.volume) ?? {};
    collect(files, followLinks(files, place.path));
  } else {
    collect(view.image, path);
    collect(view.own, path);
    for (const mount of view.mounts) collect({ [normalizePath(mount.path)]: "" }, path);
    if (path === "/") for (const dir of ROOT_DIRS) if (dir !== "/" && !dir.slice(1).includes("/")) names.add(dir.slice(1));
  }
  return [...names].filter((name) => name !== "").sort();
}

export type WriteResult = { readonly own: Files; readonly volumes: PMap<Files>; readonly error?: string };

/** Writes, or with undefined removes, a file. Errors: "Read-only file system", "No space left on device", "nonexistent directory". */
export function writeFile(view: FileView, path: string, content: string | undefined): WriteResult {
  const place = placeOf(view, path);
  const unchanged = { own: view.own, volumes: view.volumes };
  if (place.readOnly) return { ...unchanged, error: "Read-only file system" };
  if (content !== undefined && !path.endsWith("/")) {
    const parent = path.slice(0, path.lastIndexOf("/")) || "/";
    if (!isDirectory(view, parent)) return { ...unchanged, error: "nonexistent directory" };
  }
  const edit = (files: Files, key: string): Files => {
    if (content !== undefined) return { ...files, [key]: content };
    return Object.fromEntries(Object.entries(files).filter(([name]) => name !== key && !name.startsWith(`${key}/`)));
  };
  const key = path.endsWith("/") && !place.path.endsWith("/") ? `${place.path}/` : place.path;
  if (place.volume === undefined) return { own: edit(view.own, key), volumes: view.volumes };
  const edited = edit(view.volumes.get(place.volume) ?? {}, key);
  const room = content === undefined ? undefined : view.tmpfs?.get(place.volume);
  if (room !== undefined && usageOf(edited) > room) return { ...unchanged, error: "No space left on device" };
  return { own: view.own, volumes: view.volumes.set(place.volume, edited) };
}
