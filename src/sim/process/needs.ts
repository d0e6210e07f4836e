// What a server must be able to write before it serves, and what it says when it may not
import { type FileView, isDirectory, isReadOnlyAt, mayAccess, normalizePath, readFile } from "./files.ts";
import type { ServerProgram } from "./images/image.ts";

const DENIED = { nginx: "(13: Permission denied)", apr: "(13)Permission denied" };
const READ_ONLY = { nginx: "(30: Read-only file system)", apr: "(30)Read-only file system" };

/** What runc says of a directory that is mounted over a file of the image, or of a file over a directory. */
export function mountError(view: FileView): string | undefined {
  for (const { path, source = "", volume = "", subPath = "" } of view.mounts) {
    const at = normalizePath(path);
    const sourceIsFile = subPath !== "" && view.volumes.get(`${view.podUid}/${volume}`)?.[normalizePath(subPath)] !== undefined;
    const bare = { ...view, mounts: [] };
    const there = readFile(bare, at) !== undefined ? "file" : isDirectory(bare, at) ? "directory" : undefined;
    if (there === undefined || there === (sourceIsFile ? "file" : "directory")) continue;
    return `error during container init: error mounting "${source}" to rootfs at "${at}": mount src=${source}, dst=${at}, dstFd=/proc/thread-self/fd/11, flags=MS_BIND|MS_REC: not a directory: unknown: Are you trying to mount a directory onto a file (or vice-versa)? Check if the specified host path exists and is the expected type`;
  }
  return undefined;
}

/** Nearest directory that is there: what a server makes below it is made with it. */
function parentThere(view: FileView, path: string): string {
  let at = normalizePath("..", path);
  while (at !== "/" && !isDirectory(view, at)) at = normalizePath("..", at);
  return at;
}

/**
 * The lines with which the program ends, with status 1, because the root file system is read-only or its user may not
 * write there; undefined if it can start. A need that names several paths has them through symbolic links.
 */
export function cannotStart(view: FileView, program: ServerProgram): readonly string[] | undefined {
  for (const { paths, owner, log } of program.writes ?? []) {
    const readOnly = paths.every((path) => isReadOnlyAt(view, path));
    const denied = !readOnly && !paths.some((path) => !isReadOnlyAt(view, path) && mayAccess(view, parentThere(view, path), 2));
    if (readOnly || denied) return log.map((line) => line.replace("{nginx}", (readOnly ? READ_ONLY : DENIED).nginx).replace("{apr}", (readOnly ? READ_ONLY : DENIED).apr));
    const chown = owner !== undefined && view.who.uid === 0 && !view.who.capabilities.includes("CHOWN");
    if (chown) return [`nginx: [emerg] chown("${paths[0] ?? ""}", ${owner}) failed (1: Operation not permitted)`];
  }
  return undefined;
}
