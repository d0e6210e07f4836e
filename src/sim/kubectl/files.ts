// Models kubernetes/staging/src/k8s.io/cli-runtime/pkg/resource (FilenameParam)
import type { Options } from "./flags.ts";
import { kustomize } from "./kustomize.ts";
import { expand, type ManifestDocument, readManifest } from "./manifest.ts";
import { BUILT_IN, type Types } from "./types.ts";

/** Folders of the workstation that messages name. */
export const HOME = "/root";
export const WORKING_FOLDER = `${HOME}/manifests`;

/** What kustomize says on the way: deprecated fields. */
export function kustomizeWarnings({ flags }: Options, files: Readonly<Record<string, string>>): readonly string[] {
  const folder = flags["kustomize"]?.at(-1) ?? "";
  const built = folder === "" ? "" : kustomize(files, folder, WORKING_FOLDER);
  return typeof built === "string" ? [] : built.warnings;
}

/** The documents of -f or -k, in order; the text of an error when the command cannot go on. */
export function readFiles({ files: named, flags }: Options, files: Readonly<Record<string, string>>, types: Types = BUILT_IN): readonly ManifestDocument[] | string {
  const documents: ManifestDocument[] = [];
  const folder = flags["kustomize"]?.at(-1) ?? "";
  if (folder !== "") {
    if (flags["filename"] !== undefined) return "error: only one of -f or -k can be specified";
    const built = kustomize(files, folder, WORKING_FOLDER);
    return typeof built === "string" ? built : built.objects.flatMap((object) => expand(folder, object, types));
  }
  for (const file of named) {
    const text = files[file] ?? (file === "-" ? Object.values(files)[0] : undefined);
    if (text !== undefined) {
      documents.push(...readManifest(file === "-" ? "STDIN" : file, text, types));
      continue;
    }
    const url = /^https?:\/\/([^/]+)/.exec(file);
    if (url) return `The connection to the server ${url[1] ?? ""} was refused - did you specify the right host or port?`;
    const folder = file.endsWith("/") ? file : `${file}/`;
    const inside = Object.keys(files).filter((name) => name.startsWith(folder) || file === ".").sort();
    if (inside.length === 0) return `error: the path ${JSON.stringify(file)} does not exist`;
    const deep = flags["recursive"] !== undefined || file === ".";
    const readable = inside.filter((name) => /\.(json|yaml|yml)$/.test(name) && (deep || !name.slice(folder.length).includes("/")));
    if (readable.length === 0) return `error: error reading [${file}]: recognized file extensions are [.json .yaml .yml]`;
    for (const name of readable) documents.push(...readManifest(name, files[name] ?? "", types));
  }
  return documents;
}
