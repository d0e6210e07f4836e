import type { Micros } from "../../../sim/api/time.ts";
import type { SoakRun } from "./invariant.ts";

/** A node at a time. */
export interface Instant {
  readonly at: Micros;
  readonly node: string;
  /** State of the node's component of this kind ("containerd"). */
  stateOf<T>(kind: string): T | undefined;
}

/** Of a long run so many times are looked at for each node. */
const LOOKS = 150;

/** Times at which a node's runtime, network or processes have just done something, spread over the run, and its end. */
export function instants({ sim, trace, until }: SoakRun): readonly Instant[] {
  const { events, mail } = trace;
  const found: Instant[] = [];
  for (const kubelet of trace.components.filter((id) => id.startsWith("kubelet@"))) {
    const node = kubelet.slice("kubelet@".length);
    const ids = new Set(["containerd", "cni", "process"].map((kind) => trace.components.indexOf(`${kind}@${node}`)));
    const handled: number[] = [];
    for (let event = 0; event < trace.eventCount; event++) if (ids.has(mail.to.get(events.mail.get(event)))) handled.push(event);
    const step = Math.max(1, Math.ceil(handled.length / LOOKS));
    const at = (event: number, time: Micros): Instant => ({ at: time, node, stateOf: <T>(kind: string) => (trace.components.includes(`${kind}@${node}`) ? (sim.stateAtEvent(`${kind}@${node}`, event) as T) : undefined) });
    for (let i = 0; i < handled.length; i += step) found.push(at(handled[i] ?? 0, events.at.get(handled[i] ?? 0)));
    found.push(at(trace.eventCount - 1, until));
  }
  return found;
}
