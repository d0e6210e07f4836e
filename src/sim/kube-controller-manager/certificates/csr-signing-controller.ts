// Models kubernetes/pkg/controller/certificates/signer/signer.go
import { base64Encode } from "../../api/base64.ts";
import { objectKey, type WatchSpec } from "../../api/http.ts";
import { rfc3339, SECOND } from "../../api/time.ts";
import { type CertificateRequest, signCertificate } from "../../api/x509.ts";
import type { Component, Micros, Note } from "../../kernel/types.ts";
import type { View } from "../caches.ts";
import { type ControllerConfig, type ControllerState, createController, isSuccess, messageOf, type Plan, watchesOf } from "../controller.ts";
import { ACCOUNT, apiServerClientError, type CertificateSigningRequest, CSRS, hasCondition, isIssued, kubeletClientError, kubeletServingError, pathOf, requestOf, RETRY_BASE, subjectOf } from "./certificate-request.ts";

const ID = "certificatesigningrequest-signing-controller";
/** --cluster-signing-duration */
const YEAR = 365 * 86_400;
const SHORTEST = 600;
const BACKDATE: Micros = 300 * SECOND;
/** Certificates for less than this are not valid from before they were made. */
const SHORT = 8 * 3_600;

type Check = (request: CertificateRequest, usages: readonly string[]) => string | undefined;

const SIGNERS: ReadonlyMap<string, Check> = new Map<string, Check>([
  ["kubernetes.io/kubelet-serving", kubeletServingError],
  ["kubernetes.io/kube-apiserver-client-kubelet", kubeletClientError],
  ["kubernetes.io/kube-apiserver-client", (_request, usages) => apiServerClientError(usages)],
  ["kubernetes.io/legacy-unknown", () => undefined],
]);

function certificateFor(csr: CertificateSigningRequest, request: CertificateRequest, now: Micros): string {
  const { expirationSeconds = YEAR, usages = [] } = csr.spec;
  const seconds = Math.max(SHORTEST, Math.min(YEAR, expirationSeconds));
  const whole = now - (now % SECOND);
  // The validity is as long as asked for; a long one begins five minutes early and ends as much earlier.
  const notAfter = whole + seconds * SECOND - (seconds < SHORT ? 0 : BACKDATE);
  return signCertificate(request, { issuer: "kubernetes", usages, notBefore: whole - BACKDATE, notAfter });
}

function sync(name: string, view: View): Plan<string> {
  const csr = view.get<CertificateSigningRequest>(CSRS, name);
  if (!csr || isIssued(csr) || !hasCondition(csr, "Approved") || hasCondition(csr, "Denied") || hasCondition(csr, "Failed")) return {};
  const check = SIGNERS.get(csr.spec.signerName);
  if (check === undefined) return {};
  const request = requestOf(csr);
  if (request === undefined) return { error: `unable to parse csr ${JSON.stringify(name)}: PEM block type must be CERTIFICATE REQUEST` };
  const put = (status: object, note: Note): Plan<string> => ({ batches: [[{ method: "PUT", path: `${pathOf(csr)}/status`, body: { ...csr, status: { ...csr.status, ...status } }, subject: subjectOf(csr) }]], notes: [{ ...note, level: "basic", subject: subjectOf(csr) }], next: name });
  const wrong = check(request, csr.spec.usages ?? []);
  if (wrong !== undefined) {
    const failed = { type: "Failed", status: "True", reason: "SignerValidationFailure", message: wrong, lastUpdateTime: rfc3339(view.now), lastTransitionTime: null };
    return put({ conditions: [...(csr.status?.conditions ?? []), failed] }, { text: `${ID} cannot sign ${name}`.slice(0, 138), why: wrong });
  }
  return put({ certificate: base64Encode(certificateFor(csr, request, view.now)) }, { text: `${ID} signs ${name}`.slice(0, 138), why: `it is approved, and asks for what the signer ${csr.spec.signerName} signs` });
}

/** Signs approved requests with the cluster's CA. */
export const createCSRSigningController = (config: ControllerConfig): Component<ControllerState<string>> =>
  createController<string, unknown>(
    {
      id: ID,
      account: ACCOUNT,
      resources: [CSRS],
      workers: 5,
      retryBase: RETRY_BASE,
      latency: "controller.sync",
      memory: undefined,
      handle: ({ object }) => ({ keys: [{ key: objectKey(object) }] }),
      sync,
      resume: (_name, _next, [answer]) => (answer === undefined || isSuccess(answer) ? {} : { error: messageOf(answer) }),
    },
    config,
  );

export const csrSigningWatches = (): WatchSpec[] => watchesOf(ID, [CSRS]);
