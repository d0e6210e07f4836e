// Models kubernetes/pkg/kubelet/volumemanager (populator, reconciler) and pkg/volume/{configmap,secret,projected,emptydir,hostpath}
import type { HttpResponse } from "../api/http.ts";
import { value } from "../api/quantity.ts";
import { parseRfc3339 } from "../api/time.ts";
import type { Volume } from "../api/types.ts";
import type { Message, Micros } from "../kernel/types.ts";
import type { VolumeWrite } from "../process/messages.ts";
import { NEW_CLAIM, resolveClaim } from "./claims.ts";
import { deepEqual } from "./deep-equal.ts";
import { checkHostPath, withHostFile } from "./host-path.ts";
import { beginInlineVolume, inlineVolumeAnswered } from "./inline-csi.ts";
import { getObject, isFresh, rememberObject } from "./objects.ts";
import type { VolumeState } from "./state.ts";
import type { Turn } from "./turn.ts";
import { atomicDirectory, type Content, objectsNeeded, volumeContent } from "./volume-contents.ts";
import { ATOMIC_KINDS, CLAIM_KINDS, kindOf, MADE_HERE } from "./volume-kinds.ts";
import { LOOP_PERIOD, operationBackoff, putVolume, volumeMounted } from "./volume-state.ts";

export interface VolumeTimer extends Message {
  readonly type: "kubelet.volume";
  readonly uid: string;
  readonly volume: string;
  readonly what: "populate" | "mount" | "written" | "unmount";
}

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
    if (CLAIM_KINDS.has(kind)) volumes[volume.name] = { ...NEW_CLAIM, kind };
    else volumes[volume.name] = { kind, state: MADE_HERE.has(kind) ? "desired" : "unsupported", pending: 0, error: "", failures: 0, mountedAt: 0, objects: [] };
  }
  turn.update(uid, { volumes, volumesPopulated: true });
  turn.explain(`The populator puts ${Object.keys(volumes).length} volume${Object.keys(volumes).length === 1 ? "" : "s"} of ${worker.pod.metadata.name ?? ""} into the desired state`, worker.pod, { why: "One loop of 100 ms says what should be mounted, another mounts it" });
  // The reconciler's first round only notes that there is nothing to attach; the second mounts.
  const first = turn.nextTick("reconciler", LOOP_PERIOD, turn.now + 1);
  later(turn, uid, "", "mount", first + LOOP_PERIOD - turn.now);
  for (const name of Object.keys(volumes)) if (CLAIM_KINDS.has(volumes[name]?.kind ?? "")) resolveClaim(turn, uid, name);
}

const specOf = (turn: Turn, uid: string, name: string): Volume | undefined => turn.worker(uid)?.pod.spec.volumes?.find((volume) => volume.name === name);

function mount(turn: Turn, uid: string, name: string): void {
  const worker = turn.worker(uid);
  const volume = specOf(turn, uid, name);
  const state = worker?.volumes[name];
  if (!worker || !volume || !state || state.state === "mounted" || state.state === "mounting" || state.state === "unsupported" || CLAIM_KINDS.has(state.kind)) return;
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
  for (const path of tokensDue(turn, uid, name, volume)) {
    askForToken(turn, uid, name, path);
    pending++;
  }
  if (volume.csi) {
    const problem = beginInlineVolume(turn, uid, name);
    if (problem !== undefined) return failed(turn, uid, name, problem);
    pending++;
  }
  putVolume(turn, uid, name, { pending });
  if (pending === 0) setUp(turn, uid, name);
}

export function onVolumeAnswer(turn: Turn, uid: string, name: string, object: string, message: Message): void {
  const state = turn.worker(uid)?.volumes[name];
  const inline = object === "csidriver" || object === "publish" ? inlineVolumeAnswered(turn, uid, name, message) : "";
  if (inline === undefined) return;
  const token = object.startsWith("token/");
  const error = inline !== "" ? inline : message.type === "net.error" ? "the API server cannot be reached" : token ? tokenRead(turn, uid, name, object, message as HttpResponse) : message.type === "http.response" ? rememberObject(turn, object, message as HttpResponse) : "";
  if (state?.state !== "mounting") return;
  putVolume(turn, uid, name, { pending: state.pending - 1, error: state.error === "" && (token || inline !== "") ? error : state.error });
  if (state.pending <= 1) setUp(turn, uid, name);
}

/** Paths of a projected volume whose token is missing or old. */
function tokensDue(turn: Turn, uid: string, name: string, volume: Volume): readonly string[] {
  const known = turn.worker(uid)?.volumes[name]?.tokens;
  return (volume.projected?.sources ?? []).flatMap(({ serviceAccountToken: token }) => (token && turn.now >= (known?.[token.path]?.refreshAt ?? 0) ? [token.path] : []));
}

function askForToken(turn: Turn, uid: string, name: string, path: string): void {
  const pod = turn.worker(uid)?.pod;
  const token = specOf(turn, uid, name)?.projected?.sources?.find((source) => source.serviceAccountToken?.path === path)?.serviceAccountToken;
  if (!pod || !token) return;
  const ns = pod.metadata.namespace ?? "default";
  const account = pod.spec.serviceAccountName ?? "default";
  const body = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: { audiences: token.audience === undefined ? [] : [token.audience], expirationSeconds: token.expirationSeconds ?? 3600, boundObjectRef: { kind: "Pod", apiVersion: "v1", name: pod.metadata.name, uid } } };
  turn.api({ method: "POST", path: `/api/v1/namespaces/${ns}/serviceaccounts/${account}/token`, body, subject: `serviceaccount/${ns}/${account}`, level: "basic" }, { for: "volume", uid, volume: name, object: `token/${path}` });
}

interface TokenAnswer {
  readonly message?: string;
  readonly spec?: { readonly expirationSeconds?: number };
  readonly status?: { readonly token?: string; readonly expirationTimestamp?: string };
}

/** Keeps a token; another is asked for when a fifth of its time is left, or after a day, each up to 10 s earlier. */
function tokenRead(turn: Turn, uid: string, name: string, object: string, response: HttpResponse): string {
  const { message, spec, status } = (response.body ?? {}) as TokenAnswer;
  if (response.status !== 201 && response.status !== 200) return `failed to fetch token: ${message ?? `status ${response.status}`}`;
  const lifetime = (spec?.expirationSeconds ?? 3600) * 1_000_000;
  const expires = status?.expirationTimestamp === undefined ? turn.now + lifetime : parseRfc3339(status.expirationTimestamp);
  const jitter = turn.ctx.rand(`token/${uid}/${name}`, turn.now) % 10 * 1_000_000;
  const refreshAt = Math.min(expires - Math.floor(lifetime / 5), expires - lifetime + 86_400_000_000) - jitter;
  putVolume(turn, uid, name, { tokens: { ...turn.worker(uid)?.volumes[name]?.tokens, [object.slice("token/".length)]: { text: status?.token ?? "", refreshAt } } });
  return "";
}

function setUp(turn: Turn, uid: string, name: string): void {
  const worker = turn.worker(uid);
  const volume = specOf(turn, uid, name);
  const state = worker?.volumes[name];
  if (!worker || !volume || !state) return;
  const made: Content = state.error === "" ? volumeContent(turn, worker.pod, volume, state.tokens) : { error: state.error };
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
  if (volume.hostPath || volume.image || volume.csi || volume.nfs) return;
  const atomic = ATOMIC_KINDS.has(kindOf(volume));
  const all = atomic ? atomicDirectory(turn, `${uid}/${name}`, files) : files;
  if (atomic) putVolume(turn, uid, name, { shown: files });
  const tmpfs = volume.emptyDir?.medium === "Memory" ? { tmpfs: value(volume.emptyDir.sizeLimit ?? "0") } : {};
  turn.ctx.send(`process@${turn.config.node.name}`, { type: "volume.write", podUid: uid, volume: name, files: all, ...tmpfs } satisfies VolumeWrite, { protocol: "disk", latency: 500, verb: "write", subject: `pod/${turn.worker(uid)?.key ?? ""}`, level: "operator" });
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
  const unknown = volumes.filter((volume) => !CLAIM_KINDS.has(kindOf(volume)) && !MADE_HERE.has(kindOf(volume)));
  const unresolved = volumes.filter((volume) => worker.volumes[volume.name]?.state === "unresolved");
  const problems = [...(unknown.length > 0 ? ["volume kind is not simulated"] : []), ...unresolved.map((volume) => worker.volumes[volume.name]?.error ?? "")];
  if (problems.length === 0) return undefined;
  const names = [...unknown, ...unresolved].map((volume) => volume.name).sort().join(" ");
  const unmounted = volumes.map((volume) => volume.name).filter((name) => worker.volumes[name] !== undefined && worker.volumes[name].state !== "mounted").sort().join(" ");
  return `unmounted volumes=[${unmounted || names}], unattached volumes=[], failed to process volumes=[${names}]: ${problems.join("; ")}`;
}

/** A sync of a Pod whose volumes are mounted: ConfigMap, Secret and projected ones follow their objects, and old tokens are renewed. */
export function refreshVolumes(turn: Turn, uid: string): void {
  const worker = turn.worker(uid);
  if (!worker) return;
  for (const [name, state] of Object.entries(worker.volumes)) {
    if (state.state !== "mounted" || state.kind === "settled" || turn.now === state.mountedAt) continue;
    for (const object of state.objects) if (!isFresh(turn, object)) getObject(turn, object, { for: "volume", uid, volume: name, object });
    const volume = specOf(turn, uid, name);
    if (!volume) continue;
    if (state.tokens) for (const path of tokensDue(turn, uid, name, volume)) askForToken(turn, uid, name, path);
    if (volume.downwardAPI ?? volume.projected?.sources?.some((source) => source.downwardAPI)) showAgain(turn, uid, name, volume, "the Pod");
  }
}

/** The files are exchanged if they differ from what is shown. */
function showAgain(turn: Turn, uid: string, name: string, volume: Volume, of: string): void {
  const worker = turn.worker(uid);
  const state = worker?.volumes[name];
  if (!worker || !state) return;
  const made = volumeContent(turn, worker.pod, volume, state.tokens);
  if ("error" in made) turn.event(worker.pod, "Warning", "FailedMount", `MountVolume.SetUp failed for volume "${name}" : ${made.error}`);
  else if (!deepEqual(made.files, state.shown)) {
    write(turn, uid, name, volume, made.files);
    turn.explain(`The kubelet shows what is new of ${of} in volume ${name}`.slice(0, 138), worker.pod, { level: "basic", why: "It looks at each sync of the Pod, at least every 60 to 90 s; one link is exchanged, so that all files change at once. A subPath mount keeps the old" });
  }
}

/** A refreshed object or token of a mounted volume: its files are exchanged at once, if they differ. */
export function onRefreshed(turn: Turn, uid: string, name: string, object: string, message: Message): boolean {
  const worker = turn.worker(uid);
  const volume = specOf(turn, uid, name);
  if (worker?.volumes[name]?.state !== "mounted" || !volume || message.type !== "http.response") return false;
  if (object.startsWith("token/")) tokenRead(turn, uid, name, object, message as HttpResponse);
  else rememberObject(turn, object, message as HttpResponse);
  showAgain(turn, uid, name, volume, object.startsWith("token/") ? "the token" : object.replace("/", " "));
  return true;
}
