// Models kubernetes/staging/src/k8s.io/apiserver/pkg/admission/plugin/webhook/{mutating,validating}/dispatcher.go
import type { KubeObject, Status } from "../../api/types.ts";
import { semanticEqual } from "../../api/validation/helpers.ts";
import type { AdmissionResponse } from "../../webhook/messages.ts";
import { callFailure, configuredHooks, denial, isRefusal, type KeyedHook, patchedByHook, postError, shouldCall } from "../admission/admission-webhooks.ts";
import type { AdmissionAttributes } from "../admission/attributes.ts";
import { firstOfRound, requireReinvoking, wasInvoked } from "../admission/reinvocation.ts";
import { tell } from "../filters/gates.ts";
import type { AdmissionProgress, BackendAnswer, HookCall, Run } from "../state.ts";
import { callHook, unreachableReason } from "./webhook-call.ts";

/** What came of a call: a verdict, a failure that counts, or one that failurePolicy Ignore passes over. */
type Outcome = { readonly response: AdmissionResponse } | { readonly failed: Status } | "ignored";

function outcomeOf(run: Run, plugin: string, call: HookCall, answer: BackendAnswer): Outcome {
  const { hook } = call;
  run.ctx.cancel(call.timer);
  if (answer.type === "webhook.response" && answer.status === 200 && answer.body !== undefined) {
    const { response } = answer.body;
    const warnings = (response.warnings ?? []).filter((text) => !run.request.warnings.includes(text));
    if (warnings.length > 0) run.request.warnings = [...run.request.warnings, ...warnings];
    return { response };
  }
  const reason = answer.type !== "webhook.response" ? postError(hook, unreachableReason(call, answer)) : "failed to call webhook: the server could not find the requested resource";
  if (hook.failurePolicy === "Ignore") {
    tell(run, plugin, `goes on without webhook ${hook.name}`.slice(0, 126), `failurePolicy Ignore: ${reason}`, "basic");
    return "ignored";
  }
  return { failed: callFailure(hook, reason) };
}

const MUTATING = "MutatingAdmissionWebhook";

/** Takes the answer of the webhook that was asked last. */
function applyAnswer(run: Run, progress: AdmissionProgress, call: HookCall, answer: BackendAnswer): AdmissionProgress | Status {
  const outcome = outcomeOf(run, MUTATING, call, answer);
  let { webhooks, reinvoke } = progress;
  if (outcome !== "ignored") {
    if ("failed" in outcome) return outcome.failed;
    if (!outcome.response.allowed) return denial(call.hook, outcome.response);
    const { object } = run.request;
    const after = patchedByHook(call.hook, object, outcome.response);
    if (isRefusal(after)) return after;
    const changed = after !== object && !semanticEqual(after, object);
    if (changed) {
      webhooks = requireReinvoking(webhooks);
      reinvoke = true;
      run.request.object = after as KubeObject;
    }
    tell(run, MUTATING, `hears from webhook ${call.hook.name}: ${changed ? "changed" : "unchanged"}`.slice(0, 126), "a webhook is a program of the cluster's owner", "basic", { outcome: changed ? "changed" : "passed", ...(changed ? { before: object, after } : {}) });
  }
  if (call.hook.reinvocationPolicy === "IfNeeded") webhooks = wasInvoked(webhooks, call.key);
  return { ...progress, webhooks, reinvoke, calls: [], index: progress.index + 1 };
}

/** Mutating webhooks one after another: each sees what the one before it made. */
export function askMutatingWebhooks(run: Run, attrs: AdmissionAttributes, before: AdmissionProgress): AdmissionProgress | Status | "wait" {
  let progress = before;
  const [waiting] = progress.calls;
  const { answer } = run.request;
  if (waiting !== undefined) {
    if (answer === undefined || run.request.answered !== waiting.id) return hold(run, progress);
    run.request.answer = undefined;
    const next = applyAnswer(run, progress, waiting, answer);
    if ("kind" in next) return next;
    progress = next;
  }
  const hooks = configuredHooks("mutatingwebhookconfigurations", attrs);
  if (hooks.length === 0) return progress;
  const deleting = attrs.operation === "DELETE";
  if (progress.index === 0 && run.request.object !== undefined) progress = { ...progress, webhooks: firstOfRound(progress.webhooks, progress.round, run.request.object) };
  for (let i = progress.index; i < hooks.length; i++) {
    const keyed = hooks[i];
    if (keyed === undefined || (progress.round === 1 && !progress.webhooks.wanted.includes(keyed.key))) continue;
    const invocation = shouldCall(keyed.hook, deleting ? undefined : run.request.object, attrs);
    if (invocation === undefined) continue;
    if ("kind" in invocation) return invocation;
    return hold(run, { ...progress, index: i, calls: [callHook(run, MUTATING, keyed, attrs, invocation.matched)] });
  }
  return { ...progress, index: hooks.length, webhooks: { ...progress.webhooks, output: run.request.object } };
}

function hold(run: Run, progress: AdmissionProgress): "wait" {
  run.request.admission = progress;
  run.result = "wait";
  return "wait";
}

const VALIDATING = "ValidatingAdmissionWebhook";

/** A refusal or undefined; the verdicts of validating webhooks do not change anything. */
function judge(run: Run, call: HookCall, answer: BackendAnswer): Status | undefined {
  const outcome = outcomeOf(run, VALIDATING, call, answer);
  if (outcome === "ignored") return undefined;
  if ("failed" in outcome) return outcome.failed;
  if (!outcome.response.allowed) return denial(call.hook, outcome.response);
  tell(run, VALIDATING, `hears from webhook ${call.hook.name} that it may go on`.slice(0, 126), "a webhook is a program of the cluster's owner", "basic");
  return undefined;
}

/** Validating webhooks all at once; the first refusal to arrive is the answer, once all have spoken. */
export function askValidatingWebhooks(run: Run, attrs: AdmissionAttributes, progress: AdmissionProgress): Status | "wait" | undefined {
  const { answer } = run.request;
  if (progress.calls.length > 0) {
    const call = progress.calls.find(({ id }) => id === run.request.answered);
    if (answer === undefined || call === undefined) return hold(run, progress);
    run.request.answer = undefined;
    const refusal = progress.refusal ?? judge(run, call, answer);
    const calls = progress.calls.filter((other) => other !== call);
    if (calls.length > 0) return hold(run, { ...progress, calls, refusal });
    return refusal;
  }
  const hooks = configuredHooks("validatingwebhookconfigurations", attrs);
  const invoked: { readonly keyed: KeyedHook; readonly matched: Parameters<typeof callHook>[4] }[] = [];
  for (const keyed of hooks) {
    const invocation = shouldCall(keyed.hook, attrs.operation === "DELETE" ? undefined : run.request.object, attrs);
    if (invocation === undefined) continue;
    if ("kind" in invocation) return invocation;
    invoked.push({ keyed, matched: invocation.matched });
  }
  if (invoked.length === 0) return undefined;
  return hold(run, { ...progress, calls: invoked.map(({ keyed, matched }) => callHook(run, VALIDATING, keyed, attrs, matched)) });
}
