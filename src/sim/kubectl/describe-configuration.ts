// Models kubernetes/staging/src/k8s.io/kubectl/pkg/describe/describe.go (ConfigMaps, Secrets, quotas, namespaces, RBAC, storage)
import { base64Decode } from "../api/base64.ts";
import { formatLabelSelector } from "../api/labels.ts";
import { canonicalQuantity } from "../api/quantity.ts";
import type { KubeObject, Pod } from "../api/types.ts";
import { annotationsText, headText, labelsText, line, rfc1123z, sorted } from "./describe-util.ts";
import { type Rule, ruleLine, ruleRows } from "./describe-rules.ts";
import { num, specOf, statusOf } from "./describe-workloads.ts";
import { chunkOf, listOrNothing } from "./paging.ts";
import type { Process } from "./process.ts";

type Json = Readonly<Record<string, unknown>>;
type Texts = Readonly<Record<string, string>>;
const of = (object: KubeObject): Json => object as unknown as Json;
const bytes = (encoded: string): number => Math.floor((encoded.replaceAll("=", "").length * 3) / 4);

export function configMapText(object: KubeObject): string {
  const { data, binaryData } = of(object) as { readonly data?: Texts; readonly binaryData?: Texts };
  return `${headText(object.metadata)}\nData\n====\n${sorted(data).map(([key, text]) => `${key}:\n----\n${text}\n\n`).join("")}\nBinaryData\n====\n${sorted(binaryData).map(([key, text]) => `${key}: ${bytes(text)} bytes\n`).join("")}\n`;
}

export function secretText(object: KubeObject): string {
  const { data, type } = of(object) as { readonly data?: Texts; readonly type?: string };
  const token = type === "kubernetes.io/service-account-token";
  return `${headText(object.metadata)}\nType:\t${type ?? ""}\n\nData\n====\n${sorted(data).map(([key, text]) => `${key}:\t${token && key === "token" ? base64Decode(text) : `${bytes(text)} bytes`}\n`).join("")}`;
}

const quantityRows = (hard: Texts | undefined, used: Texts | undefined, indent: string): string => sorted(hard).map(([name, quantity]) => `${indent}${name}\t${canonicalQuantity(used?.[name] ?? "0")}\t${canonicalQuantity(quantity)}\n`).join("");

const SCOPES: Readonly<Record<string, string>> = { Terminating: "Matches all pods that have an active deadline. These pods have a limited lifespan on a node before being actively terminated by the system.", NotTerminating: "Matches all pods that do not have an active deadline. These pods usually include long running pods whose container command is not expected to terminate.", BestEffort: "Matches all pods that do not have resource requirements set. These pods have a best effort quality of service.", NotBestEffort: "Matches all pods that have at least one resource requirement set. These pods have a burstable or guaranteed quality of service." };

export function quotaText(object: KubeObject): string {
  const { name = "", namespace = "" } = object.metadata;
  const { hard, used } = statusOf(object) as { readonly hard?: Texts; readonly used?: Texts };
  const scopes = [...((specOf(object)["scopes"] ?? []) as readonly string[])].sort();
  return `Name:\t${name}\nNamespace:\t${namespace}\n${scopes.length === 0 ? "" : `Scopes:\t${scopes.join(", ")}\n${scopes.map((scope) => (SCOPES[scope] === undefined ? "" : ` * ${SCOPES[scope]}\n`)).join("")}`}Resource\tUsed\tHard\n--------\t----\t----\n${quantityRows(hard, used, "")}`;
}

type Limit = { readonly type: string } & Readonly<Record<"min" | "max" | "default" | "defaultRequest" | "maxLimitRequestRatio", Texts | undefined>>;

function limitRows(object: KubeObject, indent: string): string {
  return ((specOf(object)["limits"] ?? []) as readonly Limit[]).map((item) => {
    const names = [...new Set([item.min, item.max, item.default, item.defaultRequest, item.maxLimitRequestRatio].flatMap((map) => Object.keys(map ?? {})))].sort();
    const cell = (map: Texts | undefined, name: string): string => (map?.[name] === undefined ? "-" : canonicalQuantity(map[name]));
    return names.map((name) => `${indent}${item.type}\t${name}\t${cell(item.min, name)}\t${cell(item.max, name)}\t${cell(item.defaultRequest, name)}\t${cell(item.default, name)}\t${cell(item.maxLimitRequestRatio, name)}\n`).join("");
  }).join("");
}
const LIMIT_HEADS = ["Type", "Resource", "Min", "Max", "Default Request", "Default Limit", "Max Limit/Request Ratio"];
const limitHead = (indent: string): string => `${indent}${LIMIT_HEADS.join("\t")}\n${indent}${LIMIT_HEADS.map((head) => "-".repeat(head.length)).join("\t")}\n`;

export const limitRangeText = (object: KubeObject): string => `Name:\t${object.metadata.name ?? ""}\nNamespace:\t${object.metadata.namespace ?? ""}\n${limitHead("")}${limitRows(object, "")}`;

export function namespaceText(object: KubeObject, p: Process): string {
  const { name = "" } = object.metadata;
  const items = (plural: string): readonly KubeObject[] => listOrNothing(p, { path: `/api/v1/namespaces/${name}/${plural}`, subject: `list ${plural}` }, chunkOf(p.options)) ?? [];
  const [quotas, limits] = [items("resourcequotas"), items("limitranges")];
  const quota = (one: KubeObject): string => {
    const { hard, used } = statusOf(one) as { readonly hard?: Texts; readonly used?: Texts };
    return `  Name:\t${one.metadata.name ?? ""}\n  Resource\tUsed\tHard\n  --------\t---\t---\n${quantityRows(hard, used, "  ")}`;
  };
  const ranges = limits.map((one) => limitRows(one, " ")).join("");
  return [
    headText({ ...object.metadata, namespace: undefined } as Parameters<typeof headText>[0]), `Status:\t${String(statusOf(object)["phase"])}\n`,
    quotas.length === 0 ? "\nNo resource quota.\n" : `\nResource Quotas\n${quotas.map(quota).join("")}`, limits.length === 0 ? "\nNo LimitRange resource.\n" : `\nResource Limits\n${limitHead(" ")}${ranges}`,
  ].join("");
}

export function roleText(object: KubeObject): string {
  const { name = "", labels, annotations } = object.metadata;
  const rows = ruleRows((of(object)["rules"] ?? []) as readonly Rule[]);
  return `Name:\t${name}\n${labelsText("Labels", labels)}${annotationsText("Annotations", annotations)}PolicyRule:\n  Resources\tNon-Resource URLs\tResource Names\tVerbs\n  ---------\t-----------------\t--------------\t-----\n${rows.map((row) => `  ${ruleLine(row)}`).join("")}`;
}

export function roleBindingText(object: KubeObject): string {
  const { name = "", labels, annotations } = object.metadata;
  const { roleRef, subjects = [] } = of(object) as { readonly roleRef: { readonly kind: string; readonly name: string }; readonly subjects?: readonly { readonly kind: string; readonly name: string; readonly namespace?: string }[] };
  return `Name:\t${name}\n${labelsText("Labels", labels)}${annotationsText("Annotations", annotations)}Role:\n  Kind:\t${roleRef.kind}\n  Name:\t${roleRef.name}\nSubjects:\n  Kind\tName\tNamespace\n  ----\t----\t---------\n${subjects.map((subject) => `  ${subject.kind}\t${subject.name}\t${subject.namespace ?? ""}\n`).join("")}`;
}

export function accountText(object: KubeObject): string {
  const { imagePullSecrets = [], secrets = [] } = of(object) as { readonly imagePullSecrets?: readonly { readonly name: string }[]; readonly secrets?: readonly { readonly name: string }[] };
  const names = (values: readonly { readonly name: string }[]): string => values.map(({ name }) => name).join("\n\t") || "<none>";
  return `${headText(object.metadata)}Image pull secrets:\t${names(imagePullSecrets)}\nMountable secrets:\t${names(secrets)}\nTokens:\t<none>\n`;
}

export const ingressClassText = (object: KubeObject): string => `${headText({ ...object.metadata, namespace: undefined } as Parameters<typeof headText>[0])}Controller:\t${String(specOf(object)["controller"])}\n`;

export function priorityClassText(object: KubeObject): string {
  const { value, globalDefault, preemptionPolicy, description } = of(object);
  return `Name:\t${object.metadata.name ?? ""}\nValue:\t${num(value)}\nGlobalDefault:\t${globalDefault === true}\nPreemptionPolicy:\t${String(preemptionPolicy ?? "PreemptLowerPriority")}\nDescription:\t${String(description ?? "")}\n${annotationsText("Annotations", object.metadata.annotations)}`;
}

export function classText(object: KubeObject): string {
  const { metadata } = object;
  const { provisioner, parameters, allowVolumeExpansion, mountOptions = [], reclaimPolicy, volumeBindingMode } = of(object) as Json & { readonly parameters?: Texts; readonly mountOptions?: readonly string[] };
  const standard = metadata.annotations?.["storageclass.kubernetes.io/is-default-class"] === "true" ? "Yes" : "No";
  const pairs = (map: Texts | undefined): string => sorted(map).map(([key, text]) => `${key}=${text}`).join(",") || "<none>";
  return [
    `Name:\t${metadata.name ?? ""}\nIsDefaultClass:\t${standard}\nAnnotations:\t${pairs(metadata.annotations)}\nProvisioner:\t${String(provisioner)}\nParameters:\t${pairs(parameters)}\nAllowVolumeExpansion:\t${allowVolumeExpansion === undefined ? "<unset>" : allowVolumeExpansion === true ? "True" : "False"}\n`,
    mountOptions.length === 0 ? "MountOptions:\t<none>\n" : `MountOptions:\n${mountOptions.map((option) => `  ${option}\n`).join("")}`, line("ReclaimPolicy", reclaimPolicy), line("VolumeBindingMode", volumeBindingMode),
  ].join("");
}

export function pdbText(object: KubeObject): string {
  const [spec, status] = [specOf(object), statusOf(object)];
  const { name = "", namespace = "" } = object.metadata;
  const limit = spec["minAvailable"] === undefined ? line("Max unavailable", spec["maxUnavailable"]) : line("Min available", spec["minAvailable"]);
  return `Name:\t${name}\nNamespace:\t${namespace}\n${limit}Selector:\t${spec["selector"] === undefined ? "<unset>" : formatLabelSelector(spec["selector"] as Parameters<typeof formatLabelSelector>[0])}\nStatus:\n    Allowed disruptions:\t${num(status["disruptionsAllowed"])}\n    Current:\t${num(status["currentHealthy"])}\n    Desired:\t${num(status["desiredHealthy"])}\n    Total:\t${num(status["expectedPods"])}\n`;
}

const MODES: Texts = { ReadWriteOnce: "RWO", ReadOnlyMany: "ROX", ReadWriteMany: "RWX", ReadWriteOncePod: "RWOP" };
const modes = (value: unknown): string => Object.keys(MODES).filter((mode) => ((value ?? []) as readonly string[]).includes(mode)).map((mode) => MODES[mode] ?? "").join(",");
const finalizers = (object: KubeObject): string => `Finalizers:\t[${(object.metadata.finalizers ?? []).join(" ")}]\n`;

function sourceText(spec: Json): string {
  const csi = spec["csi"] as (Json & { readonly volumeAttributes?: Texts }) | undefined;
  if (csi) return `    Type:\tCSI (a Container Storage Interface (CSI) volume source)\n    Driver:\t${String(csi["driver"])}\n    FSType:\t${String(csi["fsType"] ?? "")}\n    VolumeHandle:\t${String(csi["volumeHandle"])}\n    ReadOnly:\t${csi["readOnly"] === true}\n${attributes(csi.volumeAttributes)}`;
  const host = spec["hostPath"] as Json | undefined;
  if (host) return `    Type:\tHostPath (bare host directory volume)\n    Path:\t${String(host["path"])}\n    HostPathType:\t${String(host["type"] ?? "")}\n`;
  const nfs = spec["nfs"] as Json | undefined;
  if (nfs) return `    Type:\tNFS (an NFS mount that lasts the lifetime of a pod)\n    Server:\t${String(nfs["server"])}\n    Path:\t${String(nfs["path"])}\n    ReadOnly:\t${nfs["readOnly"] === true}\n`;
  const local = spec["local"] as Json | undefined;
  return local ? `    Type:\tLocalVolume (a persistent volume backed by local storage on a node)\n    Path:\t${String(local["path"])}\n` : "    Type:\t<unknown>\n";
}
const attributes = (map: Texts | undefined): string => (map === undefined || Object.keys(map).length === 0 ? "    VolumeAttributes:\t<none>\n" : `    VolumeAttributes:\t${sorted(map).map(([key, text]) => `    ${key}=${text}\n`).join("\t")}`);

export function volumeText(object: KubeObject): string {
  const [spec, status] = [specOf(object), statusOf(object)];
  const claim = spec["claimRef"] as { readonly namespace: string; readonly name: string } | undefined;
  const phase = object.metadata.deletionTimestamp === undefined ? String(status["phase"]) : "Terminating";
  return [
    headText({ ...object.metadata, namespace: undefined } as Parameters<typeof headText>[0]), finalizers(object), `StorageClass:\t${String(spec["storageClassName"] ?? "")}\nStatus:\t${phase}\nClaim:\t${claim === undefined ? "" : `${claim.namespace}/${claim.name}`}\nReclaim Policy:\t${String(spec["persistentVolumeReclaimPolicy"])}\nAccess Modes:\t${modes(spec["accessModes"])}\n`,
    line("VolumeMode", spec["volumeMode"]), `Capacity:\t${canonicalQuantity(((spec["capacity"] ?? {}) as Texts)["storage"] ?? "0")}\n`, nodeAffinity(spec["nodeAffinity"]), `Message:\t${String(status["message"] ?? "")}\nSource:\n${sourceText(spec)}`,
  ].join("");
}

function nodeAffinity(affinity: unknown): string {
  const terms = (affinity as { readonly required?: { readonly nodeSelectorTerms?: readonly { readonly matchExpressions?: readonly { readonly key: string; readonly operator: string; readonly values?: readonly string[] }[] }[] } } | undefined)?.required?.nodeSelectorTerms;
  if (terms === undefined) return "Node Affinity:\t<none>\n";
  return `Node Affinity:\t\n  Required Terms:\t\n${terms.map(({ matchExpressions = [] }, i) => `    Term ${i}:\t${matchExpressions.map(({ key, operator, values = [] }) => `${key} ${operator.toLowerCase()} [${values.join(", ")}]`).join("\n\t") || "<none>"}\n`).join("")}`;
}

export function claimText(object: KubeObject, p: Process): string {
  const [spec, status] = [specOf(object), statusOf(object)];
  const { name = "", namespace = "", labels, annotations } = object.metadata;
  const answer = p.ask({ method: "GET", path: `/api/v1/namespaces/${namespace}/pods`, subject: "list pods" });
  const pods = answer.status === 200 ? (answer.body as { readonly items: readonly Pod[] }).items : [];
  const users = pods.filter((pod) => pod.spec.volumes?.some((volume) => (volume as { readonly persistentVolumeClaim?: { readonly claimName: string } }).persistentVolumeClaim?.claimName === name) === true).map((pod) => pod.metadata.name ?? "").sort();
  const bound = spec["volumeName"] !== undefined && spec["volumeName"] !== "";
  const conditions = (status["conditions"] ?? []) as readonly { readonly type: string; readonly status: string; readonly lastProbeTime?: string; readonly lastTransitionTime?: string; readonly reason?: string; readonly message?: string }[];
  return [
    `Name:\t${name}\nNamespace:\t${namespace}\nStorageClass:\t${String(spec["storageClassName"] ?? "")}\nStatus:\t${object.metadata.deletionTimestamp === undefined ? String(status["phase"]) : "Terminating (lasts <unknown>)"}\nVolume:\t${String(spec["volumeName"] ?? "")}\n`,
    labelsText("Labels", labels), annotationsText("Annotations", annotations), finalizers(object), `Capacity:\t${bound ? canonicalQuantity(((status["capacity"] ?? {}) as Texts)["storage"] ?? "0") : ""}\nAccess Modes:\t${bound ? modes(status["accessModes"]) : ""}\n`, line("VolumeMode", spec["volumeMode"]),
    `Used By:\t${users.join("\n\t") || "<none>"}\n`, conditions.length === 0 ? "" : `Conditions:\n  Type\tStatus\tLastProbeTime\tLastTransitionTime\tReason\tMessage\n  ----\t------\t-----------------\t------------------\t------\t-------\n${conditions.map((c) => `  ${c.type} \t${c.status} \t${c.lastProbeTime ? rfc1123z(c.lastProbeTime) : ""} \t${c.lastTransitionTime ? rfc1123z(c.lastTransitionTime) : ""} \t${c.reason ?? ""} \t${c.message ?? ""}\n`).join("")}`,
  ].join("");
}
