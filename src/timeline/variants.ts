import type { RunInput, RunRecipe, SlowdownId } from "../worker/protocol.ts";
import { entriesOf } from "./sample-inputs.ts";
import { horizonOf } from "./horizon.ts";
import { playhead } from "./playhead.ts";
import type { Session } from "./session.ts";
import type { GetTimeline, SetTimeline, TimelineActions } from "./types.ts";

/** What may be changed about a run as a whole: percent of the usual durations, and seconds between probes. */
export interface Variant {
  readonly slowdowns: Readonly<Partial<Record<SlowdownId, number>>>;
  readonly probePeriod?: number;
}

/** "5 times slower", "2 times faster"; "" for as usual. */
export function timesText(percent: number): string {
  if (percent === 100) return "";
  const times = percent > 100 ? percent / 100 : 100 / percent;
  return `${Number(times.toFixed(1))} times ${percent > 100 ? "slower" : "faster"}`;
}

/** A run with the same inputs in a cluster with other durations takes the place of the variant before it, and is compared with what it varies. */
export function createVariantActions(set: SetTimeline, get: GetTimeline, session: Session): Pick<TimelineActions, "tryVariant"> {
  const withPeriod = async (input: RunInput, seconds: number): Promise<RunInput> => {
    if (input.type !== "command" || !/^(?:apply|create|replace)$/.test(input.argv[0] ?? "")) return input;
    const files = await Promise.all(Object.entries(input.files).map(async ([name, text]) => [name, (await session.call({ type: "probe-period", text, seconds })).text] as const));
    return { ...input, files: Object.fromEntries(files) };
  };

  let asked = 0;

  return {
    async tryVariant({ slowdowns, probePeriod }) {
      const mine = ++asked;
      const { run, runs, catalogue } = get();
      if (!run) return;
      const original = (run.forkAt === undefined && runs.find(({ id }) => id === run.parent)) || run;
      const changed = Object.entries(slowdowns).filter(([, percent]) => percent !== 100);
      try {
        if (changed.length === 0 && probePeriod === undefined) {
          if (original !== run) session.drop(run.id);
          return;
        }
        const { slowdowns: _, ...rest } = original.recipe;
        const inputs = probePeriod === undefined ? rest.inputs : await Promise.all(rest.inputs.map((input) => withPeriod(input, probePeriod)));
        const recipe: RunRecipe = { ...rest, inputs, ...(changed.length === 0 ? {} : { slowdowns: Object.fromEntries(changed) }) };
        const titles = changed.map(([id, percent]) => `${catalogue?.slowdowns.find((one) => one.id === id)?.title ?? id} ${timesText(percent)}`);
        session.expect({ seek: playhead.get(), entries: entriesOf(session, recipe.inputs) });
        const made = await session.call({ type: "start", recipe, until: Math.max(original.until, horizonOf(recipe.inputs)), title: [...titles, ...(probePeriod === undefined ? [] : [`probes every ${probePeriod} s`])].join(", "), variantOf: original.id });
        // Only the newest wish counts; what it replaces is no loss.
        if (mine !== asked) session.drop(made.id, false);
        else for (const old of get().runs) if (old.parent === original.id && old.forkAt === undefined && old.id !== made.id) session.drop(old.id, false);
      } catch (error) {
        set({ problem: error instanceof Error ? error.message : String(error) });
      }
    },
  };
}
