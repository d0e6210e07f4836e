// Models kubernetes/staging/src/k8s.io/apiserver/pkg/server/config.go (DefaultBuildHandlerChain)
import { isFailure, newUnauthorized } from "../../api/status-errors.ts";
import { resourceText } from "../request-info.ts";
import { attributesOf, refuse } from "../state.ts";
import { annotate, auditGate, auditInitGate } from "./audit.ts";
import { authenticate, proofText } from "./authentication.ts";
import { authorize, forbiddenStatus } from "./authorization.ts";
import { flowControlGate } from "./flow-control.ts";
import { type Gate, tell, tellRefusal } from "./gates.ts";
import { requestDeadlineGate } from "./request-deadline.ts";
import { impersonate, wantedUser } from "./impersonation.ts";
import { negotiationGate } from "./negotiation.ts";

/** The connection's own step: a client that was not connected shakes hands first. Its time is in that of the wire. */
const tlsGate: Gate = {
  name: "TLS",
  share: 0,
  run(run) {
    const { client, teach } = run.request;
    if (teach === "" || run.state.connected.get(client) !== undefined) return;
    run.state.connected = run.state.connected.set(client, true);
    tell(run, "TLS", `shakes hands with ${client}`, "TLS 1.3: the server shows its certificate and asks for the client's; HTTP/2 requests then share the connection", "operator");
  },
};

const panicRecoveryGate: Gate = {
  name: "PanicRecovery",
  share: 0,
  run: (run) => tell(run, "PanicRecovery", "stands behind the request", "a crash while it is served would be answered with 500 and the server would go on", "source"),
};

const requestInfoGate: Gate = {
  name: "RequestInfo",
  share: 0,
  latency: "apiserver.filter.request-info",
  run(run) {
    const { info, request } = run.request;
    tell(run, "RequestInfo", `reads ${request.method} ${info.path}`.slice(0, 126), `verb ${info.verb}, resource ${resourceText(info) || "(none)"}, namespace ${info.namespace || "(none)"}`, "operator");
  },
};

const timeoutGate: Gate = {
  name: "TimeoutForNonLongRunningRequests",
  share: 0,
  run: (run) => tell(run, "TimeoutForNonLongRunningRequests", "will answer 504 itself if nobody has by then", "what the request set going is not undone by that", "source"),
};

const authenticationGate: Gate = {
  name: "Authentication",
  share: 0,
  latency: "apiserver.filter.authentication",
  run(run) {
    const { credential } = run.request.request;
    const { user, tokens } = authenticate(run.state, run.config, credential, run.ctx.now);
    run.state.tokens = tokens;
    if (user === undefined) {
      tellRefusal(run, "Authentication", `does not know who asks (${proofText(credential)})`);
      refuse(run, newUnauthorized());
      return;
    }
    run.request.user = user;
    tell(run, "Authentication", `authenticates ${user.name}`, proofText(credential), "basic");
  },
};

const impersonationGate: Gate = {
  name: "Impersonation",
  share: 0,
  run(run) {
    const { user, request } = run.request;
    if (user === undefined) return;
    const wanted = wantedUser(request.headers);
    if (wanted === undefined) return;
    const become = isFailure(wanted) ? wanted : impersonate(run.state, user, wanted, attributesOf(run.request));
    if (isFailure(become)) {
      tellRefusal(run, "Impersonation", `does not let ${user.name} act as ${request.headers["Impersonate-User"] ?? "nobody"}`);
      refuse(run, become);
      return;
    }
    run.request.user = become.user;
    if (become.constraint !== "") annotate(run, "authentication.k8s.io/impersonation-constraint", become.constraint);
    tell(run, "Impersonation", `lets ${user.name} act as ${become.user.name}`, `headers Impersonate-User and -Group; ${become.constraint === "" ? "the verb impersonate" : become.constraint} allows it`, "basic");
  },
};

const authorizationGate: Gate = {
  name: "Authorization",
  share: 0,
  latency: "apiserver.filter.authorization",
  run(run) {
    const { user, info, request } = run.request;
    if (user === undefined) return;
    const asked = attributesOf(run.request);
    const { allowed, reason } = authorize(run.state, user, asked, fieldsOf(request.query?.["fieldSelector"]));
    if (run.request.audit !== undefined) {
      annotate(run, "authorization.k8s.io/decision", allowed ? "allow" : "forbid");
      annotate(run, "authorization.k8s.io/reason", reason);
    }
    if (!allowed) {
      tellRefusal(run, "Authorization", `forbids ${user.name} to ${info.verb} ${resourceText(info)}`);
      refuse(run, forbiddenStatus(user, asked, reason));
      return;
    }
    tell(run, "Authorization", `allows ${user.name} to ${info.verb} ${resourceText(info) || info.path}`, reason || (user.groups.includes("system:masters") ? "group system:masters" : "Node authorizer: a kubelet about its own node"), "basic");
  },
};

const NO_FIELDS: Readonly<Record<string, string>> = {};

/** The selector's exact requirements. */
function fieldsOf(selector: string | undefined): Readonly<Record<string, string>> {
  if (selector === undefined || selector === "") return NO_FIELDS;
  return Object.fromEntries(selector.split(",").flatMap((part) => (part.includes("!=") || !part.includes("=") ? [] : [[part.slice(0, part.indexOf("=")), part.slice(part.lastIndexOf("=") + 1)]])));
}

/** The filters, outermost first. */
export const FILTERS: readonly Gate[] = [
  tlsGate, auditInitGate, panicRecoveryGate, requestInfoGate, requestDeadlineGate, timeoutGate, authenticationGate, auditGate, impersonationGate, flowControlGate, authorizationGate, negotiationGate,
];
