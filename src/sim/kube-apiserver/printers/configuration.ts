// Models printConfigMap, printSecret, printRoleBinding and friends of kubernetes/pkg/printers/internalversion/printers.go
import { formatLabelSelector } from "../../api/labels.ts";
import type { KubeObject, LabelSelector } from "../../api/types.ts";
import { ageOf, columns, json, list, nameOf, type Printer, text } from "./printer.ts";

const field = (object: KubeObject, key: string): unknown => (object as unknown as Readonly<Record<string, unknown>>)[key];
const size = (value: unknown): number => Object.keys(json(value)).length;

export const configMapPrinter = {
  kinds: ["v1/ConfigMap"],
  columns: columns("Name Data Age"),
  row: (object, now) => [nameOf(object), String(size(field(object, "data")) + size(field(object, "binaryData"))), ageOf(object, now)],
} satisfies Printer;

export const secretPrinter = {
  kinds: ["v1/Secret"],
  columns: columns("Name Type Data Age"),
  row: (object, now) => [nameOf(object), text(field(object, "type")), String(size(field(object, "data"))), ageOf(object, now)],
} satisfies Printer;

export const roleBindingPrinter = {
  kinds: ["rbac.authorization.k8s.io/v1/RoleBinding", "rbac.authorization.k8s.io/v1/ClusterRoleBinding"],
  columns: columns("Name Role Age [Users Groups ServiceAccounts]"),
  row(object, now) {
    const ref = json(field(object, "roleRef"));
    const subjects = list(field(object, "subjects")).map(json);
    const named = (kind: string): string => subjects.filter((s) => s["kind"] === kind).map((s) => (kind === "ServiceAccount" ? `${text(s["namespace"])}/${text(s["name"])}` : text(s["name"]))).join(", ");
    return [nameOf(object), `${text(ref["kind"])}/${text(ref["name"])}`, ageOf(object, now), named("User"), named("Group"), named("ServiceAccount")];
  },
} satisfies Printer;

export const serviceAccountPrinter = {
  kinds: ["v1/ServiceAccount"],
  columns: columns("Name Age"),
  row: (object, now) => [nameOf(object), ageOf(object, now)],
} satisfies Printer;

export const networkPolicyPrinter = {
  kinds: ["networking.k8s.io/v1/NetworkPolicy"],
  columns: columns("Name Pod-Selector Age"),
  row: (object, now) => [nameOf(object), formatLabelSelector((json(object.spec)["podSelector"] ?? {}) as LabelSelector), ageOf(object, now)],
} satisfies Printer;

export const podDisruptionBudgetPrinter = {
  kinds: ["policy/v1/PodDisruptionBudget"],
  columns: columns("Name Min_Available Max_Unavailable Allowed_Disruptions Age"),
  row(object, now) {
    const shown = (key: string): string => String(json(object.spec)[key] ?? "N/A");
    return [nameOf(object), shown("minAvailable"), shown("maxUnavailable"), String(json(object.status)["disruptionsAllowed"] ?? 0), ageOf(object, now)];
  },
} satisfies Printer;

export const webhookPrinter = {
  kinds: ["admissionregistration.k8s.io/v1/ValidatingWebhookConfiguration", "admissionregistration.k8s.io/v1/MutatingWebhookConfiguration"],
  columns: columns("Name Webhooks Age"),
  row: (object, now) => [nameOf(object), String(list(field(object, "webhooks")).length), ageOf(object, now)],
} satisfies Printer;

export const controllerRevisionPrinter = {
  kinds: ["apps/v1/ControllerRevision"],
  columns: columns("Name Controller Revision Age"),
  row(object, now) {
    const owner = object.metadata.ownerReferences?.find((ref) => ref.controller);
    const group = owner?.apiVersion.includes("/") ? `.${owner.apiVersion.split("/")[0] ?? ""}` : "";
    const controller = owner === undefined ? "<none>" : `${owner.kind.toLowerCase()}${group}/${owner.name}`;
    return [nameOf(object), controller, String(field(object, "revision") ?? 0), ageOf(object, now)];
  },
} satisfies Printer;
