// Models github.com/opencontainers/runc libcontainer/rootfs_linux.go (bind mounts) and containerd's mounts of images
import { parseImageName } from "../api/image-name.ts";
import { PMap } from "../kernel/pmap.ts";
import { imageOf } from "./images/catalogue.ts";
import { followLinks } from "../api/volume-files.ts";
import { type Files, type FileView, isDirectory, normalizePath, readFile } from "./files.ts";
import type { ProcessMount, ProcessStartRequest } from "./messages.ts";
import { ROOT } from "./ownership.ts";

export type Mounted = { readonly error: string } | { readonly mounts: readonly ProcessMount[]; readonly volumes: PMap<Files> };

const depth = (mount: ProcessMount): number => normalizePath(mount.path).split("/").length;

function below(files: Files, root: string): Files {
  const at = followLinks(files, root);
  const exact = files[at];
  if (exact !== undefined) return { [root]: exact };
  return Object.fromEntries(Object.entries(files).flatMap(([path, content]) => (path.startsWith(`${at}/`) ? [[`${root}${path.slice(at.length)}`, content] as const] : [])));
}

/** A mount that has files of its own: those of an image, or what a subPath showed at the start. */
function withOwnFiles(request: ProcessStartRequest, mount: ProcessMount, volumes: PMap<Files>): { readonly mount: ProcessMount; readonly volumes: PMap<Files> } {
  const { image, pinned, volume = "", subPath = "" } = mount;
  if (image === undefined && !pinned) return { mount, volumes };
  const name = `${volume}#${request.containerId.slice(0, 12)}${mount.path}`;
  const files = image === undefined ? below(volumes.get(`${request.podUid}/${volume}`) ?? {}, normalizePath(subPath)) : imageOf(parseImageName(image)?.repository ?? image).image.files;
  return { mount: { ...mount, volume: name, readOnly: mount.readOnly || image !== undefined }, volumes: volumes.set(`${request.podUid}/${name}`, files) };
}

function isFile(request: ProcessStartRequest, mount: ProcessMount, volumes: PMap<Files>): boolean {
  const files = volumes.get(mount.hostPath === undefined ? `${request.podUid}/${mount.volume ?? ""}` : `host:${mount.hostPath}`) ?? {};
  return mount.file ?? files[followLinks(files, normalizePath(mount.subPath ?? ""))] !== undefined;
}

/** Puts a container's mounts into its root file system, outer ones first; what is mounted must be of the kind of what it covers. */
export function mountAll(request: ProcessStartRequest, image: Files, before: PMap<Files>): Mounted {
  let volumes = before;
  let mounts: readonly ProcessMount[] = [];
  for (const wanted of [...request.mounts].sort((a, b) => depth(a) - depth(b))) {
    const made = withOwnFiles(request, wanted, volumes);
    const view: FileView = { podUid: request.podUid, mounts, own: {}, image, volumes, layer: request.containerId, owners: PMap.empty(), who: ROOT, readOnlyRoot: false };
    const target = normalizePath(wanted.path);
    const source = isFile(request, made.mount, made.volumes);
    const there = readFile(view, target) !== undefined ? "file" : isDirectory(view, target) ? "directory" : undefined;
    if (there !== undefined && there !== (source ? "file" : "directory")) return { error: refusal(wanted.source ?? "", target) };
    ({ volumes } = made);
    mounts = [...mounts, made.mount];
  }
  return { mounts, volumes };
}

/** What runc says of a directory that is mounted over a file, or of a file over a directory. */
const refusal = (source: string, target: string): string =>
  `error during container init: error mounting "${source}" to rootfs at "${target}": mount src=${source}, dst=${target}, dstFd=/proc/thread-self/fd/11, flags=MS_BIND|MS_REC: not a directory: unknown: Are you trying to mount a directory onto a file (or vice-versa)? Check if the specified host path exists and is the expected type`;
