// Models kubernetes/pkg/scheduler/util/utils.go (PatchPodStatus) and pkg/api/v1/pod/util.go (UpdatePodCondition)
import { rfc3339 } from "../api/time.ts";
import type { Condition, Pod } from "../api/types.ts";
import { apiRequest } from "../client-go/api-client.ts";
import type { Ctx, MailId } from "../kernel/types.ts";
import { client, podPath, subjectOf } from "./scheduler-state.ts";

/** What is to become of a Pod's status; a node name of "" withdraws a promise, without one it stays as it is. */
export interface StatusChange {
  readonly condition?: Pick<Condition, "type" | "status" | "reason" | "message">;
  readonly nominatedNodeName?: string;
}

type Fields = Readonly<Record<string, unknown>>;

/** UpdatePodCondition: the condition as it should be, or undefined if it is so already. */
function changedCondition(pod: Pod, wanted: NonNullable<StatusChange["condition"]>, ctx: Ctx): Condition | undefined {
  const old = pod.status?.conditions?.find((c) => c.type === wanted.type);
  if (old && old.status === wanted.status && old.reason === wanted.reason && old.message === wanted.message && !old.lastProbeTime) return undefined;
  const same = old && old.status === wanted.status;
  return { ...wanted, lastProbeTime: null, lastTransitionTime: same ? (old.lastTransitionTime ?? null) : rfc3339(ctx.now), ...(pod.metadata.generation === undefined ? {} : { observedGeneration: pod.metadata.generation }) };
}

/** Only what differs; a list of conditions merges by type. */
function difference(old: Condition | undefined, now: Condition): Fields {
  if (!old) return { ...now };
  const before = old as unknown as Fields;
  return { type: now.type, ...Object.fromEntries(Object.entries(now).filter(([name, value]) => (before[name] ?? null) !== value)) };
}

/** Patches the Pod's status by a two-way strategic merge patch. Sends nothing, and returns undefined, if nothing would change. */
export function patchStatus(ctx: Ctx, pod: Pod, change: StatusChange): MailId | undefined {
  const condition = change.condition && changedCondition(pod, change.condition, ctx);
  const nominated = change.nominatedNodeName;
  const promise = nominated !== undefined && nominated !== (pod.status?.nominatedNodeName ?? "") ? { nominatedNodeName: nominated === "" ? null : nominated } : {};
  if (!condition && Object.keys(promise).length === 0) return undefined;
  const old = pod.status?.conditions ?? [];
  const types = condition && !old.some((c) => c.type === condition.type) ? [...old.map((c) => c.type), condition.type] : old.map((c) => c.type);
  const conditions = condition ? { "$setElementOrder/conditions": types.map((type) => ({ type })), conditions: [difference(old.find((c) => c.type === condition.type), condition)] } : {};
  return apiRequest(ctx, client, { method: "PATCH", path: `${podPath(pod)}/status`, contentType: "application/strategic-merge-patch+json", body: { status: { ...conditions, ...promise } }, subject: subjectOf(pod) });
}
