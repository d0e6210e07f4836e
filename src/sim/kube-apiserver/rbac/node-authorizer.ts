// Models kubernetes/plugin/pkg/auth/authorizer/node/node_authorizer.go
import { type Attributes, type PolicyRule, type RbacRole, ruleAllows } from "../../api/rbac.ts";
import type { User } from "../filters/authentication.ts";
import type { ApiServerState } from "../state.ts";
import { bootstrapPolicy } from "./bootstrap-policy.ts";
import { isRelated, type Vertex } from "./node-graph.ts";

/** What a list or watch selects by its fields, as far as it matters here. */
export type FieldSelection = Readonly<Record<string, string>>;

/** "" lets it pass; a text is why this authorizer has no opinion. */
type Opinion = "" | { readonly reason: string };

const no = (reason: string): Opinion => ({ reason });

/** The node that a kubelet speaks for; undefined for everybody else. */
export function nodeOf(user: User): string | undefined {
  if (!user.name.startsWith(PREFIX) || !user.groups.includes("system:nodes")) return undefined;
  return user.name.slice(PREFIX.length);
}
const PREFIX = "system:node:";

let rules: readonly PolicyRule[] | undefined;

function nodeRules(): readonly PolicyRule[] {
  rules ??= (bootstrapPolicy().find((object) => object.kind === "ClusterRole" && object.metadata.name === "system:node") as RbacRole | undefined)?.rules ?? [];
  return rules;
}

const related = (state: ApiServerState, node: string, vertex: Vertex, { namespace, name }: Attributes): Opinion =>
  name === "" ? no("No Object name found") : isRelated(state, node, vertex, namespace, name) ? "" : no(`no relationship found between node '${node}' and this object`);

function get(state: ApiServerState, node: string, vertex: Vertex, asked: Attributes): Opinion {
  if (asked.verb !== "get") return no("can only get individual resources of this type");
  return asked.subresource === "" ? related(state, node, vertex, asked) : no("cannot get subresource");
}

function readNamespaced(state: ApiServerState, node: string, vertex: Vertex, asked: Attributes): Opinion {
  if (asked.verb !== "get" && asked.verb !== "list" && asked.verb !== "watch") return no("can only read resources of this type");
  if (asked.subresource !== "") return no("cannot read subresource");
  return asked.namespace === "" ? no("can only read namespaced object of this type") : related(state, node, vertex, asked);
}

function claims(state: ApiServerState, node: string, asked: Attributes): Opinion {
  if (asked.subresource !== "status") return get(state, node, "persistentvolumeclaims", asked);
  return asked.verb === "update" || asked.verb === "patch" ? related(state, node, "persistentvolumeclaims", asked) : no("can only get/update/patch this type");
}

function accounts(state: ApiServerState, node: string, asked: Attributes): Opinion {
  if (asked.verb === "get" && asked.subresource === "") return readNamespaced(state, node, "serviceaccounts", asked);
  if (asked.verb !== "create" || asked.name === "") return no("can only create tokens for individual service accounts");
  return asked.subresource === "token" ? related(state, node, "serviceaccounts", asked) : no("can only create token subresource of serviceaccount");
}

const OWN_VERBS = new Set(["get", "create", "update", "patch", "delete"]);

function leases(node: string, { verb, namespace, name }: Attributes): Opinion {
  if (!OWN_VERBS.has(verb)) return no("can only get, create, update, patch, or delete a node lease");
  if (namespace !== "kube-node-lease") return no('can only access leases in the "kube-node-lease" system namespace');
  return verb === "create" || name === node ? "" : no("can only access node lease with the same name as the requesting node");
}

function csiNodes(node: string, { verb, subresource, name }: Attributes): Opinion {
  if (!OWN_VERBS.has(verb)) return no("can only get, create, update, patch, or delete a CSINode");
  if (subresource !== "") return no("cannot authorize CSINode subresources");
  return verb === "create" || name === node ? "" : no("can only access CSINode with the same name as the requesting node");
}

const isRead = (verb: string): boolean => verb === "get" || verb === "list" || verb === "watch";
const isChange = (verb: string): boolean => verb === "update" || verb === "patch";

function nodes(node: string, { verb, subresource, name }: Attributes): Opinion {
  if (subresource === "status") return isChange(verb) ? "" : no("");
  if (subresource !== "") return no("");
  if (verb === "create" || isChange(verb)) return "";
  if (!isRead(verb)) return no("");
  if (name === node) return "";
  return no(name === "" ? `node '${node}' cannot read all nodes, only its own Node object` : `node '${node}' cannot read '${name}', only its own Node object`);
}

function pods(state: ApiServerState, node: string, asked: Attributes, fields: FieldSelection): Opinion {
  const { verb, subresource, name } = asked;
  if (subresource === "status") return isChange(verb) ? "" : no("");
  if (subresource === "eviction") return verb === "create" ? "" : no("");
  if (subresource !== "") return no("");
  if (verb === "create" || verb === "delete") return "";
  if (verb === "get") return get(state, node, "pods", asked);
  if (verb !== "list" && verb !== "watch") return no("");
  if (fields["spec.nodeName"] === node) return "";
  return name === "" ? no("can only list/watch pods with spec.nodeName field selector") : related(state, node, "pods", asked);
}

/** The kubelet's part: undefined for who is no node; "" allows; else the reason why the next authorizer decides. */
export function nodeOpinion(state: ApiServerState, user: User, asked: Attributes, fields: FieldSelection): Opinion | undefined {
  const node = nodeOf(user);
  if (node === undefined) return undefined;
  // Simplified: ResourceSlices, ResourceClaims and PodCertificateRequests have their own rules upstream; no kubelet here asks for them.
  switch (asked.group === "" ? asked.resource : `${asked.resource}.${asked.group}`) {
    case "secrets":
      return readNamespaced(state, node, "secrets", asked);
    case "configmaps":
      return readNamespaced(state, node, "configmaps", asked);
    case "persistentvolumeclaims":
      return claims(state, node, asked);
    case "persistentvolumes":
      return get(state, node, "persistentvolumes", asked);
    case "volumeattachments.storage.k8s.io":
      return get(state, node, "volumeattachments", asked);
    case "serviceaccounts":
      return accounts(state, node, asked);
    case "leases.coordination.k8s.io":
      return leases(node, asked);
    case "csinodes.storage.k8s.io":
      return csiNodes(node, asked);
    case "nodes":
      return nodes(node, asked);
    case "pods":
      return pods(state, node, asked, fields);
    default:
      return nodeRules().some((rule) => ruleAllows(rule, asked)) ? "" : no("");
  }
}
