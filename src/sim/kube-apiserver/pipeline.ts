// Models the way of a request through kubernetes/staging/src/k8s.io/apiserver: filters, then the REST handler of its verb
import type { HttpRequest } from "../api/http.ts";
import type { Level, MailId, Micros } from "../kernel/types.ts";
import { isAggregated, proxyGate } from "./aggregator/proxy.ts";
import { withCustomResource } from "./apiextensions/resources.ts";
import { versionWarnings } from "./apiextensions/serve.ts";
import { newAudit } from "./filters/audit.ts";
import { FILTERS } from "./filters/chain.ts";
import type { Gate } from "./filters/gates.ts";
import { deadlineOf } from "./filters/request-deadline.ts";
import { type RequestInfo, requestInfo } from "./request-info.ts";
import type { ApiServerState, FlowName, Inflight, Run } from "./state.ts";
import { validatingGate } from "./storage/admission.ts";
import { deleteAdmissionGate, deleteGate } from "./storage/delete.ts";
import { deleteCollectionGate } from "./storage/delete-collection.ts";
import { execGate } from "./storage/exec.ts";
import { listGate } from "./storage/list.ts";
import { logsGate, otherGate } from "./storage/other.ts";
import { getGate, watchGate } from "./storage/read.ts";
import { bindingAdmissionGate, connectAdmissionGate, tokenAdmissionGate } from "./storage/subresource-admission.ts";
import { tokenGate } from "./storage/token.ts";
import { changeGate, currentGate, decodeGate, defaultingGate, mutatingGate, storeGate, validationGate } from "./storage/write.ts";

/** Every flow as the list of its gates, in upstream's order. The inspector shows "gate 3 of 11" from it. */
export const FLOWS: Readonly<Record<FlowName, readonly Gate[]>> = {
  get: [...FILTERS, getGate],
  list: [...FILTERS, listGate],
  watch: [...FILTERS, watchGate],
  create: [...FILTERS, decodeGate, defaultingGate, mutatingGate, validationGate, validatingGate, storeGate],
  update: [...FILTERS, currentGate, changeGate, mutatingGate, validationGate, validatingGate, storeGate],
  delete: [...FILTERS, currentGate, deleteAdmissionGate, deleteGate],
  deletecollection: [...FILTERS, deleteCollectionGate],
  binding: [...FILTERS, bindingAdmissionGate, currentGate, changeGate, mutatingGate, validationGate, validatingGate, storeGate],
  token: [...FILTERS, tokenAdmissionGate, tokenGate],
  logs: [...FILTERS, logsGate],
  exec: [...FILTERS, connectAdmissionGate, execGate],
  proxy: [...FILTERS, proxyGate],
  other: [...FILTERS, otherGate],
};

function flowName(info: RequestInfo): Inflight["flow"] {
  if (info.resource === "" || info.api?.createOnly === true) return "other";
  if (info.subresource === "log") return "logs";
  if (info.subresource === "exec" || info.subresource === "attach") return "exec";
  if (info.subresource === "token") return "token";
  if (info.subresource === "eviction") return "delete";
  if (info.subresource === "binding") return "binding";
  switch (info.verb) {
    case "get":
    case "list":
    case "watch":
    case "create":
    case "delete":
    case "deletecollection":
      return info.verb;
    case "update":
    case "patch":
      return "update";
  }
}

/** Which latency a request costs (latencies/apiserver.ts). */
function costClass({ flow, info }: Inflight): string {
  if (info.subresource === "binding") return "apiserver.create.bindings";
  if (flow === "create") return info.resource === "pods" ? "apiserver.create.pods" : "apiserver.create";
  if (flow === "update") return info.verb === "patch" ? "apiserver.patch" : "apiserver.update";
  if (flow === "logs" || flow === "exec" || flow === "proxy") return "apiserver.get";
  return flow === "delete" || flow === "deletecollection" ? "apiserver.delete" : `apiserver.${flow}`;
}

/** Background traffic that a reader sees only at the level "source". */
const NOISE = new Set(["leases", "events"]);

function levelOf(info: RequestInfo, teach: Inflight["teach"]): Level {
  if (teach === "write") return "basic";
  return NOISE.has(info.resource) || (teach === "" && (info.verb === "list" || info.verb === "watch")) ? "source" : "operator";
}

const DEPRECATED: Readonly<Record<string, string>> = { endpoints: "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice", componentstatuses: "v1 ComponentStatus is deprecated in v1.19+" };
const NO_WARNINGS: readonly string[] = [];

/** Warnings that go with every answer about a resource. */
const warningsOf = ({ api, resource }: RequestInfo): readonly string[] => (api?.custom !== undefined ? versionWarnings(api) : DEPRECATED[resource] === undefined || api?.group !== "" ? NO_WARNINGS : [DEPRECATED[resource]]);

/** A request at the door. Requests of kubectl are told gate by gate. */
export function newInflight(seed: number, mail: MailId, client: string, request: HttpRequest, now: Micros, state: ApiServerState): Inflight {
  const info = withCustomResource(state, requestInfo(request));
  const flow = info.api === undefined && isAggregated(state, info) ? "proxy" : flowName(info);
  const user = request.headers["User-Agent"]?.startsWith("kubectl/") === true;
  const reading = flow === "get" || flow === "list" || flow === "watch" || flow === "other" || flow === "logs" || flow === "exec" || flow === "proxy";
  const teach = user ? (reading ? "read" : "write") : "";
  const writing = flow === "create" || flow === "update" || flow === "delete" || flow === "binding" || flow === "token";
  return {
    key: `r${mail}`, mail, client, request, info, flow, gate: 0, paid: -1, startedAt: now, deadline: deadlineOf(info, request, writing, now), teach, level: levelOf(info, teach), user: undefined, seat: undefined, audit: teach === "" ? undefined : newAudit(seed, `${mail}`), retryAfter: 0, object: undefined, existing: undefined, fresh: undefined, warnings: warningsOf(info), answer: undefined, collection: undefined, binding: undefined, eviction: undefined, answered: "", admission: undefined, attempts: 0,
  };
}

/** How long this request waits before a gate: a user's pays gate by gate, a component's all at once behind the filters. */
function costBefore(run: Run, gates: readonly Gate[]): Micros {
  const { request, ctx } = run;
  const gate = gates[request.gate];
  if (request.paid >= request.gate || gate === undefined || request.attempts > 0) return 0;
  if (request.teach === "") return request.gate === FILTERS.length ? ctx.latency(costClass(request), costKey(request)) : 0;
  if (gate.latency !== undefined) return ctx.latency(gate.latency, costKey(request));
  if (request.gate === FILTERS.length) return Math.max(0, part(run, gate.share + FILTER_SHARE) - filterCost(run));
  return gate.share === 0 ? 0 : part(run, gate.share);
}

/** The percentage of a request's cost that its filters and the way to its handler are. */
const FILTER_SHARE = 8;
const part = ({ request, ctx }: Run, share: number): Micros => Math.floor((ctx.latency(costClass(request), costKey(request)) * share) / 100);
const filterCost = ({ request, ctx }: Run): Micros => FILTERS.reduce((sum, filter) => sum + (filter.latency === undefined ? 0 : ctx.latency(filter.latency, costKey(request))), 0);

const costKey = ({ client, info, startedAt }: Inflight): string => `${client} ${info.verb} ${info.path} ${startedAt}`;

/** Walks the request through its gates until it must wait or is answered. */
export function advance(run: Run): void {
  const gates = FLOWS[run.request.flow];
  for (;;) {
    const gate = gates[run.request.gate];
    if (gate === undefined) {
      run.result = "done";
      break;
    }
    const cost = costBefore(run, gates);
    if (cost > 0) {
      run.ctx.after(cost, { type: "apiserver.step", key: run.request.key });
      run.request.paid = run.request.gate;
      run.result = "wait";
      break;
    }
    gate.run(run);
    if (run.result !== "continue") break;
    run.request.gate++;
  }
  if (run.result === "wait") run.state.requests = run.state.requests.set(run.request.key, run.request);
}
