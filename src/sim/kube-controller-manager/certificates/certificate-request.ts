// Models kubernetes/pkg/controller/certificates/certificate_controller_utils.go and pkg/apis/certificates/helpers.go
import { base64Decode } from "../../api/base64.ts";
import type { Condition, KubeObject } from "../../api/types.ts";
import { type CertificateRequest, parseRequest } from "../../api/x509.ts";

export interface CertificateSigningRequest extends KubeObject {
  readonly spec: {
    readonly request: string;
    readonly signerName: string;
    readonly usages?: readonly string[];
    readonly expirationSeconds?: number;
    readonly username?: string;
    readonly uid?: string;
    readonly groups?: readonly string[];
    readonly extra?: Readonly<Record<string, readonly string[]>>;
  };
  readonly status?: { readonly certificate?: string; readonly conditions?: readonly (Condition & { readonly lastUpdateTime?: string | null })[] };
}

export const CSRS = "certificatesigningrequests";
export const ACCOUNT = "certificate-controller";
/** Delays begin with 200 ms, for these are mostly errors of users. */
export const RETRY_BASE = 200_000;

export const hasCondition = (csr: CertificateSigningRequest, type: string): boolean => csr.status?.conditions?.some((condition) => condition.type === type && condition.status === "True") ?? false;
export const isIssued = (csr: CertificateSigningRequest): boolean => (csr.status?.certificate ?? "") !== "";

export const requestOf = (csr: CertificateSigningRequest): CertificateRequest | undefined => parseRequest(base64Decode(csr.spec.request));

export const subjectOf = (csr: CertificateSigningRequest): string => `certificatesigningrequest/${csr.metadata.name ?? ""}`;
export const pathOf = (csr: CertificateSigningRequest): string => `/apis/certificates.k8s.io/v1/${CSRS}/${csr.metadata.name ?? ""}`;

const isSet = (usages: readonly string[], wanted: readonly string[]): boolean => new Set(usages).size === wanted.length && wanted.every((usage) => usages.includes(usage));

function usagesError(usages: readonly string[], auth: "client auth" | "server auth"): string | undefined {
  const wanted = ["digital signature", "key encipherment", auth].sort((a, b) => (a < b ? -1 : 1));
  return isSet(usages, wanted) || isSet(usages, ["digital signature", auth]) ? undefined : `usages did not match [${wanted.join(" ")}]`;
}

const nameError = ({ commonName }: CertificateRequest): string | undefined => (commonName.startsWith("system:node:") ? undefined : "subject common name does not begin with system:node:");
const organizationError = ({ organizations }: CertificateRequest): string | undefined => (organizations.length === 1 && organizations[0] === "system:nodes" ? undefined : "subject organization is not system:nodes");
const allowed = (count: number, what: string): string | undefined => (count > 0 ? `${what} subjectAltNames are not allowed` : undefined);

/** What is wrong with a kubelet's request for a client certificate. */
export function kubeletClientError(request: CertificateRequest, usages: readonly string[]): string | undefined {
  return organizationError(request) ?? allowed(request.dnsNames.length, "DNS") ?? allowed(request.emails.length, "Email") ?? allowed(request.addresses, "IP") ?? allowed(request.uris.length, "URI") ?? nameError(request) ?? usagesError(usages, "client auth");
}

/** What is wrong with a kubelet's request for the certificate that it serves with. */
export function kubeletServingError(request: CertificateRequest, usages: readonly string[]): string | undefined {
  const named = request.dnsNames.length + request.addresses > 0 ? undefined : "DNS or IP subjectAltName is required";
  return organizationError(request) ?? named ?? allowed(request.emails.length, "Email") ?? allowed(request.uris.length, "URI") ?? usagesError(usages, "server auth") ?? nameError(request);
}

/** validAPIServerClientUsages */
export function apiServerClientError(usages: readonly string[]): string | undefined {
  const wrong = usages.find((usage) => !["digital signature", "key encipherment", "client auth"].includes(usage));
  return wrong !== undefined ? `invalid usage for client certificate: ${wrong}` : usages.includes("client auth") ? undefined : "missing required usage for client certificate: client auth";
}
