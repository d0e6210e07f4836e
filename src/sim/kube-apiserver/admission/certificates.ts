// Models kubernetes/plugin/pkg/admission/certificates/{approval,signing,subjectrestriction,ctbattest}/admission.go and pkg/certauthorization
import { base64Decode } from "../../api/base64.ts";
import type { KubeObject } from "../../api/types.ts";
import { semanticEqual } from "../../api/validation/helpers.ts";
import { type AdmissionAttributes, type AdmissionPlugin, forbid } from "./attributes.ts";

const CLIENT_SIGNER = "kubernetes.io/kube-apiserver-client";
const GROUP = "certificates.k8s.io";

interface SigningRequest extends KubeObject {
  readonly spec?: { readonly signerName?: string; readonly request?: string };
  readonly status?: { readonly certificate?: string; readonly conditions?: readonly unknown[] };
}

const signerOf = (object: KubeObject | undefined): string => (object as SigningRequest | undefined)?.spec?.signerName ?? "";

/** May the user approve, sign or attest for this signer, or for all signers of its domain? */
function mayUseSigner(attrs: AdmissionAttributes, verb: string, signer: string): boolean {
  const ask = (name: string): boolean => attrs.authorize?.({ verb, group: GROUP, resource: "signers", name }).allowed ?? true;
  return ask(signer) || ask(`${signer.split("/")[0] ?? ""}/*`);
}

const concerns = (attrs: AdmissionAttributes, subresource: string, operation: string): boolean => attrs.group === GROUP && attrs.resource === "certificatesigningrequests" && attrs.subresource === subresource && attrs.operation === operation;

export const certificateApproval = {
  name: "CertificateApproval",
  handles: (attrs) => concerns(attrs, "approval", "UPDATE"),
  validate(object, attrs) {
    const signer = signerOf(attrs.oldObject);
    return mayUseSigner(attrs, "approve", signer) ? undefined : forbid(attrs, object, `user not permitted to approve requests with signerName ${JSON.stringify(signer)}`);
  },
} satisfies AdmissionPlugin;

export const certificateSigning = {
  name: "CertificateSigning",
  handles: (attrs) => concerns(attrs, "status", "UPDATE"),
  validate(object, attrs) {
    const [now, before] = [(object as SigningRequest).status, (attrs.oldObject as SigningRequest | undefined)?.status];
    if (now?.certificate === before?.certificate && semanticEqual(now?.conditions, before?.conditions)) return undefined;
    const signer = signerOf(attrs.oldObject);
    return mayUseSigner(attrs, "sign", signer) ? undefined : forbid(attrs, object, `user not permitted to sign requests with signerName ${JSON.stringify(signer)}`);
  },
} satisfies AdmissionPlugin;

/**
 * Nobody may ask for a certificate that makes him master of the cluster.
 * Simplified: upstream parses the request's ASN.1; here the organization is looked for in its decoded bytes.
 */
export const certificateSubjectRestriction = {
  name: "CertificateSubjectRestriction",
  handles: (attrs) => concerns(attrs, "", "CREATE"),
  validate(object, attrs) {
    if (signerOf(object) !== CLIENT_SIGNER) return undefined;
    const pem = base64Decode((object as SigningRequest).spec?.request ?? "");
    const der = base64Decode(pem.replaceAll(/-----[A-Z ]+-----|\s/g, ""));
    return der.includes("system:masters") ? forbid(attrs, object, `use of ${CLIENT_SIGNER} signer with system:masters group is not allowed`) : undefined;
  },
} satisfies AdmissionPlugin;

export const clusterTrustBundleAttest = {
  name: "ClusterTrustBundleAttest",
  handles: ({ group, resource, operation }) => group === GROUP && resource === "clustertrustbundles" && (operation === "CREATE" || operation === "UPDATE"),
  validate(object, attrs) {
    const signer = signerOf(object);
    if (signer === "" || (attrs.operation === "UPDATE" && semanticEqual(object.spec, attrs.oldObject?.spec))) return undefined;
    return mayUseSigner(attrs, "attest", signer) ? undefined : forbid(attrs, object, `user not permitted to attest for signerName ${JSON.stringify(signer)}`);
  },
} satisfies AdmissionPlugin;
