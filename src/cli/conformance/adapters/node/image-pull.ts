import type { Pod } from "../../../../sim/api/types.ts";
import { newBackoff } from "../../../../sim/kubelet/backoff.ts";
import { type ImageEvent, invalidImageName, neverPull, presentEvent, pullBackoff, pulledEvent, pullFailed, pullingEvent, type PullMemory, pullPolicy } from "../../../../sim/kubelet/image-manager.ts";
import type { Adapter } from "../../adapter.ts";
import type { Happening } from "./inputs.ts";

interface PullInput {
  readonly pod: Pod;
  readonly node?: { readonly imagePresent?: boolean };
  readonly backoff?: { readonly initialSeconds: number; readonly maxSeconds: number };
  readonly tries?: { readonly everySeconds: number; readonly count: number };
  readonly pull?: { readonly ok: boolean; readonly error?: string; readonly durationMs?: number; readonly waitedMs?: number; readonly imageSizeBytes?: number };
  readonly happenings?: readonly Happening[];
}

const S = 1_000_000;

interface Attempt {
  readonly at: number;
  readonly events: readonly ImageEvent[];
  readonly reason: string;
  readonly message: string;
  readonly pulled: boolean;
}

function attempt(input: PullInput, memory: PullMemory, at: number): { memory: PullMemory; attempt: Attempt } {
  const container = input.pod.spec.containers[0];
  const image = container?.image ?? "";
  const uid = input.pod.metadata.uid ?? "";
  const failed = (failure: { reason: string; message: string; events: readonly ImageEvent[] }, events: readonly ImageEvent[] = [], pulled = false): Attempt => ({ at, events: [...events, ...failure.events], reason: failure.reason, message: failure.message, pulled });
  const invalid = invalidImageName(image);
  if (invalid) return { memory, attempt: failed(invalid) };
  const policy = pullPolicy(image, container?.imagePullPolicy);
  const present = input.node?.imagePresent ?? false;
  if (present && policy !== "Always") return { memory, attempt: { at, events: [presentEvent(image)], reason: "", message: "", pulled: false } };
  if (policy === "Never") return { memory, attempt: failed(neverPull(image)) };
  const waiting = pullBackoff(memory, uid, image, at * S);
  if (waiting) return { memory, attempt: failed(waiting) };
  if (input.pull && !input.pull.ok) {
    const next = pullFailed(memory, uid, image, input.pull.error ?? "", at * S);
    return { memory: next.memory, attempt: failed(next.failure, [pullingEvent(image)], true) };
  }
  const duration = (input.pull?.durationMs ?? 0) * 1000;
  return { memory, attempt: { at, events: [pullingEvent(image), pulledEvent(image, duration, (input.pull?.waitedMs ?? 0) * 1000 || duration, input.pull?.imageSizeBytes ?? 0)], reason: "", message: "", pulled: true } };
}

const reasons = (events: readonly ImageEvent[]): string[] => [...new Set(events.map((event) => event.reason))];

function run(raw: unknown): unknown {
  const input = raw as PullInput;
  let memory: PullMemory = { backoff: newBackoff((input.backoff?.initialSeconds ?? 10) * S, (input.backoff?.maxSeconds ?? 300) * S), errors: {} };
  const times = input.tries ? Array.from({ length: input.tries.count }, (_, i) => i * (input.tries?.everySeconds ?? 1)) : input.happenings ? input.happenings.map((happening) => happening.t) : [0];
  const attempts = times.map((at) => {
    const result = attempt(input, memory, at);
    memory = result.memory;
    return result.attempt;
  });
  const last = attempts.at(-1);
  const backedOff = attempts.find((one) => one.reason === "ImagePullBackOff");
  const events = attempts.flatMap((one) => one.events);
  return {
    waitingReasons: attempts.map((one) => one.reason),
    pullAttemptsAt: attempts.filter((one) => one.pulled).map((one) => one.at),
    firstTryEvents: reasons(attempts[0]?.events ?? []),
    backoffTryEvents: reasons((backedOff?.events ?? []).filter((event) => event.reason !== "Failed")),
    waiting: last?.reason ? { reason: last.reason, message: last.message } : null,
    pulled: attempts.some((one) => one.pulled && one.reason === ""),
    // What the cases about a back-off list starts after the pull was announced.
    events: input.happenings && input.pull && !input.pull.ok ? events.filter((event) => event.reason !== "Pulling") : events,
  };
}

export const imagePull: Adapter = { kind: "image-pull", run };
