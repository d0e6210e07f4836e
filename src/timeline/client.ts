import type { MailId } from "../trace/model.ts";
import type { ApiServerView, CommandOutput, Completion, EtcdMemberView, FieldHelp, ManagerView, ManifestReport, PodInside, Suggestions, WaitView } from "../worker/protocol.ts";
import { playhead } from "./playhead.ts";
import { session, useTimeline } from "./store.ts";

function currentRun(): string {
  const id = useTimeline.getState().run?.id;
  if (id === undefined) throw new Error("no run is loaded yet");
  return id;
}

/** Questions about the current run, for panels. Each answers for the run that is shown when it is asked. */
export const client = {
  /** A component's state at a time (default: the playhead) as plain data. */
  state: async (component: string, at = playhead.get()): Promise<unknown> => session.call({ type: "state", run: currentRun(), component, at }),
  etcd: async (at = playhead.get()): Promise<readonly EtcdMemberView[]> => session.call({ type: "etcd", run: currentRun(), at }),
  apiServer: async (at = playhead.get()): Promise<ApiServerView> => session.call({ type: "api-server", run: currentRun(), at }),
  manager: async (component: string, at = playhead.get()): Promise<ManagerView | undefined> => session.call({ type: "manager", run: currentRun(), component, at }),
  /** What there is of a Pod on its node; undefined when nothing is. */
  podInside: async (uid: string, node: string, at = playhead.get()): Promise<PodInside | undefined> => session.call({ type: "pod-inside", run: currentRun(), uid, node, at }),
  /** What waits at a time; with `weight`, only what matters at least that much on the stage. */
  waits: async (at = playhead.get(), weight = 0): Promise<readonly WaitView[]> => session.call({ type: "waits", run: currentRun(), at, weight }),
  /** The message that a mail carried. */
  payload: async (mail: MailId): Promise<unknown> => session.fact({ type: "payload", run: currentRun(), mail }),
  /** The details of a note: a gate's before and after, a scheduling decision. */
  noteData: async (note: number): Promise<unknown> => session.fact({ type: "note-data", run: currentRun(), note }),
  /** A read-only kubectl command ("get", "pods") at a time. */
  ask: async (argv: readonly string[], at = playhead.get()): Promise<CommandOutput> => session.call({ type: "ask", run: currentRun(), at, argv }),
  /** What kube-scheduler says of a configuration that it refuses; "" if it takes it. */
  checkScheduler: async (text: string): Promise<string> => session.call({ type: "check-scheduler", text }),
  /** What may stand at an offset of a manifest, also from what the cluster has at the playhead. */
  suggest: async (text: string, offset: number): Promise<Suggestions> => {
    const run = useTimeline.getState().run?.id;
    return session.call({ type: "suggest", text, offset, at: playhead.get(), ...(run === undefined ? {} : { run }) });
  },
  fieldHelp: async (text: string, offset: number): Promise<FieldHelp | undefined> => session.call({ type: "field-help", text, offset }),
  /** What can stand at the cursor of the terminal's line, with what the cluster has at the playhead. */
  complete: async (line: string, cursor: number): Promise<Completion> => session.call({ type: "complete", run: currentRun(), at: playhead.get(), line, cursor }),
  check: async (text: string): Promise<ManifestReport> => session.call({ type: "check", text }),
};
