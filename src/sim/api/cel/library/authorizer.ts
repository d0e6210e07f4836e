// Models kubernetes/staging/src/k8s.io/apiserver/pkg/cel/library/authz.go
import type { CelLibrary } from "../types.ts";

/** What is asked of the authorizer: the attributes of a request that nobody made. */
export interface CelAccessQuery {
  /** Empty: the user of the request. */
  readonly serviceAccount?: { readonly namespace: string; readonly name: string };
  readonly path?: string;
  readonly group?: string;
  readonly resource?: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly verb?: string;
}

export interface CelAccessDecision {
  readonly allowed: boolean;
  readonly reason: string;
}

type Ask = (query: CelAccessQuery) => CelAccessDecision;

class Step {
  readonly query: CelAccessQuery;
  readonly ask: Ask;
  constructor(ask: Ask, query: CelAccessQuery) {
    this.ask = ask;
    this.query = query;
  }
}

class PathCheck extends Step {}
class GroupCheck extends Step {}
class CelResourceCheck extends Step {}

/** The variable `authorizer`, with `authorizer.requestResource`: the resource of the request in hand. */
export class CelAuthorizer extends Step {
  readonly requestResource: CelResourceCheck;
  constructor(ask: Ask, query: CelAccessQuery, requestResource: CelAccessQuery) {
    super(ask, query);
    this.requestResource = new CelResourceCheck(ask, requestResource);
  }
}

class Decision {
  readonly decision: CelAccessDecision;
  constructor(decision: CelAccessDecision) {
    this.decision = decision;
  }
}

const narrowed = (key: keyof CelAccessQuery) => (check: CelResourceCheck, text: string): CelResourceCheck => new CelResourceCheck(check.ask, { ...check.query, [key]: text });
const decide = (step: Step, verb: string): Decision => new Decision(step.ask({ ...step.query, verb }));

function path(authorizer: CelAuthorizer, text: string): PathCheck {
  if (text === "") throw new Error("path must not be empty");
  return new PathCheck(authorizer.ask, { ...authorizer.query, path: text });
}

/** May somebody do something? Selectors are accepted. */
export const authorizerLibrary: CelLibrary = {
  classes: [["kubernetes.authorization.Authorizer", CelAuthorizer, { requestResource: "kubernetes.authorization.ResourceCheck" }], ["kubernetes.authorization.PathCheck", PathCheck], ["kubernetes.authorization.GroupCheck", GroupCheck], ["kubernetes.authorization.ResourceCheck", CelResourceCheck], ["kubernetes.authorization.Decision", Decision]],
  functions: [
    ["kubernetes.authorization.Authorizer.path(string): kubernetes.authorization.PathCheck", path],
    ["kubernetes.authorization.Authorizer.group(string): kubernetes.authorization.GroupCheck", (a: CelAuthorizer, group: string) => new GroupCheck(a.ask, { ...a.query, group })],
    ["kubernetes.authorization.Authorizer.serviceAccount(string, string): kubernetes.authorization.Authorizer", (a: CelAuthorizer, namespace: string, name: string) => new CelAuthorizer(a.ask, { serviceAccount: { namespace, name } }, { ...a.requestResource.query, serviceAccount: { namespace, name } })],
    ["kubernetes.authorization.GroupCheck.resource(string): kubernetes.authorization.ResourceCheck", (g: GroupCheck, resource: string) => new CelResourceCheck(g.ask, { ...g.query, resource })],
    ["kubernetes.authorization.ResourceCheck.subresource(string): kubernetes.authorization.ResourceCheck", narrowed("subresource")],
    ["kubernetes.authorization.ResourceCheck.namespace(string): kubernetes.authorization.ResourceCheck", narrowed("namespace")],
    ["kubernetes.authorization.ResourceCheck.name(string): kubernetes.authorization.ResourceCheck", narrowed("name")],
    // Simplified: upstream hands selectors to the authorizer; RBAC and the node authorizer of this cluster read only what is named.
    ["kubernetes.authorization.ResourceCheck.fieldSelector(string): kubernetes.authorization.ResourceCheck", (check: CelResourceCheck, _text: string) => check],
    ["kubernetes.authorization.ResourceCheck.labelSelector(string): kubernetes.authorization.ResourceCheck", (check: CelResourceCheck, _text: string) => check],
    ["kubernetes.authorization.PathCheck.check(string): kubernetes.authorization.Decision", decide],
    ["kubernetes.authorization.ResourceCheck.check(string): kubernetes.authorization.Decision", decide],
    ["kubernetes.authorization.Decision.allowed(): bool", (d: Decision) => d.decision.allowed],
    ["kubernetes.authorization.Decision.reason(): string", (d: Decision) => d.decision.reason],
    ["kubernetes.authorization.Decision.errored(): bool", () => false],
    ["kubernetes.authorization.Decision.error(): string", () => ""],
  ],
};
