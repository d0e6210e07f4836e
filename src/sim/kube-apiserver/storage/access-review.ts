// Models kubernetes/pkg/registry/{authorization,authentication}: questions that are answered and never stored
import { decodeRequest } from "../../api/decode.ts";
import { type FieldError, invalid } from "../../api/field-error.ts";
import type { Attributes } from "../../api/rbac.ts";
import { isFailure, newBadRequest, newInvalid } from "../../api/status-errors.ts";
import { rfc3339 } from "../../api/time.ts";
import { authenticate, type User } from "../filters/authentication.ts";
import { authorize } from "../filters/authorization.ts";
import { nodeOf } from "../rbac/node-authorizer.ts";
import { aggregate, rulesFor } from "../rbac/rule-resolver.ts";
import { answer, refuse, type Run } from "../state.ts";
import { addWarnings, fieldValidation } from "./compute-update.ts";

interface ReviewSpec {
  readonly resourceAttributes?: Readonly<Record<string, string>>;
  readonly nonResourceAttributes?: { readonly path?: string; readonly verb?: string };
  readonly user?: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: User["extra"];
}

const AUTHORIZATION = "authorization.k8s.io";
const AUTHENTICATION = "authentication.k8s.io";

interface Body<S> {
  readonly spec?: S;
  readonly metadata?: { readonly namespace?: string };
}
const bodyOf = <S>(run: Run): Body<S> => (run.request.request.body ?? {}) as Body<S>;

function attributes({ resourceAttributes: asked, nonResourceAttributes }: ReviewSpec): Attributes {
  const of = (name: string): string => asked?.[name] ?? "";
  if (asked === undefined) return { verb: nonResourceAttributes?.verb ?? "", group: "", resource: "", subresource: "", namespace: "", name: "", path: nonResourceAttributes?.path ?? "" };
  return { verb: of("verb"), group: of("group"), resource: of("resource"), subresource: of("subresource"), namespace: of("namespace"), name: of("name"), path: "" };
}

/** A question about access has no metadata; a local one only a namespace. */
function metadataProblems(run: Run, kind: string): FieldError[] {
  const { metadata = {} } = bodyOf(run);
  const local = kind === "LocalSubjectAccessReview";
  const given = Object.keys(metadata).some((key) => key !== "managedFields" && !(local && key === "namespace"));
  return given ? [invalid("metadata", metadata, local ? "must be empty except for namespace" : "must be empty")] : [];
}

function problems(spec: ReviewSpec): FieldError[] {
  const { resourceAttributes, nonResourceAttributes } = spec;
  if (resourceAttributes !== undefined && nonResourceAttributes !== undefined) return [invalid("spec.nonResourceAttributes", nonResourceAttributes, "cannot be specified in combination with resourceAttributes")];
  return resourceAttributes === undefined && nonResourceAttributes === undefined ? [invalid("spec.resourceAttributes", null, "exactly one of nonResourceAttributes or resourceAttributes must be specified")] : [];
}

function review(run: Run, kind: string, user: User, errors: readonly FieldError[]): void {
  const body = bodyOf<ReviewSpec>(run);
  const all = [...errors, ...metadataProblems(run, kind)];
  if (all.length > 0) return refuse(run, newInvalid({ group: AUTHORIZATION, kind }, "", all));
  const { allowed, reason } = authorize(run.state, user, attributes(body.spec ?? {}));
  answer(run, 201, { kind, apiVersion: `${AUTHORIZATION}/v1`, metadata: {}, ...(body.spec === undefined ? {} : { spec: body.spec }), status: { allowed, ...(reason === "" ? {} : { reason }) } });
}

function selfAccess(run: Run): void {
  const { user } = run.request;
  if (user !== undefined) review(run, "SelfSubjectAccessReview", user, problems(bodyOf<ReviewSpec>(run).spec ?? {}));
}

/** About somebody else: who asks must be allowed to create such reviews. */
function subjectAccess(run: Run, kind = "SubjectAccessReview", more: readonly FieldError[] = []): void {
  const spec = bodyOf<ReviewSpec>(run).spec ?? {};
  const { user: name = "", uid, groups = [], extra } = spec;
  const nobody = name === "" && groups.length === 0 ? [invalid("spec.user", name, "at least one of user or group must be specified")] : [];
  review(run, kind, { name, groups, ...(uid === undefined ? {} : { uid }), ...(extra === undefined ? {} : { extra }) }, [...problems(spec), ...nobody, ...more]);
}

function localAccess(run: Run): void {
  const { info } = run.request;
  const spec = bodyOf<ReviewSpec>(run).spec ?? {};
  const asked = spec.resourceAttributes?.["namespace"] ?? "";
  if (spec.nonResourceAttributes === undefined && asked !== info.namespace) return refuse(run, newBadRequest(`spec.resourceAttributes.namespace must match namespace: ${info.namespace}`));
  subjectAccess(run, "LocalSubjectAccessReview", spec.nonResourceAttributes === undefined ? [] : [invalid("spec.nonResourceAttributes", spec.nonResourceAttributes, "disallowed on this kind of request")]);
}

/** Every rule that holds for who asks in a namespace. A kubelet's come from the graph and cannot be listed. */
function selfRules(run: Run): void {
  const { user } = run.request;
  const { namespace = "" } = bodyOf<{ readonly namespace?: string }>(run).spec ?? {};
  if (user === undefined) return;
  if (namespace === "") return refuse(run, newBadRequest("no namespace on request"));
  const { rules, errors } = rulesFor(run.state, user, namespace);
  const node = nodeOf(user) !== undefined;
  const problem = [...(node ? ["node authorizer does not support user rule resolution"] : []), ...errors];
  const resourceRules = rules.filter(({ resources = [] }) => resources.length > 0).map(({ verbs, apiGroups, resources, resourceNames }) => ({ verbs, apiGroups, resources, ...(resourceNames === undefined ? {} : { resourceNames }) }));
  const nonResourceRules = rules.filter(({ nonResourceURLs = [] }) => nonResourceURLs.length > 0).map(({ verbs, nonResourceURLs }) => ({ verbs, nonResourceURLs }));
  answer(run, 201, { kind: "SelfSubjectRulesReview", apiVersion: `${AUTHORIZATION}/v1`, metadata: {}, spec: {}, status: { resourceRules, nonResourceRules, incomplete: node, ...(problem.length === 0 ? {} : { evaluationError: aggregate(problem) }) } });
}

const userInfo = ({ name, uid, groups, extra }: User): object => ({ username: name, ...(uid === undefined ? {} : { uid }), groups, ...(extra === undefined ? {} : { extra }) });

/** Who the server takes the user for. */
function whoAmI(run: Run): void {
  const { user } = run.request;
  if (user !== undefined) answer(run, 201, { kind: "SelfSubjectReview", apiVersion: `${AUTHENTICATION}/v1`, metadata: { creationTimestamp: rfc3339(run.ctx.now) }, status: { userInfo: userInfo(user) } });
}

/** Whose token it is. */
function tokenReview(run: Run): void {
  const { token = "", audiences } = bodyOf<{ readonly token?: string; readonly audiences?: readonly string[] }>(run).spec ?? {};
  const { user } = authenticate(run.state, run.config, { kind: "bearer-token", name: token }, run.ctx.now);
  const status = user === undefined ? { user: {}, error: "invalid bearer token" } : { authenticated: true, user: userInfo(user), ...(audiences === undefined ? {} : { audiences }) };
  answer(run, 201, { kind: "TokenReview", apiVersion: `${AUTHENTICATION}/v1`, metadata: {}, spec: { token, ...(audiences === undefined ? {} : { audiences }) }, status });
}

/** By plural resource. */
const REVIEWS: Readonly<Record<string, (run: Run) => void>> = {
  selfsubjectaccessreviews: selfAccess, subjectaccessreviews: (run) => subjectAccess(run), localsubjectaccessreviews: localAccess, selfsubjectrulesreviews: selfRules, selfsubjectreviews: whoAmI, tokenreviews: tokenReview,
};

/** The answer to a review; undefined for every other resource. */
export function reviewFor(run: Run): ((run: Run) => void) | undefined {
  const { info: { api, resource }, request } = run.request;
  const review = REVIEWS[resource];
  if (review === undefined || api === undefined) return review;
  const decoded = decodeRequest(request.body ?? {}, { expected: api, fieldValidation: fieldValidation(run) });
  if (isFailure(decoded)) return (refused) => refuse(refused, decoded);
  addWarnings(run, decoded.warnings);
  return review;
}
