import type { TraceIndex } from "../../trace/trace-index.ts";

export interface Names {
  readonly POD?: string;
  readonly NODE?: string;
  readonly SERVICE?: string;
}

interface Named {
  readonly metadata?: { readonly name?: string; readonly namespace?: string };
  readonly spec?: { readonly nodeName?: string; readonly clusterIP?: string };
}

/** The Pod that this run made, its node and a Service beside it, as they are at `t`: what a command would be about. */
export function namesAt(index: TraceIndex, t: number): Names {
  const own = new Set(index.trace.revisions.filter((revision) => revision.verb === "create").map((revision) => revision.key));
  const pods = index.objectsAt("/registry/pods/default/", t);
  const pod = pods.findLast((version) => own.has(version.key))?.object as Named | undefined;
  const nodes = index.objectsAt("/registry/minions/", t);
  const services = index.objectsAt("/registry/services/specs/default/", t).map((version) => version.object as Named);
  const service = services.findLast((one) => one.metadata?.name !== "kubernetes");
  const node = pod?.spec?.nodeName ?? (nodes.at(-1)?.object as Named | undefined)?.metadata?.name;
  return { ...(pod?.metadata?.name ? { POD: pod.metadata.name } : {}), ...(node ? { NODE: node } : {}), ...(service?.metadata?.name ? { SERVICE: service.metadata.name } : {}) };
}

/** True for a command that still lacks a name: nothing of the kind exists in the run at that time. */
export function isIncomplete(argv: readonly string[]): boolean {
  return argv.some((word) => word === "POD" || word === "NODE" || word === "SERVICE");
}

/** A path's command as arguments, with this run's names in place of POD, NODE and SERVICE; those without a name stay. */
export function fillCommand(command: string, names: Names): string[] {
  return command.split(" ").map((word) => (word === "POD" || word === "NODE" || word === "SERVICE" ? (names[word] ?? word) : word));
}
