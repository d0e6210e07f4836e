// Models kubernetes/pkg/controller/disruption/disruption.go: finders, the ways to the scale of a Pod's controller
import type { KubeObject, OwnerReference, Pod } from "../../api/types.ts";
import type { ApiCall } from "../../client-go/api-client.ts";
import type { View } from "../caches.ts";
import { type Answer, bodyOf, messageOf } from "../controller.ts";
import { controllerOf } from "../pods.ts";
import { resourceOfKind } from "../resources.ts";

type Scaled = KubeObject & { readonly spec?: { readonly replicas?: number } };
type Cache = Pick<View<unknown>, "get">;

/** What is known of controllers that are asked for their scale: by the uid of the reference. */
export type Asked = Readonly<Record<string, { readonly plural: string } | { readonly uid: string; readonly replicas: number } | { readonly error: string } | "none">>;

/** A request about a Pod's controller: which resource its kind is, what its scale is, whether there is such a thing as a scale. */
export interface ScaleQuestion {
  readonly about: "kind" | "scale" | "subresource";
  readonly owner: OwnerReference;
  readonly plural: string;
}

export interface ScaleSum {
  readonly total: number;
  readonly unmanaged: boolean;
}

const groupOf = ({ apiVersion }: OwnerReference): string => (apiVersion.includes("/") ? (apiVersion.split("/")[0] ?? "") : "");
const rootOf = ({ apiVersion }: OwnerReference): string => (apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`);
const resourceText = (owner: OwnerReference, plural: string): string => (groupOf(owner) === "" ? plural : `${plural}.${groupOf(owner)}`);

const FOUND_IN_CACHES: Readonly<Record<string, readonly [string, ...string[]]>> = { ReplicationController: ["replicationcontrollers", ""], ReplicaSet: ["replicasets", "apps", "extensions"], StatefulSet: ["statefulsets", "apps"] };

/** The controller as the caches have it; a ReplicaSet's Deployment in its place. */
function cached(owner: OwnerReference, namespace: string, view: Cache): Scaled | undefined {
  const [resource, ...groups] = FOUND_IN_CACHES[owner.kind] ?? [""];
  if (!groups.includes(groupOf(owner))) return undefined;
  const found = view.get<Scaled>(resource, `${namespace}/${owner.name}`);
  if (found?.metadata.uid !== owner.uid) return undefined;
  const above = resource === "replicasets" ? controllerOf(found) : undefined;
  if (above?.kind !== "Deployment") return found;
  const deployment = view.get<Scaled>("deployments", `${namespace}/${above.name}`);
  return deployment?.metadata.uid === above.uid ? deployment : undefined;
}

/** getExpectedScale: what the controllers of the Pods want in sum, each counted once; or what must be asked first, or why it cannot be told. */
export function sumOfScales(pods: readonly Pod[], asked: Asked, view: Cache): ScaleSum | ScaleQuestion | string {
  const scales = new Map<string, number>();
  let unmanaged = false;
  for (const pod of pods) {
    const owner = controllerOf(pod);
    if (owner === undefined) unmanaged = true;
    if (owner === undefined || scales.has(owner.uid)) continue;
    const found = cached(owner, pod.metadata.namespace ?? "", view);
    if (found !== undefined) {
      scales.set(found.metadata.uid ?? "", found.spec?.replicas ?? 1);
      continue;
    }
    const known = asked[owner.uid];
    if (known === undefined) return question(owner);
    if (known === "none") return `found no controllers for pod "${pod.metadata.name ?? ""}"`;
    if ("error" in known) return known.error;
    if ("plural" in known) return { about: "scale", owner, plural: known.plural };
    scales.set(known.uid, known.replicas);
  }
  return { total: [...scales.values()].reduce((sum, scale) => sum + scale, 0), unmanaged };
}

function question(owner: OwnerReference): ScaleQuestion {
  const info = resourceOfKind(owner.kind);
  return info?.apiVersion === owner.apiVersion ? { about: "scale", owner, plural: info.resource } : { about: "kind", owner, plural: "" };
}

export function questionCall({ about, owner, plural }: ScaleQuestion, namespace: string): ApiCall {
  const path = about === "scale" ? `${rootOf(owner)}/namespaces/${namespace}/${plural}/${owner.name}/scale` : rootOf(owner);
  return { method: "GET", path, subject: `${owner.kind.toLowerCase()}/${namespace}/${owner.name}` };
}

interface ResourceList {
  readonly resources?: readonly { readonly name: string; readonly kind: string; readonly group?: string }[];
}

/** Takes in the answer: what is known now, or the question that follows. */
export function questionAnswered({ about, owner, plural }: ScaleQuestion, asked: Asked, answer: Answer): Asked | ScaleQuestion {
  const know = (what: Asked[string]): Asked => ({ ...asked, [owner.uid]: what });
  const body: unknown = bodyOf(answer);
  if (about === "scale") {
    const scale = body as Scaled | undefined;
    if (scale !== undefined) return know(scale.metadata.uid === owner.uid ? { uid: owner.uid, replicas: scale.spec?.replicas ?? 0 } : "none");
    return answer.status === 404 ? { about: "subresource", owner, plural } : know({ error: messageOf(answer) });
  }
  if (body === undefined && answer.status !== 404) return know({ error: messageOf(answer) });
  const { resources = [] } = (body ?? {}) as ResourceList;
  if (about === "kind") {
    const found = resources.find(({ kind, name }) => kind === owner.kind && !name.includes("/"));
    return know(found === undefined ? { error: `no matches for kind "${owner.kind}" in version "${owner.apiVersion}"` } : { plural: found.name });
  }
  // Not there, or without a scale: the list of resources tells which.
  return know(resources.some(({ name, kind }) => name === `${plural}/scale` && kind === "Scale") ? "none" : { error: `${resourceText(owner, plural)} does not implement the scale subresource` });
}
