// Models kubernetes/plugin/pkg/auth/authorizer/node/{graph,graph_populator}.go and pkg/api/v1/pod/util.go (VisitPodSecretNames)
import type { PersistentVolume } from "../../api/storage.ts";
import type { KubeObject, Pod } from "../../api/types.ts";
import type { ApiServerState } from "../state.ts";
import { getObject, objectsIn } from "../watch-cache/lookup.ts";

export type Vertex = "secrets" | "configmaps" | "persistentvolumeclaims" | "persistentvolumes" | "volumeattachments" | "serviceaccounts" | "pods";

type Names = Readonly<Record<"secrets" | "configmaps" | "persistentvolumeclaims" | "serviceaccounts", ReadonlySet<string>>>;

/** What a Pod names, by the Pod as it is. */
const references = new WeakMap<KubeObject["spec"] & object, Names>();

interface Named {
  readonly name?: string;
}
interface Source {
  readonly secretRef?: Named;
  readonly configMapRef?: Named;
}

function addEnvironment(pod: Pod, secrets: Set<string>, configmaps: Set<string>): void {
  const { spec } = pod;
  const ephemeral = (spec as { readonly ephemeralContainers?: Pod["spec"]["containers"] }).ephemeralContainers ?? [];
  for (const { env = [], envFrom = [] } of [...(spec.initContainers ?? []), ...spec.containers, ...ephemeral]) {
    for (const { secretRef, configMapRef } of envFrom as readonly Source[]) {
      if (secretRef?.name) secrets.add(secretRef.name);
      if (configMapRef?.name) configmaps.add(configMapRef.name);
    }
    for (const { valueFrom } of env as readonly { readonly valueFrom?: { readonly secretKeyRef?: Named; readonly configMapKeyRef?: Named } }[]) {
      if (valueFrom?.secretKeyRef?.name) secrets.add(valueFrom.secretKeyRef.name);
      if (valueFrom?.configMapKeyRef?.name) configmaps.add(valueFrom.configMapKeyRef.name);
    }
  }
}

interface AnyVolume {
  readonly name: string;
  readonly secret?: { readonly secretName?: string };
  readonly configMap?: Named;
  readonly csi?: { readonly nodePublishSecretRef?: Named };
  readonly persistentVolumeClaim?: { readonly claimName?: string };
  readonly ephemeral?: object;
  readonly projected?: { readonly sources?: readonly { readonly secret?: Named; readonly configMap?: Named }[] };
}

function namesOf(pod: Pod): Names {
  const known = references.get(pod.spec);
  if (known !== undefined) return known;
  const [secrets, configmaps, claims] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const { imagePullSecrets = [], volumes = [], serviceAccountName } = pod.spec as Pod["spec"] & { readonly imagePullSecrets?: readonly Named[] };
  for (const { name } of imagePullSecrets) if (name) secrets.add(name);
  addEnvironment(pod, secrets, configmaps);
  for (const volume of volumes as readonly AnyVolume[]) {
    const parts = volume.projected?.sources ?? [];
    for (const name of [volume.secret?.secretName, volume.csi?.nodePublishSecretRef?.name, ...parts.map(({ secret }) => secret?.name)]) if (name) secrets.add(name);
    for (const name of [volume.configMap?.name, ...parts.map(({ configMap }) => configMap?.name)]) if (name) configmaps.add(name);
    if (volume.persistentVolumeClaim?.claimName) claims.add(volume.persistentVolumeClaim.claimName);
    if (volume.ephemeral !== undefined) claims.add(`${pod.metadata.name ?? ""}-${volume.name}`);
  }
  const names: Names = { secrets, configmaps, persistentvolumeclaims: claims, serviceaccounts: new Set(serviceAccountName ? [serviceAccountName] : []) };
  references.set(pod.spec, names);
  return names;
}

const MIRROR = "kubernetes.io/config.mirror";

const uses = (pod: Pod | undefined, node: string, vertex: keyof Names, namespace: string, name: string): boolean =>
  pod !== undefined && pod.spec.nodeName === node && pod.metadata.namespace === namespace && pod.metadata.annotations?.[MIRROR] === undefined && namesOf(pod)[vertex].has(name);

/** The Pod that last proved a path. It is asked first, and only if it is wrong are all Pods looked at. */
const witnesses = new Map<string, string>();
const REMEMBERED = 5_000;

function usedByPod(state: ApiServerState, node: string, vertex: keyof Names, namespace: string, name: string): boolean {
  const all = objectsIn(state, "pods");
  const key = `${node}|${vertex}|${namespace}/${name}`;
  const witness = witnesses.get(key);
  if (witness !== undefined && uses(all.get(witness) as Pod | undefined, node, vertex, namespace, name)) return true;
  for (const pod of all.values()) {
    if (!uses(pod as Pod, node, vertex, namespace, name)) continue;
    if (witnesses.size >= REMEMBERED) witnesses.clear();
    witnesses.set(key, `${namespace}/${pod.metadata.name ?? ""}`);
    return true;
  }
  return false;
}

interface CsiSource {
  readonly csi?: Readonly<Record<"nodeStageSecretRef" | "nodePublishSecretRef" | "nodeExpandSecretRef", { readonly name?: string; readonly namespace?: string } | undefined>>;
}

const volumeIsUsed = (state: ApiServerState, node: string, volume: PersistentVolume | undefined): boolean =>
  volume?.spec.claimRef !== undefined && usedByPod(state, node, "persistentvolumeclaims", volume.spec.claimRef.namespace ?? "", volume.spec.claimRef.name ?? "");

function secretOfVolume(state: ApiServerState, node: string, namespace: string, name: string): boolean {
  const names = ({ csi }: CsiSource): boolean => [csi?.nodeStageSecretRef, csi?.nodePublishSecretRef, csi?.nodeExpandSecretRef].some((ref) => ref?.name === name && ref.namespace === namespace);
  for (const volume of objectsIn(state, "persistentvolumes").values()) if (names(volume.spec as CsiSource) && volumeIsUsed(state, node, volume as PersistentVolume)) return true;
  return false;
}

/** Whether a path leads from the object to the node: through a Pod on it, or a volume of such a Pod. */
export function isRelated(state: ApiServerState, node: string, vertex: Vertex, namespace: string, name: string): boolean {
  switch (vertex) {
    case "pods":
      return (getObject(state, "pods", namespace, name) as Pod | undefined)?.spec.nodeName === node;
    case "volumeattachments":
      return (getObject(state, "volumeattachments", "", name)?.spec as { readonly nodeName?: string } | undefined)?.nodeName === node;
    case "persistentvolumes":
      return volumeIsUsed(state, node, getObject(state, "persistentvolumes", "", name) as PersistentVolume | undefined);
    case "secrets":
      return usedByPod(state, node, vertex, namespace, name) || secretOfVolume(state, node, namespace, name);
    default:
      return usedByPod(state, node, vertex, namespace, name);
  }
}
