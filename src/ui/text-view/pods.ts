interface PodLike {
  readonly metadata?: { readonly name?: string; readonly namespace?: string; readonly deletionTimestamp?: string };
  readonly spec?: { readonly nodeName?: string };
  readonly status?: {
    readonly phase?: string;
    readonly podIP?: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string; readonly reason?: string }[];
    readonly containerStatuses?: readonly { readonly name: string; readonly ready?: boolean; readonly restartCount?: number; readonly state?: { readonly waiting?: { readonly reason?: string }; readonly running?: unknown; readonly terminated?: { readonly reason?: string; readonly exitCode?: number } } }[];
  };
}

export interface PodText {
  readonly name: string;
  readonly facts: readonly (readonly [name: string, value: string])[];
}

/** A Pod in words, from its object: for readers who cannot, or do not want to, look at the stage. */
export function podText(object: unknown): PodText {
  const { metadata, spec, status } = object as PodLike;
  const facts: [string, string][] = [
    ["Phase", `${status?.phase ?? "none"}${metadata?.deletionTimestamp ? ", being deleted" : ""}`],
    ["Node", spec?.nodeName ?? "none yet"],
    ["Address", status?.podIP ?? "none yet"],
  ];
  for (const condition of status?.conditions ?? []) facts.push([condition.type, `${condition.status}${condition.reason ? `, ${condition.reason}` : ""}`]);
  for (const container of status?.containerStatuses ?? []) {
    const { waiting, running, terminated } = container.state ?? {};
    const state = running ? "running" : waiting ? `waiting, ${waiting.reason ?? "no reason given"}` : terminated ? `ended with ${terminated.exitCode ?? 0}, ${terminated.reason ?? "no reason given"}` : "unknown";
    facts.push([`Container ${container.name}`, `${state}, ${container.ready ? "ready" : "not ready"}, ${container.restartCount ?? 0} ${container.restartCount === 1 ? "restart" : "restarts"}`]);
  }
  return { name: `${metadata?.namespace ?? "default"}/${metadata?.name ?? ""}`, facts };
}
