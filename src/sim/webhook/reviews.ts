// Models kubernetes/test/images/agnhost/webhook/{main,addlabel,alwaysallow,alwaysdeny,pods,configmap}.go
import { base64Encode } from "../api/base64.ts";
import type { KubeObject, Pod } from "../api/types.ts";
import type { AdmissionRequest, AdmissionResponse } from "./messages.ts";

type Verdict = Omit<AdmissionResponse, "uid">;
/** A parameter of the fault that installed it. */
type Param = (fault: string, name: string) => string;
type Handler = (request: AdmissionRequest, param: Param) => Verdict | "never";

const ALLOWED: Verdict = { allowed: true };
const deny = (message: string): Verdict => ({ allowed: false, status: { message } });
const patch = (operations: readonly object[]): Verdict => ({ allowed: true, patch: base64Encode(JSON.stringify(operations)), patchType: "JSONPatch" });

function addLabel({ object }: AdmissionRequest): Verdict {
  const labels = object?.metadata.labels ?? {};
  if (labels["added-label"] === "yes") return ALLOWED;
  if (Object.keys(labels).length === 0) return patch([{ op: "add", path: "/metadata/labels", value: { "added-label": "yes" } }]);
  return patch([{ op: labels["added-label"] === undefined ? "add" : "replace", path: "/metadata/labels/added-label", value: "yes" }]);
}

function admitPod({ object }: AdmissionRequest): Verdict | "never" {
  const pod = object as Pod | null;
  const label = pod?.metadata.labels?.["webhook-e2e-test"];
  if (label === "wait-forever") return "never";
  const reasons = [...(label === "webhook-disallow" ? ["the pod contains unwanted label;"] : []), ...(pod?.spec.containers ?? []).filter((c) => c.name.includes("webhook-disallow")).map(() => "the pod contains unwanted container name;")];
  return reasons.length === 0 ? ALLOWED : deny(reasons.join(" "));
}

function mutatePod({ object }: AdmissionRequest): Verdict {
  const pod = object as Pod | null;
  const done = pod?.spec.initContainers?.some((c) => c.name === "webhook-added-init-container") === true;
  return pod?.metadata.name !== "webhook-to-be-mutated" || done ? ALLOWED : patch([{ op: "add", path: "/spec/initContainers", value: [{ image: "webhook-added-image", name: "webhook-added-init-container", resources: {} }] }]);
}

const dataOf = (object: KubeObject | null): Readonly<Record<string, string>> => ((object as { readonly data?: Readonly<Record<string, string>> } | null)?.data ?? {});

function admitConfigMap({ operation, object, oldObject }: AdmissionRequest): Verdict {
  const value = dataOf(operation === "DELETE" ? oldObject : object)["webhook-e2e-test"];
  if (value === "webhook-disallow" && operation !== "DELETE") return { allowed: false, status: { reason: "the configmap contains unwanted key and value" } };
  if (value === "webhook-nondeletable" && operation === "DELETE") return { allowed: false, status: { reason: "the configmap cannot be deleted because it contains unwanted key and value" } };
  return ALLOWED;
}

function mutateConfigMap({ object }: AdmissionRequest): Verdict {
  const data = dataOf(object);
  const stage = data["mutation-stage-1"] === "yes" ? "mutation-stage-2" : data["mutation-start"] === "yes" ? "mutation-stage-1" : undefined;
  return stage === undefined ? ALLOWED : patch([{ op: "add", path: `/data/${stage}`, value: "yes" }]);
}

const SIDECAR = "sidecar";

/** What a service mesh's injector does: one more container, once. */
function injectSidecar({ object }: AdmissionRequest, param: Param): Verdict {
  const pod = object as Pod | null;
  if (pod === null || pod.spec.containers.some(({ name }) => name === SIDECAR)) return ALLOWED;
  return patch([{ op: "add", path: "/spec/containers/-", value: { name: SIDECAR, image: param("admission.webhook-injects-sidecar", "image") } }]);
}

const HANDLERS: Readonly<Record<string, Handler>> = {
  "/always-allow-delay-5s": () => ({ allowed: true, status: { message: "this webhook allows all requests" } }),
  "/always-deny": () => deny("this webhook denies all requests"),
  "/add-label": addLabel,
  "/pods": admitPod,
  "/mutating-pods": mutatePod,
  "/configmaps": admitConfigMap,
  "/mutating-configmaps": mutateConfigMap,
  "/validate": () => ALLOWED,
  "/deny": (_, param) => ({ allowed: false, status: { message: param("admission.webhook-denies", "message"), code: 400 } }),
  "/hang": () => "never",
  "/inject-sidecar": injectSidecar,
};

/** The verdict of the program at this path; "never" when it does not answer, undefined when there is nothing at the path. */
export const review = (path: string, request: AdmissionRequest, param: Param): Verdict | "never" | undefined => HANDLERS[path]?.(request, param);

/** How long the program thinks by itself, on purpose. */
export const delayOf = (path: string): number => (path === "/always-allow-delay-5s" ? 5_000_000 : 0);
