import type { RunInfo, RunInput } from "../worker/protocol.ts";
import { playhead } from "./playhead.ts";
import { entriesOf, sameInput } from "./sample-inputs.ts";
import type { Session } from "./session.ts";
import type { GetTimeline, SetTimeline, TimelineActions } from "./types.ts";

/** How many runs are kept at once. */
export const MOST_RUNS = 5;

/** Something that a user did to the set of runs, so that it can be taken back. */
export interface Act {
  readonly kind: "made" | "removed";
  readonly run: RunInfo;
}

/** The run to let go when there are too many: the oldest that is neither shown nor needed to compare what is shown. */
export function runToLetGo(runs: readonly RunInfo[], shown: string | undefined): RunInfo | undefined {
  if (runs.length <= MOST_RUNS) return undefined;
  const needed = new Set<string>();
  for (let id = shown; id !== undefined && !needed.has(id); id = runs.find((run) => run.id === id)?.parent) needed.add(id);
  return runs.find(({ id }) => !needed.has(id)) ?? runs.find(({ id }) => id !== shown);
}

/** What a fork did besides what its parent had done by then. */
export function ownInputs(run: RunInfo, parent: RunInfo): readonly RunInput[] {
  const past = parent.recipe.inputs.filter(({ at }) => at <= (run.forkAt ?? 0));
  return run.recipe.inputs.filter((input) => !past.some((other) => sameInput(other, input)));
}

/** Undo of the last apply, injection, command or removal: a run that was made is let go, one that was removed is simulated again from its recipe. */
export function createUndoActions(set: SetTimeline, get: GetTimeline, session: Session): Pick<TimelineActions, "undo"> {
  const restore = async (run: RunInfo): Promise<void> => {
    const parent = get().runs.find(({ id }) => id === run.parent);
    const inputs = parent && run.forkAt !== undefined ? ownInputs(run, parent) : run.recipe.inputs;
    session.expect({ seek: playhead.get(), entries: entriesOf(session, inputs), restored: true });
    if (parent && run.forkAt !== undefined) await session.call({ type: "fork", run: parent.id, at: run.forkAt, inputs, until: run.until, title: run.title });
    else await session.call({ type: "start", recipe: run.recipe, until: run.until, title: run.title, ...(parent ? { variantOf: parent.id } : {}) });
  };

  return {
    async undo() {
      const act = session.lastAct();
      if (!act) {
        get().showToast("Nothing to undo");
        return;
      }
      if (act.kind === "removed") {
        get().showToast(`Back again: ${act.run.title}`);
        await restore(act.run).catch((error: Error) => set({ problem: error.message }));
        return;
      }
      const { runs, run } = get();
      if (runs.length < 2) {
        get().showToast("Nothing to undo");
        return;
      }
      const { forkAt } = act.run;
      if (run?.id === act.run.id && forkAt !== undefined) playhead.set(forkAt);
      session.drop(act.run.id, false);
      get().showToast(`Undone: ${act.run.title}`);
    },
  };
}
