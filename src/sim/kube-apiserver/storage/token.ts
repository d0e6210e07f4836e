// Models kubernetes/pkg/registry/core/serviceaccount/storage/token.go
import { decodeRequest } from "../../api/decode.ts";
import { invalid } from "../../api/field-error.ts";
import { uuid } from "../../api/ids.ts";
import { isFailure, newBadRequest, newConflict, newInvalid, newNotFound } from "../../api/status-errors.ts";
import { rfc3339, SECOND } from "../../api/time.ts";
import type { KubeObject, Pod, Status } from "../../api/types.ts";
import type { Gate } from "../filters/gates.ts";
import { type Claims, ISSUER, signToken, unixSeconds } from "../filters/service-account-token.ts";
import { answer, refuse, type Run } from "../state.ts";
import { fieldValidation } from "./compute-update.ts";
import { getObject } from "../watch-cache/lookup.ts";

const DEFAULT_SECONDS = 3_600;
const MIN_SECONDS = 600;
const MAX_SECONDS = 4_294_967_296;
/** What the default volume of a Pod asks for: such tokens are good for a year, and their use after an hour is counted. */
const WARN_ONLY_SECONDS = 3_607;
const YEAR = 365 * 86_400;

interface TokenSpec {
  readonly audiences?: readonly string[];
  readonly expirationSeconds?: number;
  readonly boundObjectRef?: { readonly kind?: string; readonly name?: string; readonly uid?: string } | null;
}

const reference = (object: KubeObject): { readonly name: string; readonly uid: string } => ({ name: object.metadata.name ?? "", uid: object.metadata.uid ?? "" });

/** What the token is bound to: it ends with that object. */
function boundTo(run: Run, { boundObjectRef: ref }: TokenSpec): Partial<Claims["kubernetes.io"]> | Status {
  if (ref === undefined || ref === null) return {};
  const { namespace } = run.request.info;
  const resource = { Pod: "pods", Secret: "secrets", Node: "nodes" }[ref.kind ?? ""];
  if (resource === undefined) return newBadRequest(`cannot bind token for serviceaccount to object of type ${ref.kind ?? ""}`);
  const object = getObject(run.state, resource, resource === "nodes" ? "" : namespace, ref.name ?? "");
  if (object === undefined) return newNotFound({ resource }, ref.name ?? "");
  if (ref.uid !== undefined && ref.uid !== "" && ref.uid !== object.metadata.uid) return newConflict({ resource }, ref.name ?? "", `the UID in the bound object reference (${ref.uid}) does not match the UID in record. The object might have been deleted and then recreated`);
  if (resource === "secrets") return { secret: reference(object) };
  if (resource === "nodes") return { node: reference(object) };
  const node = getObject(run.state, "nodes", "", (object as Pod).spec.nodeName ?? "");
  return { ...(node === undefined ? {} : { node: reference(node) }), pod: reference(object) };
}

function badDuration(name: string, seconds: number): Status | undefined {
  const text = seconds < MIN_SECONDS ? "may not specify a duration less than 10 minutes" : seconds > MAX_SECONDS ? "may not specify a duration larger than 2^32 seconds" : undefined;
  return text === undefined ? undefined : newInvalid({ group: "authentication.k8s.io", kind: "TokenRequest" }, name, [invalid("spec.expirationSeconds", seconds, text)]);
}

/** The body may only name what the URL names. */
function badPlace(run: Run, { metadata }: KubeObject): Status | undefined {
  const { name, namespace } = run.request.info;
  const place = [["name", metadata?.name ?? "", name, "service account name"], ["namespace", metadata?.namespace ?? "", namespace, "service account namespace"]] as const;
  const wrong = place.find(([, given, want]) => given !== "" && given !== want);
  return wrong === undefined ? undefined : newInvalid({ group: "authentication.k8s.io", kind: "TokenRequest" }, name, [invalid(`metadata.${wrong[0]}`, wrong[1], `must match the ${wrong[3]} if specified`)]);
}

/** TokenRequest: a signed token, answered and never stored. */
export const tokenGate: Gate = {
  name: "Token",
  share: 92,
  run(run) {
    const { info, request } = run.request;
    const account = getObject(run.state, "serviceaccounts", info.namespace, info.name);
    if (account === undefined) return refuse(run, newNotFound({ resource: "serviceaccounts" }, info.name));
    const decoded = decodeRequest(request.body ?? {}, { expected: { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest" }, fieldValidation: fieldValidation(run) });
    if (isFailure(decoded)) return refuse(run, decoded);
    const elsewhere = badPlace(run, decoded.object);
    if (elsewhere !== undefined) return refuse(run, elsewhere);
    const spec = ((request.body ?? {}) as { readonly spec?: TokenSpec }).spec ?? {};
    const seconds = spec.expirationSeconds ?? DEFAULT_SECONDS;
    const wrong = badDuration(info.name, seconds);
    if (wrong !== undefined) return refuse(run, wrong);
    const bound = boundTo(run, spec);
    if (isFailure(bound)) return refuse(run, bound);
    const audiences = spec.audiences?.length ? spec.audiences : [ISSUER];
    const now = unixSeconds(run.ctx.now);
    const long = seconds === WARN_ONLY_SECONDS && bound.pod !== undefined && audiences.includes(ISSUER);
    const claims: Claims = {
      aud: audiences, exp: now + (long ? YEAR : seconds), iat: now, iss: ISSUER, jti: uuid(run.config.world.seed, `jti/${info.namespace}/${info.name}/${run.ctx.now}/${run.request.key}`),
      "kubernetes.io": { namespace: info.namespace, ...bound, serviceaccount: reference(account) }, nbf: now, sub: `system:serviceaccount:${info.namespace}:${info.name}`,
    };
    return answer(run, 201, { kind: "TokenRequest", apiVersion: "authentication.k8s.io/v1", metadata: { name: info.name, namespace: info.namespace, creationTimestamp: rfc3339(run.ctx.now) }, spec: { ...spec, audiences, expirationSeconds: seconds }, status: { token: signToken(run.config.world.seed, claims), expirationTimestamp: rfc3339(run.ctx.now + seconds * SECOND) } });
  },
};
