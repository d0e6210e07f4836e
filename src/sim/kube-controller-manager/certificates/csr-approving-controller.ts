// Models kubernetes/pkg/controller/certificates/approver/sarapprove.go
import { objectKey, type WatchSpec } from "../../api/http.ts";
import type { ApiCall } from "../../client-go/api-client.ts";
import type { Component } from "../../kernel/types.ts";
import type { View } from "../caches.ts";
import { type Answer, type ControllerConfig, type ControllerState, createController, isSuccess, messageOf, type Plan, watchesOf } from "../controller.ts";
import { ACCOUNT, type CertificateSigningRequest, CSRS, hasCondition, isIssued, kubeletClientError, pathOf, requestOf, RETRY_BASE, subjectOf } from "./certificate-request.ts";

const ID = "certificatesigningrequest-approving-controller";
const REVIEWS = "/apis/authorization.k8s.io/v1/subjectaccessreviews";

interface Recognizer {
  readonly subresource: "selfnodeclient" | "nodeclient";
  readonly message: string;
}
const NODE: Recognizer = { subresource: "nodeclient", message: "Auto approving kubelet client certificate after SubjectAccessReview." };
const SELF: Recognizer = { subresource: "selfnodeclient", message: "Auto approving self kubelet client certificate after SubjectAccessReview." };

interface Asked {
  /** Those that recognize the request, the one that is asked for at `at`; past the last one the approval is written. */
  readonly recognized: readonly Recognizer[];
  readonly at: number;
}

/** Only a kubelet's request for a client certificate is approved by itself. */
function recognize(csr: CertificateSigningRequest): readonly Recognizer[] | undefined {
  const request = requestOf(csr);
  if (request === undefined) return undefined;
  if (csr.spec.signerName !== "kubernetes.io/kube-apiserver-client-kubelet" || kubeletClientError(request, csr.spec.usages ?? []) !== undefined) return [];
  return csr.spec.username === request.commonName ? [SELF, NODE] : [NODE];
}

/** May who asked create such requests? That is what RBAC calls approving them. */
function review(csr: CertificateSigningRequest, { subresource }: Recognizer): ApiCall {
  const { username, uid, groups, extra } = csr.spec;
  const resourceAttributes = { group: "certificates.k8s.io", resource: CSRS, verb: "create", subresource, version: "*" };
  return { method: "POST", path: REVIEWS, body: { apiVersion: "authorization.k8s.io/v1", kind: "SubjectAccessReview", spec: { user: username, groups, ...(uid === undefined ? {} : { uid }), ...(extra === undefined ? {} : { extra }), resourceAttributes } }, subject: subjectOf(csr) };
}

function sync(name: string, view: View): Plan<Asked> {
  const csr = view.get<CertificateSigningRequest>(CSRS, name);
  if (!csr || isIssued(csr) || hasCondition(csr, "Approved") || hasCondition(csr, "Denied")) return {};
  const recognized = recognize(csr);
  if (recognized === undefined) return { error: `unable to parse csr ${JSON.stringify(name)}: PEM block type must be CERTIFICATE REQUEST` };
  const [first] = recognized;
  return first === undefined ? {} : { batches: [[review(csr, first)]], next: { recognized, at: 0 } };
}

function resume(name: string, { recognized, at }: Asked, [answer]: readonly Answer[], view: View): Plan<Asked> {
  const csr = view.get<CertificateSigningRequest>(CSRS, name);
  if (!csr || answer === undefined) return {};
  if (!isSuccess(answer)) return { error: messageOf(answer) };
  const recognizer = recognized[at];
  if (recognizer === undefined) return {};
  if ((answer.body as { readonly status?: { readonly allowed?: boolean } }).status?.allowed === true) {
    const condition = { type: "Approved", status: "True", reason: "AutoApproved", message: recognizer.message, lastUpdateTime: null, lastTransitionTime: null };
    const body = { ...csr, status: { ...csr.status, conditions: [...(csr.status?.conditions ?? []), condition] } };
    return { batches: [[{ method: "PUT", path: `${pathOf(csr)}/approval`, body, subject: subjectOf(csr) }]], notes: [{ text: `${ID} approves ${name}`.slice(0, 138), why: `${csr.spec.username ?? ""} may create ${CSRS}/${recognizer.subresource}`, level: "basic", subject: subjectOf(csr) }], next: { recognized, at: recognized.length } };
  }
  const next = recognized[at + 1];
  if (next !== undefined) return { batches: [[review(csr, next)]], next: { recognized, at: at + 1 } };
  return { error: `recognized csr ${JSON.stringify(name)} as [${recognized.map(({ subresource }) => subresource).join(" ")}] but subject access review was not approved` };
}

/** Approves kubelets' requests for client certificates, if RBAC lets who asked have them. */
export const createCSRApprovingController = (config: ControllerConfig): Component<ControllerState<Asked>> =>
  createController<Asked, unknown>(
    { id: ID, account: ACCOUNT, resources: [CSRS], workers: 5, retryBase: RETRY_BASE, latency: "controller.sync", memory: undefined, handle: ({ object }) => ({ keys: [{ key: objectKey(object) }] }), sync, resume },
    config,
  );

export const csrApprovingWatches = (): WatchSpec[] => watchesOf(ID, [CSRS]);
