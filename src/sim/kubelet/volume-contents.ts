// Models kubernetes/pkg/volume/{configmap,secret,projected,downwardapi} (collectData, MakePayload) and pkg/volume/util/atomic_writer.go
import { rfc3339 } from "../api/time.ts";
import type { DownwardAPIVolumeFile, KeyToPath, Pod, Volume } from "../api/types.ts";
import { LINK } from "../api/volume-files.ts";
import { dataOf, fieldValue, resourceFieldValue } from "./env.ts";
import { knownObject } from "./objects.ts";
import type { VolumeState } from "./state.ts";
import { containerNamed, type Turn } from "./turn.ts";

/** ConfigMaps and Secrets whose content the volume shows. */
export function objectsNeeded(pod: Pod, volume: Volume): readonly string[] {
  const ns = pod.metadata.namespace ?? "default";
  const keys: string[] = [];
  if (volume.configMap) keys.push(`configmap/${ns}/${volume.configMap.name ?? ""}`);
  if (volume.secret) keys.push(`secret/${ns}/${volume.secret.secretName ?? ""}`);
  for (const source of volume.projected?.sources ?? []) {
    if (source.configMap) keys.push(`configmap/${ns}/${source.configMap.name ?? ""}`);
    if (source.secret) keys.push(`secret/${ns}/${source.secret.name ?? ""}`);
  }
  return keys;
}

/** The files of a volume by their paths in it, or why there are none. */
export type Content = { readonly files: Readonly<Record<string, string>> } | { readonly error: string };

function keyed(data: Readonly<Record<string, string>>, items: readonly KeyToPath[] | undefined, optional: boolean | undefined, what: string): Content {
  if (!items) return { files: Object.fromEntries(Object.entries(data).map(([key, text]) => [`/${key}`, text])) };
  const files: Record<string, string> = {};
  for (const item of items) {
    const text = data[item.key];
    if (text !== undefined) files[`/${item.path}`] = text;
    else if (!optional) return { error: `${what}: ${item.key}` };
  }
  return { files };
}

function objectFiles(turn: Turn, key: string, name: string, items: readonly KeyToPath[] | undefined, optional: boolean | undefined): Content {
  const secret = key.startsWith("secret/");
  const object = knownObject(turn, key);
  if (object === undefined) return optional ? { files: {} } : { error: `${secret ? "secret" : "configmap"} "${name}" not found` };
  return keyed(dataOf(object), items, optional, secret ? "references non-existent secret key" : "configmap references non-existent config key");
}

function downwardFiles(turn: Turn, pod: Pod, items: readonly DownwardAPIVolumeFile[]): Readonly<Record<string, string>> {
  const source = { pod, podIP: "", hostIP: turn.config.node.address };
  return Object.fromEntries(items.map((item) => {
    const container = containerNamed(pod, item.resourceFieldRef?.containerName ?? "");
    const text = item.fieldRef ? fieldValue(source, item.fieldRef.fieldPath) : item.resourceFieldRef && container ? resourceFieldValue(container, item.resourceFieldRef.resource, item.resourceFieldRef.divisor, {}) : "";
    return [`/${item.path}`, text] as const;
  }));
}

/** What a ConfigMap, Secret, downward API or projected volume shows now. `tokens`: by their paths. */
export function volumeContent(turn: Turn, pod: Pod, volume: Volume, tokens: VolumeState["tokens"] = {}): Content {
  const ns = pod.metadata.namespace ?? "default";
  if (volume.configMap) return objectFiles(turn, `configmap/${ns}/${volume.configMap.name ?? ""}`, volume.configMap.name ?? "", volume.configMap.items, volume.configMap.optional);
  if (volume.secret) return objectFiles(turn, `secret/${ns}/${volume.secret.secretName ?? ""}`, volume.secret.secretName ?? "", volume.secret.items, volume.secret.optional);
  if (volume.downwardAPI) return { files: downwardFiles(turn, pod, volume.downwardAPI.items ?? []) };
  if (!volume.projected) return { files: {} };
  let files: Readonly<Record<string, string>> = {};
  for (const source of volume.projected.sources ?? []) {
    let part: Content = { files: {} };
    if (source.serviceAccountToken) part = { files: { [`/${source.serviceAccountToken.path}`]: tokens[source.serviceAccountToken.path]?.text ?? "" } };
    else if (source.configMap) part = objectFiles(turn, `configmap/${ns}/${source.configMap.name ?? ""}`, source.configMap.name ?? "", source.configMap.items, source.configMap.optional);
    else if (source.secret) part = objectFiles(turn, `secret/${ns}/${source.secret.name ?? ""}`, source.secret.name ?? "", source.secret.items, source.secret.optional);
    else if (source.downwardAPI) part = { files: downwardFiles(turn, pod, source.downwardAPI.items ?? []) };
    if ("error" in part) return part;
    files = { ...files, ...part.files };
  }
  return { files };
}

/**
 * The directory that holds `files`: they are in a directory named by the time, `..data` is a link to it, and what is seen is
 * linked through that. Exchanging the one link changes all files at once.
 */
export function atomicDirectory(turn: Turn, key: string, files: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const stamp = `..${rfc3339(turn.now).replace(/[-T:]/g, "_").replace("Z", "")}.${turn.ctx.rand(`atomic/${key}`, turn.now) % 4_294_967_296}`;
  const all: Record<string, string> = { "/..data": `${LINK}${stamp}` };
  for (const [path, content] of Object.entries(files)) {
    const [top = ""] = path.slice(1).split("/");
    all[`/${stamp}${path}`] = content;
    all[`/${top}`] = `${LINK}..data/${top}`;
  }
  return all;
}
