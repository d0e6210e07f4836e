// Models kubernetes/plugin/pkg/admission/noderestriction/admission.go, which kubeadm switches on
import { newNotFound } from "../../api/status-errors.ts";
import type { KubeObject, Node, Pod, Status } from "../../api/types.ts";
import { semanticEqual } from "../../api/validation/helpers.ts";
import { type AdmissionAttributes, type AdmissionPlugin, forbid } from "./attributes.ts";
import { apiReference } from "./pod-references.ts";

const MIRROR = "kubernetes.io/config.mirror";
const PREFIX = "system:node:";
const RESTRICTION = "node-restriction.kubernetes.io";
const KUBELET_LABELS = new Set([
  "kubernetes.io/hostname", "topology.kubernetes.io/zone", "topology.kubernetes.io/region", "failure-domain.beta.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/region", "beta.kubernetes.io/instance-type", "node.kubernetes.io/instance-type",
  "kubernetes.io/os", "kubernetes.io/arch", "beta.kubernetes.io/os", "beta.kubernetes.io/arch",
]);

/** The node that a kubelet's user stands for; "" for a member of system:nodes without such a name, undefined for others. */
function nodeIdentity({ user }: AdmissionAttributes): string | undefined {
  if (user.groups?.includes("system:nodes") !== true) return undefined;
  return user.name.startsWith(PREFIX) ? user.name.slice(PREFIX.length) : "";
}

type Judge = (node: string, object: KubeObject, attrs: AdmissionAttributes) => Status | undefined;

function admitMirrorPod(node: string, object: KubeObject, attrs: AdmissionAttributes): Status | undefined {
  const pod = object as Pod;
  const quoted = JSON.stringify(node);
  const refuse = (text: string): Status => forbid(attrs, object, text);
  if (pod.metadata.annotations?.[MIRROR] === undefined) return refuse(`pod does not have ${JSON.stringify(MIRROR)} annotation, node ${quoted} can only create mirror pods`);
  if (pod.spec.nodeName !== node) return refuse(`node ${quoted} can only create pods with spec.nodeName set to itself`);
  const owners = pod.metadata.ownerReferences ?? [];
  if (owners.length > 1) return refuse(`node ${quoted} can only create pods with a single owner reference set to itself`);
  const [owner] = owners;
  if (owner === undefined || owner.apiVersion !== "v1" || owner.kind !== "Node" || owner.name !== node) return refuse(`node ${quoted} can only create pods with an owner reference set to itself`);
  if (owner.controller !== true) return refuse(`node ${quoted} can only create pods with a controller owner reference set to itself`);
  if (owner.blockOwnerDeletion === true) return refuse(`node ${quoted} must not set blockOwnerDeletion on an owner reference`);
  const stored = attrs.lookup("nodes", "", node);
  if (stored === undefined) return newNotFound({ resource: "nodes" }, node);
  if (owner.uid !== stored.metadata.uid) return refuse(`node ${node} UID mismatch: expected ${owner.uid ?? ""} got ${stored.metadata.uid ?? ""}`);
  const reference = apiReference(pod.spec);
  return reference === undefined ? undefined : refuse(`node ${quoted} can not create pods that reference ${reference}`);
}

const admitPod: Judge = (node, object, attrs) => {
  const quoted = JSON.stringify(node);
  if (attrs.operation === "CREATE") return admitMirrorPod(node, object, attrs);
  if (attrs.operation !== "DELETE") return forbid(attrs, object, `unexpected operation ${JSON.stringify(attrs.operation)}, node ${quoted} can only create and delete mirror pods`);
  return (attrs.oldObject as Pod | undefined)?.spec.nodeName === node ? undefined : forbid(attrs, object, `node ${quoted} can only delete pods with spec.nodeName set to itself`);
};

const admitPodStatus: Judge = (node, object, attrs) => {
  const [pod, old] = [object as Pod, attrs.oldObject as Pod | undefined];
  const quoted = JSON.stringify(node);
  if (attrs.operation !== "UPDATE") return forbid(attrs, object, `unexpected operation ${JSON.stringify(attrs.operation)}`);
  if (old?.spec.nodeName !== node) return forbid(attrs, object, `node ${quoted} can only update pod status for pods with spec.nodeName set to itself`);
  if (!semanticEqual(old.metadata.labels ?? {}, pod.metadata.labels ?? {})) return forbid(attrs, object, `node ${quoted} cannot update labels through pod status`);
  const claims = (of: Pod): unknown => (of.status as { readonly resourceClaimStatuses?: unknown } | undefined)?.resourceClaimStatuses;
  return semanticEqual(claims(old), claims(pod)) ? undefined : forbid(attrs, object, `node ${quoted} cannot update resource claim statues`);
};

const admitEviction: Judge = (node, object, attrs) => ((attrs.lookup("pods", attrs.namespace, attrs.name || (object.metadata.name ?? "")) as Pod | undefined)?.spec.nodeName === node ? undefined : forbid(attrs, object, `node ${node} can only evict pods with spec.nodeName set to itself`));

interface TokenRequest extends KubeObject {
  readonly spec?: { readonly audiences?: readonly string[]; readonly boundObjectRef?: { readonly apiVersion?: string; readonly kind?: string; readonly name?: string; readonly uid?: string } };
}

/** Whether a volume of the Pod asks for a token with this audience, itself or by its CSI driver. */
function referencesAudience(pod: Pod, audience: string, attrs: AdmissionAttributes): boolean {
  const driverAsks = (driver: string): boolean =>
    ((attrs.lookup("csidrivers", "", driver)?.spec as { readonly tokenRequests?: readonly { readonly audience?: string }[] } | undefined)?.tokenRequests ?? []).some((request) => (request.audience ?? "") === audience);
  const claimDriver = (name: string): string => {
    const { volumeName = "" } = (attrs.lookup("persistentvolumeclaims", attrs.namespace, name)?.spec ?? {}) as { readonly volumeName?: string };
    return ((attrs.lookup("persistentvolumes", "", volumeName)?.spec ?? {}) as { readonly csi?: { readonly driver?: string } }).csi?.driver ?? "";
  };
  return (pod.spec.volumes ?? []).some((volume) => {
    const { projected, csi, ephemeral, persistentVolumeClaim } = volume as { readonly name: string; readonly projected?: { readonly sources?: readonly { readonly serviceAccountToken?: { readonly audience?: string } }[] }; readonly csi?: { readonly driver: string }; readonly ephemeral?: object; readonly persistentVolumeClaim?: { readonly claimName: string } };
    if (projected?.sources?.some(({ serviceAccountToken: token }) => token !== undefined && (token.audience ?? "") === audience)) return true;
    const driver = csi?.driver ?? (ephemeral === undefined ? (persistentVolumeClaim === undefined ? "" : claimDriver(persistentVolumeClaim.claimName)) : claimDriver(`${pod.metadata.name ?? ""}-${volume.name}`));
    return driver !== "" && driverAsks(driver);
  });
}

/** A node gets tokens for the Pods that are bound to it, with the audiences that their volumes name. */
const admitToken: Judge = (node, object, attrs) => {
  const { boundObjectRef: ref, audiences = [] } = (object as TokenRequest).spec ?? {};
  const refuse = (text: string): Status => forbid(attrs, object, text);
  if (ref?.apiVersion !== "v1" || ref.kind !== "Pod" || (ref.name ?? "") === "") return refuse("node requested token not bound to a pod");
  if ((ref.uid ?? "") === "") return refuse("node requested token with a pod binding without a uid");
  const pod = attrs.lookup("pods", attrs.namespace, ref.name ?? "") as Pod | undefined;
  if (pod === undefined) return newNotFound({ resource: "pods" }, ref.name ?? "");
  if (ref.uid !== pod.metadata.uid) return refuse(`the UID in the bound object reference (${ref.uid ?? ""}) does not match the UID in record. The object might have been deleted and then recreated`);
  if (pod.spec.nodeName !== node) return refuse("node requested token bound to a pod scheduled on a different node");
  if (audiences.length > 1) return refuse("node may only request 0 or 1 audiences");
  const [audience = ""] = audiences;
  if (referencesAudience(pod, audience, attrs)) return undefined;
  const allowed = attrs.authorize?.({ verb: "request-serviceaccounts-token-audience", namespace: attrs.namespace, resource: audience, name: attrs.name }).allowed === true;
  return allowed ? undefined : refuse(`audience ${JSON.stringify(audience)} not found in pod spec volume, ${attrs.user.name} is not authorized to request tokens for this audience`);
};

const inDomain = (key: string, ...domains: readonly string[]): boolean => {
  const [namespace = "", rest] = key.split("/");
  return rest !== undefined && domains.some((domain) => namespace === domain || namespace.endsWith(`.${domain}`));
};
const isForbiddenLabel = (key: string): boolean => inDomain(key, RESTRICTION) || (inDomain(key, "kubernetes.io", "k8s.io") && !KUBELET_LABELS.has(key) && !inDomain(key, "kubelet.kubernetes.io", "node.kubernetes.io"));

/** Labels that lead Pods to a node are not the node's to set. */
function forbiddenLabels(now: Readonly<Record<string, string>> = {}, before: Readonly<Record<string, string>> = {}): readonly string[] {
  const changed = [...new Set([...Object.keys(now), ...Object.keys(before)])].filter((key) => now[key] !== before[key]);
  return changed.filter(isForbiddenLabel).sort((a, b) => (a < b ? -1 : 1));
}

const admitNode: Judge = (node, object, attrs) => {
  const quoted = JSON.stringify(node);
  const requested = attrs.name || object.metadata.name || "";
  if (requested !== node) return forbid(attrs, object, `node ${quoted} is not allowed to modify node ${JSON.stringify(requested)}`);
  const [now, old] = [object as Node, attrs.oldObject as Node | undefined];
  if (attrs.operation === "CREATE") {
    const labels = forbiddenLabels(now.metadata.labels);
    return labels.length === 0 ? undefined : forbid(attrs, object, `node ${quoted} is not allowed to set the following labels: ${labels.join(", ")}`);
  }
  if (attrs.operation !== "UPDATE") return undefined;
  if (!semanticEqual(now.spec?.taints, old?.spec?.taints)) return forbid(attrs, object, `node ${quoted} is not allowed to modify taints`);
  if (!semanticEqual(now.metadata.ownerReferences, old?.metadata.ownerReferences)) return forbid(attrs, object, `node ${quoted} is not allowed to modify ownerReferences`);
  const labels = forbiddenLabels(now.metadata.labels, old?.metadata.labels);
  return labels.length === 0 ? undefined : forbid(attrs, object, `is not allowed to modify labels: ${labels.join(", ")}`);
};

const admitLease: Judge = (node, object, attrs) => {
  if (attrs.namespace !== "kube-node-lease") return forbid(attrs, object, `can only access leases in the "kube-node-lease" system namespace`);
  const name = attrs.operation === "CREATE" ? object.metadata.name : attrs.name;
  return name === node ? undefined : forbid(attrs, object, `can only access node lease with the same name as the requesting node`);
};

const admitCSINode: Judge = (node, object, attrs) => {
  const name = attrs.operation === "CREATE" ? object.metadata.name : attrs.name;
  return name === node ? undefined : forbid(attrs, object, `can only access CSINode with the same name as the requesting node`);
};

/** What a kubelet may write, by resource and subresource. */
const JUDGES: Readonly<Record<string, Judge>> = {
  "/pods/": admitPod, "/pods/status": admitPodStatus, "/pods/eviction": admitEviction, "/serviceaccounts/token": admitToken,
  "coordination.k8s.io/leases/": admitLease, "storage.k8s.io/csinodes/": admitCSINode,
};

/**
 * Holds a kubelet to its own node, its own Pods and its own lease: a stolen node credential opens one node, not the cluster.
 * Simplified: a kubelet's PodCertificateRequests and ResourceSlices are not restricted here.
 */
export const nodeRestriction = {
  name: "NodeRestriction",
  handles: (attrs) => nodeIdentity(attrs) !== undefined,

  admit(object, attrs) {
    const node = nodeIdentity(attrs);
    if (node === undefined) return object;
    if (node === "") return forbid(attrs, object, `could not determine node from user ${JSON.stringify(attrs.user.name)}`);
    const { group, resource, subresource } = attrs;
    if (group === "" && resource === "nodes") return admitNode(node, object, attrs) ?? object;
    if (group === "" && resource === "persistentvolumeclaims" && subresource !== "status") return forbid(attrs, object, "may only update PVC status");
    const judge = JUDGES[`${group}/${resource}/${subresource}`];
    if (judge === undefined && group === "" && resource === "pods") return forbid(attrs, object, `unexpected pod subresource ${JSON.stringify(subresource)}, only 'status' and 'eviction' are allowed`);
    return judge?.(node, object, attrs) ?? object;
  },
} satisfies AdmissionPlugin;
