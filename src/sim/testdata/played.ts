import { TraceIndex } from "../../trace/trace-index.ts";
import { SECOND } from "../api/time.ts";
import type { ContainerStatus, KubeObject, Pod } from "../api/types.ts";
import { createCluster } from "../cluster.ts";
import { Simulation } from "../kernel/simulation.ts";
import type { RunInput } from "../scenarios/recipe.ts";
import { applyText } from "../scenarios/scenario.ts";

type Event = KubeObject & { readonly reason?: string; readonly message?: string; readonly note?: string; readonly count?: number; readonly involvedObject?: { readonly name?: string } };

/** A manifest played to `seconds`; what is asked is asked of the store at a time. */
export class Played {
  private readonly index: TraceIndex;
  private readonly end: number;
  private readonly logs = new Map<string, { readonly at: number; readonly line: string }[]>();

  constructor(text: string, after: readonly RunInput[], seconds: number) {
    this.end = seconds * SECOND;
    const cluster = createCluster({ world: "ten-nodes", seed: 1, profile: "quiet", inputs: [applyText("m.yaml", text, 0), ...after] });
    const sim = Simulation.create(cluster.config, cluster.inputs);
    sim.run(this.end);
    this.index = new TraceIndex(sim.trace, cluster.base);
    sim.trace.logs.forEach(({ source, line }, i) => {
      this.logs.set(source, [...(this.logs.get(source) ?? []), { at: sim.trace.note(sim.trace.logNotes[i] ?? 0).at, line }]);
    });
  }

  private list<T extends KubeObject>(resource: string, at: number): T[] {
    return this.index.objectsAt(`/registry/${resource}/`, at * SECOND).map((entry) => entry.object as T);
  }

  get<T extends KubeObject>(resource: string, name: string, at: number): T | undefined {
    return this.list<T>(resource, at).find((object) => object.metadata.namespace === "default" && (object.metadata.name === name || object.metadata.name?.startsWith(`${name}-`)));
  }

  container(pod: string, name: string, at: number): ContainerStatus | undefined {
    const { status } = this.get<Pod>("pods", pod, at) ?? {};
    return [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])].find((candidate) => candidate.name === name);
  }

  /** Messages of a reason, with their counts. */
  events(reason: string, at: number): string[] {
    return this.list<Event>("events", at).filter((event) => event.reason === reason && event.metadata.namespace === "default").map((event) => `${event.count ?? 1} ${(event.message ?? event.note ?? "").trimEnd()}`);
  }

  log(source: string): readonly string[] {
    return (this.logs.get(`default/${source}`) ?? []).map(({ line }) => line);
  }

  /** The second at which a line was first written. */
  writtenAt(source: string, text: string): number {
    return ((this.logs.get(`default/${source}`) ?? []).find(({ line }) => line.includes(text))?.at ?? -SECOND) / SECOND;
  }
}
