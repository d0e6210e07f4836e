// Models kubernetes/staging/src/k8s.io/apiserver/pkg/admission/{chain,reinvocation}.go: the plugins' walk over one request
import type { KubeObject, Status } from "../../api/types.ts";
import type { AdmissionAttributes, AdmissionPlugin, Operation } from "../admission/attributes.ts";
import { isRefusal } from "../admission/admission-webhooks.ts";
import { runMutatingPolicies } from "../admission/mutating-admission-policy.ts";
import { mutatingPlugins, validatingPlugins } from "../admission/registry.ts";
import { NOT_REINVOKED } from "../admission/reinvocation.ts";
import { subresourceKind } from "../discovery.ts";
import { authorize } from "../filters/authorization.ts";
import { type Gate, tell, tellRefusal } from "../filters/gates.ts";
import { type AdmissionProgress, refuse, type Run } from "../state.ts";
import { getObject, listObjects } from "../watch-cache/lookup.ts";
import { nextDraw } from "./metadata.ts";
import { askMutatingWebhooks, askValidatingWebhooks } from "./webhooks.ts";
import { chargeQuotas } from "./quota-charge.ts";

/** What plugins may know of this request; lookups read the server's own caches. */
export function attributesOf(run: Run, operation: Operation): AdmissionAttributes {
  const { info, user, existing, object, request } = run.request;
  const identity = `${info.resource}/${info.namespace}/${object?.metadata.name ?? object?.metadata.generateName ?? info.name}`;
  let draw = -1;
  const spoken = info.api === undefined || info.subresource === "" || info.subresource === "scale" ? undefined : subresourceKind(info.api.kind, info.subresource);
  return {
    operation, group: info.group, version: info.version, kind: spoken?.kind ?? info.api?.kind ?? "", ...(spoken === undefined ? {} : { kindVersion: { group: spoken.group, version: spoken.version } }), resource: info.resource, subresource: info.subresource, namespace: info.resource === "namespaces" ? "" : info.namespace, name: info.name,
    ...(existing === undefined || operation === "CREATE" || operation === "CONNECT" ? {} : { oldObject: existing }),
    user: { name: user?.name ?? "", groups: user?.groups ?? [] },
    dryRun: request.query?.["dryRun"] === "All",
    lookup: (resource, namespace, name) => getObject(run.state, resource, namespace, name),
    list: (resource, namespace) => listObjects(run.state, resource, namespace),
    warn: (text) => {
      if (!run.request.warnings.includes(text)) run.request.warnings = [...run.request.warnings, text];
    },
    audit: (key, value) => tell(run, "Audit", `notes for the audit log: ${key}`.slice(0, 126), value, "source"),
    authorize: (query) => {
      const account = query.serviceAccount;
      const asker = account === undefined ? user : { name: `system:serviceaccount:${account.namespace}:${account.name}`, groups: ["system:serviceaccounts", `system:serviceaccounts:${account.namespace}`, "system:authenticated"] };
      if (asker === undefined) return { allowed: false, reason: "" };
      return authorize(run.state, asker, { verb: query.verb ?? "", group: query.group ?? "", resource: query.resource ?? "", subresource: query.subresource ?? "", namespace: query.namespace ?? "", name: query.name ?? "", path: query.path ?? "" });
    },
    rand(purpose, n) {
      if (draw < 0) draw = nextDraw(run, `admission/${identity}`);
      return run.ctx.rand(`admission/${purpose}/${identity}/${draw}`, n);
    },
  };
}

const operationOf = (run: Run): Operation => (run.request.existing === undefined ? "CREATE" : "UPDATE");

const START: AdmissionProgress = { phase: "mutating", round: 0, index: 0, reinvoke: false, policies: NOT_REINVOKED, webhooks: NOT_REINVOKED, calls: [], refusal: undefined, charging: [], quotas: [], retries: 3 };

/** Tells a changed object with before and after; a plugin that left it alone only at the level of the source. */
export function tellPlugin(run: Run, plugin: string, before: KubeObject | undefined, after: KubeObject | undefined): void {
  if (run.request.teach === "") return;
  if (before === after) return tell(run, plugin, `hears no objection from admission plugin ${plugin}`, "it looked and changed nothing", "source");
  tell(run, plugin, `lets admission plugin ${plugin} change the object`, "built into the API server; mutating webhooks come after these", "operator", { outcome: "changed", before, after });
}

/** One round of the mutating plugins inside the server, policies last. The refusal, if one refuses. */
function mutateOnce(run: Run, attrs: AdmissionAttributes, progress: AdmissionProgress, changed: string[]): AdmissionProgress | Status {
  // On a DELETE plugins look at the object that is to go.
  let current = run.request.object ?? run.request.existing;
  if (current === undefined) return progress;
  let next = progress;
  for (const plugin of mutatingPlugins(attrs)) {
    let after: KubeObject | Status | undefined;
    if (plugin.name === "MutatingAdmissionPolicy") {
      const done = runMutatingPolicies(current, attrs, progress.round, progress.policies);
      next = { ...next, policies: done.reinvocation, reinvoke: next.reinvoke || done.changed };
      after = done.refusal ?? done.object;
    } else after = plugin.admit?.(current, attrs) ?? current;
    if (isRefusal(after)) return after;
    tellPlugin(run, plugin.name, current, after as KubeObject);
    if (after !== current) changed.push(plugin.name);
    current = after as KubeObject;
  }
  if (run.request.object !== undefined) run.request.object = current;
  return next;
}

/** Mutating plugins, policies and webhooks; a second round when a policy or webhook changed something. "wait" while a webhook is asked. */
export function runMutatingAdmission(run: Run, operation: Operation = operationOf(run)): Status | "wait" | undefined {
  const attrs = attributesOf(run, operation);
  const before = run.request.object;
  const changed: string[] = [];
  let progress = run.request.admission;
  if (progress === undefined) {
    const begun = mutateOnce(run, attrs, START, changed);
    if ("kind" in begun) return begun;
    progress = begun;
  }
  for (;;) {
    const asked = askMutatingWebhooks(run, attrs, progress);
    if (asked === "wait" || "kind" in asked) return asked;
    progress = asked;
    if (!progress.reinvoke || progress.round === 1) break;
    tell(run, "MutatingAdmission", "asks every mutating plugin again", "a policy or a webhook changed the object: the others may have something to add", "operator");
    const again = mutateOnce(run, attrs, { ...progress, round: 1, index: 0 }, changed);
    if ("kind" in again) return again;
    progress = again;
  }
  run.request.admission = undefined;
  const done = run.request.object;
  const text = changed.length === 0 ? "passes mutating admission unchanged" : `completes the object in mutating admission: ${changed.join(", ")}`;
  tell(run, "MutatingAdmission", text.slice(0, 126), "what plugins add was never in the manifest", "basic", { outcome: done === before ? "passed" : "changed", before, after: done });
  return undefined;
}

function validateOnce(run: Run, attrs: AdmissionAttributes, plugins: readonly AdmissionPlugin[]): Status | undefined {
  const object = run.request.object ?? run.request.existing;
  if (object === undefined) return undefined;
  for (const plugin of plugins) {
    const refusal = plugin.validate?.(object, attrs);
    if (refusal !== undefined) return refusal;
    tellPlugin(run, plugin.name, object, object);
  }
  return undefined;
}

/** Validating plugins and policies, then webhooks all at once, then quotas: they are charged when nobody else objects. */
export function runValidatingAdmission(run: Run, operation: Operation = operationOf(run)): Status | "wait" | undefined {
  const attrs = attributesOf(run, operation);
  if (run.request.admission === undefined) {
    const plugins = validatingPlugins(attrs).filter(({ name }) => name !== "ResourceQuota");
    const refusal = validateOnce(run, attrs, plugins);
    if (refusal !== undefined) return refusal;
    run.request.admission = { ...START, phase: "validating" };
  }
  if (run.request.admission?.phase === "validating") {
    const status = askValidatingWebhooks(run, attrs, run.request.admission);
    if (status !== undefined) return status;
    run.request.admission = { ...START, phase: "quota" };
  }
  return operation === "DELETE" || operation === "CONNECT" ? undefined : chargeQuotas(run, attrs);
}

/** Both halves one after the other, where no validation lies between them: on a DELETE, for subresources. */
export function runAdmission(run: Run, operation: Operation): Status | "wait" | undefined {
  if (run.request.admission === undefined || run.request.admission.phase === "mutating") {
    const status = runMutatingAdmission(run, operation);
    if (status !== undefined) return status;
  }
  return runValidatingAdmission(run, operation);
}

export const validatingGate: Gate = {
  name: "ValidatingAdmission",
  share: 0,
  run(run) {
    // A Binding was judged as such, before the Pod was read.
    if (run.request.binding !== undefined) return;
    const status = runValidatingAdmission(run);
    if (status === "wait") return;
    run.request.admission = undefined;
    if (status !== undefined) {
      tellRefusal(run, "ValidatingAdmission", `refuses: ${status.message ?? ""}`);
      return refuse(run, status);
    }
    run.request.answer = undefined;
    tell(run, "ValidatingAdmission", "passes validating admission", "policies, webhooks and quotas have the last word; none objects", "operator");
  },
};
