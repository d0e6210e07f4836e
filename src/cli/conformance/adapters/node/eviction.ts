import type { Pod, Quantity } from "../../../../sim/api/types.ts";
import { value } from "../../../../sim/api/quantity.ts";
import { admitUnderPressure, evictionMessage, localStorageEviction, rankForEviction, resourceOfSignal } from "../../../../sim/kubelet/eviction.ts";
import type { Adapter } from "../../adapter.ts";

interface EvictionInput {
  readonly pod?: Pod;
  readonly pods?: readonly (Pod | { readonly pod: Pod; readonly usage?: Quantity; readonly processes?: number })[];
  readonly nodeConditions?: readonly string[];
  readonly signal?: string;
  readonly threshold?: Quantity;
  readonly available?: Quantity;
  readonly usage?: Readonly<Record<string, Quantity>>;
}

function run(raw: unknown): unknown {
  const input = raw as EvictionInput;
  if (input.nodeConditions) {
    const pods = (input.pods ?? []) as readonly Pod[];
    const verdicts = pods.map((pod) => [pod.metadata.name ?? "", admitUnderPressure(pod, input.nodeConditions ?? [])] as const);
    const refused = verdicts.find(([, verdict]) => verdict !== undefined)?.[1];
    return { admitted: Object.fromEntries(verdicts.map(([name, verdict]) => [name, verdict === undefined])), ...(refused ? { rejectedStatus: { phase: "Failed", reason: refused.reason, message: `Pod was rejected: ${refused.message}` } } : {}) };
  }
  const signal = input.signal ?? "";
  if (input.pods) {
    const entries = (input.pods as readonly { readonly pod: Pod; readonly usage?: Quantity; readonly processes?: number }[]).map(({ pod, usage, processes }) => ({ pod, usage: processes ?? value(usage) }));
    return { order: rankForEviction(entries, resourceOfSignal(signal)).map((entry) => entry.pod.metadata.name) };
  }
  if (!input.pod) throw new Error("the case has no Pod");
  if (signal === "") {
    const verdict = localStorageEviction(input.pod, input.usage ?? {});
    return { status: verdict ? { phase: "Failed", ...verdict } : {}, graceSeconds: 1, condition: null };
  }
  const message = evictionMessage(input.pod, signal, input.threshold ?? 0, input.available ?? 0, input.usage ?? {});
  return { status: { phase: "Failed", reason: "Evicted", message }, condition: { type: "DisruptionTarget", status: "True", reason: "TerminationByKubelet" }, graceSeconds: 1 };
}

export const eviction: Adapter = { kind: "eviction", run };
