// Models kubernetes/pkg/kubelet/volumemanager (populator, reconciler) and pkg/volume/{configmap,secret,projected,emptydir,hostpath}
import type { HttpResponse } from "../api/http.ts";
import type { DownwardAPIVolumeFile, KeyToPath, Pod, Volume } from "../api/types.ts";
import type { Message, Micros } from "../kernel/types.ts";
import type { VolumeWrite } from "../process/messages.ts";
import { NEW_CLAIM, resolveClaim } from "./claims.ts";
import { dataOf, fieldValue, resourceFieldValue } from "./env.ts";
import { checkHostPath, withHostFile } from "./host-path.ts";
import { getObject, isFresh, knownObject, rememberObject } from "./objects.ts";
import type { VolumeState } from "./state.ts";
import { containerNamed, type Turn } from "./turn.ts";
import { LOOP_PERIOD, operationBackoff, putVolume, volumeMounted } from "./volume-state.ts";

export interface VolumeTimer extends Message {
  readonly type: "kubelet.volume";
  readonly uid: string;
  readonly volume: string;
  readonly what: "populate" | "mount" | "written" | "unmount";
}

function kindOf(volume: Volume): string {
  return ["emptyDir", "configMap", "secret", "projected", "downwardAPI", "hostPath", "image", "persistentVolumeClaim", "ephemeral", "csi", "nfs"].find((kind) => kind in volume) ?? "unknown";
}
const CLAIM = "persistentVolumeClaim";
const MADE_HERE = new Set(["emptyDir", "configMap", "secret", "projected", "downwardAPI", "hostPath", "image"]);

/** The Pod came to the node: its volumes enter the desired state at the populator's next round. */
export function addPodVolumes(turn: Turn, uid: string): void {
  const volumes = turn.worker(uid)?.pod.spec.volumes ?? [];
  if (volumes.length === 0) return;
  later(turn, uid, "", "populate", turn.nextTick("populator", LOOP_PERIOD, turn.now) - turn.now);
}

function later(turn: Turn, uid: string, volume: string, what: VolumeTimer["what"], delay: Micros): void {
  turn.ctx.after(delay, { type: "kubelet.volume", uid, volume, what } satisfies VolumeTimer);
}

export function onVolumeTimer(turn: Turn, message: VolumeTimer): void {
  const worker = turn.worker(message.uid);
  if (!worker || worker.phase === "terminated" || worker.phase === "finished") return;
  switch (message.what) {
    case "populate": return populate(turn, message.uid);
    case "mount": {
      if (message.volume !== "") return mount(turn, message.uid, message.volume);
      for (const name of Object.keys(worker.volumes)) mount(turn, message.uid, name);
      return;
    }
    case "written": return volumeMounted(turn, message.uid, message.volume);
  }
}

function populate(turn: Turn, uid: string): void {
  const worker = turn.worker(uid);
  if (!worker || worker.phase !== "syncing") return;
  const volumes: Record<string, VolumeState> = {};
  for (const volume of worker.pod.spec.volumes ?? []) {
    const kind = kindOf(volume);
    if (kind === CLAIM) volumes[volume.name] = NEW_CLAIM;
    else volumes[volume.name] = { kind, state: MADE_HERE.has(kind) ? "desired" : "unsupported", pending: 0, error: "", failures: 0, mountedAt: 0, objects: [] };
  }
  turn.update(uid, { volumes, volumesPopulated: true });
  turn.explain(`The populator puts ${Object.keys(volumes).length} volume${Object.keys(volumes).length === 1 ? "" : "s"} of ${worker.pod.metadata.name ?? ""} into the desired state`, worker.pod, { why: "One loop of 100 ms says what should be mounted, another mounts it" });
  // The reconciler's first round only notes that there is nothing to attach; the second mounts.
  const first = turn.nextTick("reconciler", LOOP_PERIOD, turn.now + 1);
  later(turn, uid, "", "mount", first + LOOP_PERIOD - turn.now);
  for (const name of Object.keys(volumes)) if (volumes[name]?.kind === CLAIM) resolveClaim(turn, uid, name);
}

const specOf = (turn: Turn, uid: string, name: string): Volume | undefined => turn.worker(uid)?.pod.spec.volumes?.find((volume) => volume.name === name);

/** ConfigMaps and Secrets whose content the volume shows. */
function objectsNeeded(pod: Pod, volume: Volume): readonly string[] {
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

function mount(turn: Turn, uid: string, name: string): void {
  const worker = turn.worker(uid);
  const volume = specOf(turn, uid, name);
  const state = worker?.volumes[name];
  if (!worker || !volume || !state || state.state === "mounted" || state.state === "mounting" || state.state === "unsupported" || state.kind === CLAIM) return;
  const { pod } = worker;
  const objects = objectsNeeded(pod, volume);
  putVolume(turn, uid, name, { state: "mounting", error: "", objects, mountedAt: turn.now });
  turn.explain(`MountVolume starts for ${name} (${state.kind})`, pod, { level: "basic", status: `mounting ${name}` });
  let pending = 0;
  for (const object of objects) {
    if (isFresh(turn, object)) continue;
    getObject(turn, object, { for: "volume", uid, volume: name, object });
    pending++;
  }
  const token = volume.projected?.sources?.find((source) => source.serviceAccountToken)?.serviceAccountToken;
  if (token) {
    const ns = pod.metadata.namespace ?? "default";
    const account = pod.spec.serviceAccountName ?? "default";
    const body = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: { audiences: token.audience === undefined ? [] : [token.audience], expirationSeconds: token.expirationSeconds ?? 3600, boundObjectRef: { kind: "Pod", apiVersion: "v1", name: pod.metadata.name, uid } } };
    turn.api({ method: "POST", path: `/api/v1/namespaces/${ns}/serviceaccounts/${account}/token`, body, subject: `serviceaccount/${ns}/${account}`, level: "basic" }, { for: "volume", uid, volume: name, object: "token" });
    pending++;
  }
  putVolume(turn, uid, name, { pending });
  if (pending === 0) setUp(turn, uid, name);
}

export function onVolumeAnswer(turn: Turn, uid: string, name: string, object: string, message: Message): void {
  const state = turn.worker(uid)?.volumes[name];
  const error = message.type === "net.error" ? "the API server cannot be reached" : object === "token" ? tokenError(message as HttpResponse) : rememberObject(turn, object, message as HttpResponse);
  if (state?.state !== "mounting") return;
  putVolume(turn, uid, name, { pending: state.pending - 1, error: state.error === "" && object === "token" ? error : state.error });
  if (state.pending <= 1) setUp(turn, uid, name);
}

const tokenError = (response: HttpResponse): string => (response.status === 201 || response.status === 200 ? "" : `failed to fetch token: ${(response.body as { message?: string } | undefined)?.message ?? `status ${response.status}`}`);

type Content = { readonly files: Readonly<Record<string, string>> } | { readonly error: string };

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

function content(turn: Turn, pod: Pod, volume: Volume): Content {
  const ns = pod.metadata.namespace ?? "default";
  if (volume.configMap) return objectFiles(turn, `configmap/${ns}/${volume.configMap.name ?? ""}`, volume.configMap.name ?? "", volume.configMap.items, volume.configMap.optional);
  if (volume.secret) return objectFiles(turn, `secret/${ns}/${volume.secret.secretName ?? ""}`, volume.secret.secretName ?? "", volume.secret.items, volume.secret.optional);
  if (volume.downwardAPI) return { files: downwardFiles(turn, pod, volume.downwardAPI.items ?? []) };
  if (!volume.projected) return { files: {} };
  let files: Readonly<Record<string, string>> = {};
  for (const source of volume.projected.sources ?? []) {
    let part: Content = { files: {} };
    if (source.serviceAccountToken) part = { files: { [`/${source.serviceAccountToken.path}`]: `(token of ${ns}/${pod.spec.serviceAccountName ?? "default"} for ${pod.metadata.name ?? ""})` } };
    else if (source.configMap) part = objectFiles(turn, `configmap/${ns}/${source.configMap.name ?? ""}`, source.configMap.name ?? "", source.configMap.items, source.configMap.optional);
    else if (source.secret) part = objectFiles(turn, `secret/${ns}/${source.secret.name ?? ""}`, source.secret.name ?? "", source.secret.items, source.secret.optional);
    else if (source.downwardAPI) part = { files: downwardFiles(turn, pod, source.downwardAPI.items ?? []) };
    if ("error" in part) return part;
    files = { ...files, ...part.files };
  }
  return { files };
}

function setUp(turn: Turn, uid: string, name: string): void {
  const worker = turn.worker(uid);
  const volume = specOf(turn, uid, name);
  const state = worker?.volumes[name];
  if (!worker || !volume || !state) return;
  const made: Content = state.error === "" ? content(turn, worker.pod, volume) : { error: state.error };
  if ("error" in made) return failed(turn, uid, name, made.error);
  if (volume.hostPath) {
    const host = checkHostPath(volume.hostPath.path, volume.hostPath.type ?? "", turn.state.hostFiles);
    if ("error" in host) return failed(turn, uid, name, host.error);
    if (host.makes) turn.set({ hostFiles: withHostFile(turn.state.hostFiles, volume.hostPath.path, host.makes) });
  }
  write(turn, uid, name, volume, made.files);
  later(turn, uid, name, "written", turn.ctx.latency("kubelet.volume-setup", `${uid}/${name}`));
}

function write(turn: Turn, uid: string, name: string, volume: Volume, files: Readonly<Record<string, string>>): void {
  if (volume.hostPath || volume.image) return;
  turn.ctx.send(`process@${turn.config.node.name}`, { type: "volume.write", podUid: uid, volume: name, files } satisfies VolumeWrite, { protocol: "disk", latency: 500, verb: "write", subject: `pod/${turn.worker(uid)?.key ?? ""}`, level: "operator" });
}

function failed(turn: Turn, uid: string, name: string, error: string): void {
  const worker = turn.worker(uid);
  const state = worker?.volumes[name];
  if (!worker || !state) return;
  turn.event(worker.pod, "Warning", "FailedMount", `MountVolume.SetUp failed for volume "${name}" : ${error}`);
  turn.explain(`Volume ${name} cannot be set up: ${error}`.slice(0, 138), worker.pod, { level: "basic" });
  const delay = operationBackoff(state.failures);
  putVolume(turn, uid, name, { state: "failed", error, failures: state.failures + 1 });
  later(turn, uid, name, "mount", Math.max(0, turn.nextTick("reconciler", LOOP_PERIOD, state.mountedAt + delay) - turn.now));
}

/** A volume that this node cannot tell what to do with: the error SyncPod ends with. */
export function waitProblem(turn: Turn, uid: string): string | undefined {
  const worker = turn.worker(uid);
  if (!worker) return undefined;
  const volumes = worker.pod.spec.volumes ?? [];
  const unknown = volumes.filter((volume) => kindOf(volume) !== CLAIM && !MADE_HERE.has(kindOf(volume)));
  const unresolved = volumes.filter((volume) => worker.volumes[volume.name]?.state === "unresolved");
  const problems = [...(unknown.length > 0 ? ["volume kind is not simulated"] : []), ...unresolved.map((volume) => worker.volumes[volume.name]?.error ?? "")];
  if (problems.length === 0) return undefined;
  const names = [...unknown, ...unresolved].map((volume) => volume.name).sort().join(" ");
  const unmounted = volumes.map((volume) => volume.name).filter((name) => worker.volumes[name] !== undefined && worker.volumes[name].state !== "mounted").sort().join(" ");
  return `unmounted volumes=[${unmounted || names}], unattached volumes=[], failed to process volumes=[${names}]: ${problems.join("; ")}`;
}

/** A later sync of a running Pod: ConfigMap and Secret volumes follow their objects. */
export function refreshVolumes(turn: Turn, uid: string): void {
  const worker = turn.worker(uid);
  if (!worker) return;
  for (const [name, state] of Object.entries(worker.volumes)) {
    if (state.state !== "mounted") continue;
    for (const object of state.objects) if (!object.endsWith("/kube-root-ca.crt") && !isFresh(turn, object)) getObject(turn, object, { for: "volume", uid, volume: name, object });
  }
}

/** A refreshed object of a mounted volume: its files are swapped at once. */
export function onRefreshed(turn: Turn, uid: string, name: string, object: string, message: Message): boolean {
  const worker = turn.worker(uid);
  const volume = specOf(turn, uid, name);
  if (worker?.volumes[name]?.state !== "mounted" || !volume || message.type !== "http.response") return false;
  const before = knownObject(turn, object);
  rememberObject(turn, object, message as HttpResponse);
  const after = knownObject(turn, object);
  if (after === undefined || before?.metadata.resourceVersion === after.metadata.resourceVersion) return true;
  const made = content(turn, worker.pod, volume);
  if ("files" in made) write(turn, uid, name, volume, made.files);
  return true;
}
