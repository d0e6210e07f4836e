// Models kubernetes/staging/src/k8s.io/apimachinery/pkg/fields and the fieldPath grammar of kubectl's jsonpath

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === "object" && value !== null && !Array.isArray(value);

/** Splits "spec.containers[0].image" and "metadata.annotations['a/b']" into keys and indices. */
export function splitFieldPath(path: string): (string | number)[] {
  const parts: (string | number)[] = [];
  for (const m of path.matchAll(/([^.[\]'"]+)|\[(\d+)\]|\[(['"])(.*?)\3\]/g)) {
    if (m[1] !== undefined) parts.push(m[1]);
    else if (m[2] !== undefined) parts.push(Number(m[2]));
    else parts.push(m[4] ?? "");
  }
  return parts;
}

/** The value at a path, or undefined. */
export function getField(object: unknown, path: string): unknown {
  let value: unknown = object;
  for (const part of splitFieldPath(path)) {
    if (typeof part === "number") value = Array.isArray(value) ? value[part] : undefined;
    else value = isRecord(value) ? value[part] : undefined;
    if (value === undefined) return undefined;
  }
  return value;
}

export interface FieldRequirement {
  readonly field: string;
  readonly operator: "=" | "!=";
  readonly value: string;
}

/** Parses "status.phase=Running,spec.nodeName!=n1"; the error text when it is malformed. */
export function parseFieldSelector(text: string): readonly FieldRequirement[] | string {
  const requirements: FieldRequirement[] = [];
  for (const term of text.split(",")) {
    if (term === "") continue;
    const m = /^(.*?)(!=|==|=)(.*)$/.exec(term);
    if (!m) return `invalid selector: '${text}'; can't understand '${term}'`;
    requirements.push({ field: m[1] ?? "", operator: m[2] === "!=" ? "!=" : "=", value: m[3] ?? "" });
  }
  return requirements;
}

const POD_FIELDS = new Set(["metadata.name", "metadata.namespace", "spec.nodeName", "spec.restartPolicy", "spec.schedulerName", "spec.serviceAccountName", "spec.hostNetwork", "status.phase", "status.podIP", "status.podIPs", "status.nominatedNodeName"]);
const EXTRA_FIELDS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["Pod", POD_FIELDS],
  ["Event", new Set(["involvedObject.kind", "involvedObject.namespace", "involvedObject.name", "involvedObject.uid", "involvedObject.apiVersion", "involvedObject.resourceVersion", "involvedObject.fieldPath", "reason", "reportingComponent", "source", "type"])],
  ["Node", new Set(["spec.unschedulable"])],
  ["Namespace", new Set(["status.phase"])],
  ["Secret", new Set(["type"])],
  ["Job", new Set(["status.successful"])],
  ["ReplicaSet", new Set(["status.replicas"])],
  ["ReplicationController", new Set(["status.replicas"])],
  ["Service", new Set(["spec.clusterIP", "spec.type"])],
  ["ResourceSlice", new Set(["spec.nodeName", "spec.driver"])],
  ["CertificateSigningRequest", new Set(["spec.signerName"])],
]);

/** The 400 text for a field that the kind cannot be selected by, or undefined. */
export function unsupportedField(kind: string, requirements: readonly FieldRequirement[], selectable: readonly string[] | undefined = undefined): string | undefined {
  const bad = requirements.find(({ field }) => selectable?.includes(field) !== true && field !== "metadata.name" && field !== "metadata.namespace" && !EXTRA_FIELDS.get(kind)?.has(field));
  return bad === undefined ? undefined : `field label not supported: ${bad.field}`;
}

function fieldText(object: unknown, field: string): string {
  if (field === "source") return fieldText(object, "source.component") || fieldText(object, "reportingComponent");
  const value = getField(object, field);
  if (value === undefined || value === null) return field === "spec.unschedulable" || field === "spec.hostNetwork" ? "false" : "";
  return String(value);
}

export const matchesFields = (object: unknown, requirements: readonly FieldRequirement[]): boolean =>
  requirements.every(({ field, operator, value }) => (fieldText(object, field) === value) === (operator === "="));
