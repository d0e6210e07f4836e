// Models kubernetes/pkg/kubelet/kubelet_pods.go getPullSecretsForPod and pkg/credentialprovider/keyring.go
import type { HttpResponse } from "../api/http.ts";
import { parseImageName } from "../api/image-name.ts";
import type { Pod } from "../api/types.ts";
import type { Message } from "../kernel/types.ts";
import { dataOf, decodeBase64 } from "./env.ts";
import { getObject, isFresh, knownObject, rememberObject } from "./objects.ts";
import type { StepResult } from "./step.ts";
import type { Turn } from "./turn.ts";

const keysOf = ({ metadata, spec }: Pod): readonly string[] => (spec.imagePullSecrets ?? []).flatMap(({ name }) => (name ? [`secret/${metadata.namespace ?? "default"}/${name}`] : []));

/** Says which Secrets are missing; the pull is tried all the same. */
function retrieved(turn: Turn, pod: Pod): StepResult {
  const failed = keysOf(pod).filter((key) => knownObject(turn, key) === undefined).map((key) => key.slice(key.lastIndexOf("/") + 1));
  if (failed.length > 0) turn.event(pod, "Warning", "FailedToRetrieveImagePullSecret", `Unable to retrieve some image pull secrets (${failed.join(", ")}); attempting to pull the image may not succeed.`);
  return "next";
}

/** The step of SyncPod that has the Pod's Secrets at hand before images are pulled. */
export function getPullSecrets(turn: Turn, uid: string): StepResult {
  const run = turn.worker(uid)?.run;
  if (!run) return { error: "", cancelled: true };
  if (run.pod.spec.imagePullSecrets === undefined) return "next";
  const unread = keysOf(run.pod).filter((key) => !isFresh(turn, key));
  for (const object of unread) getObject(turn, object, { for: "object", uid, n: run.n, object });
  return unread.length > 0 ? "wait" : retrieved(turn, run.pod);
}

export function pullSecretRead(turn: Turn, uid: string, message: Message): StepResult {
  const run = turn.worker(uid)?.run;
  if (!run) return { error: "", cancelled: true };
  const { object, answer } = message as unknown as { readonly object: string; readonly answer: Message };
  if (answer.type === "http.response") rememberObject(turn, object, answer as HttpResponse);
  const others = turn.state.pending.values().some((pending) => pending.for === "object" && pending.uid === uid && pending.n === run.n);
  return others ? "wait" : retrieved(turn, run.pod);
}

interface DockerAuth {
  readonly username?: string;
  readonly password?: string;
  /** base64 of "user:password" */
  readonly auth?: string;
}

function authsOf(data: Readonly<Record<string, string>>): Readonly<Record<string, DockerAuth>> {
  const text = data[".dockerconfigjson"] ?? data[".dockercfg"];
  if (text === undefined) return {};
  try {
    const parsed = JSON.parse(text) as { readonly auths?: Readonly<Record<string, DockerAuth>> };
    return data[".dockerconfigjson"] === undefined ? (parsed as Readonly<Record<string, DockerAuth>>) : (parsed.auths ?? {});
  } catch {
    return {};
  }
}

/** "https://index.docker.io/v1/" -> "index.docker.io"; a path of a registry's own is kept. */
const registryOf = (key: string): string => key.replace(/^https?:\/\//, "").replace(/\/v[12]\/?$/, "").replace(/\/$/, "");

/** Simplified: upstream's keys may hold wildcards, and it tries every credential that fits; here the longest key's is the one. */
export function pullCredentials(turn: Turn, pod: Pod, image: string): string | undefined {
  const parsed = parseImageName(image);
  if (!parsed) return undefined;
  const repository = parsed.repository.replace(/^docker\.io\//, "index.docker.io/");
  let best: { readonly length: number; readonly credentials: string } | undefined;
  for (const secret of keysOf(pod)) {
    const object = knownObject(turn, secret);
    if (object === undefined) continue;
    for (const [key, { username, password, auth }] of Object.entries(authsOf(dataOf(object)))) {
      const registry = registryOf(key).replace(/^(?:registry-1\.)?docker\.io(?=\/|$)/, "index.docker.io");
      if (repository !== registry && !repository.startsWith(`${registry}/`)) continue;
      const credentials = auth === undefined ? `${username ?? ""}:${password ?? ""}` : decodeBase64(auth);
      if (best === undefined || registry.length > best.length) best = { length: registry.length, credentials };
    }
  }
  return best?.credentials;
}
