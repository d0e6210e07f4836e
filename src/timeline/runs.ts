import type { RunInput, RunRecipe, SampleInfo } from "../worker/protocol.ts";
import { createCommandActions } from "./commands.ts";
import { isVariationOf, laterInputs } from "./later-inputs.ts";
import { applyInput, DEFAULTS, splitRecipe } from "./permalink.ts";
import { entriesOf, storyIn } from "./sample-inputs.ts";
import { captionTime } from "./format.ts";
import { HORIZON, horizonOf } from "./horizon.ts";
import { playhead } from "./playhead.ts";
import type { Session } from "./session.ts";
import type { FaultParams, GetTimeline, SetTimeline, TimelineActions, TimelineData } from "./types.ts";

/** What the button adds. */
const MORE = 60_000_000;

type RunActions = Pick<TimelineActions, "apply" | "deleteManifest" | "runCommand" | "interrupt" | "setEditText" | "closeEdit" | "injectFault" | "forkHere" | "openRun" | "forkWith" | "extend" | "cancel" | "dropRun" | "chooseSample" | "chooseWorld" | "applySchedulerConfig">;

/** The world for a sample: the one it needs, or else the one that the user chose by hand. */
function worldFor(next: SampleInfo, { catalogue, sample, world }: TimelineData): string {
  const standard = catalogue?.worlds[0]?.id ?? DEFAULTS.world;
  const usual = catalogue?.samples.find(({ id }) => id === sample)?.world ?? standard;
  return next.world ?? (world === usual ? standard : world);
}

/** What changes the world: each of these makes a new run and keeps the old one. */
export function createRunActions(set: SetTimeline, get: GetTimeline, session: Session): RunActions {
  /** Whether the user has applied anything yet: the first Apply starts over, later ones act on the cluster as it is. */
  let applied = false;

  const attempt = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      set({ problem: error instanceof Error ? error.message : String(error) });
    }
  };

  const fork = async (title: string, at: number, inputs: readonly RunInput[], entry?: number, from?: string): Promise<void> => {
    const run = from === undefined ? get().run : get().runs.find(({ id }) => id === from);
    if (!run) return;
    // What the samples bring of themselves, as against what the user typed.
    const scripted = get().catalogue?.samples.flatMap(({ after }) => after ?? []) ?? [];
    const later = laterInputs(run.recipe.inputs, at, inputs, scripted);
    const all = [...inputs, ...later];
    const until = Math.max(run.until, horizonOf(all), at + HORIZON);
    session.expect({ playFrom: inputs.length > 0 ? at : undefined, entries: [...(entry === undefined ? [] : [entry]), ...entriesOf(session, later)] });
    await session.call({ type: "fork", run: run.id, at, inputs: all, until, title });
  };

  const command = async (line: string, argv: readonly string[], files: Readonly<Record<string, string>>, title: string): Promise<void> => {
    const at = playhead.get();
    const entry = session.addEntry(line, argv, at, true, argv[0] === "apply" || argv[0] === "create" ? Object.values(files)[0] : undefined);
    await attempt(() => fork(title, at, [{ at, type: "command", argv, files }], entry));
  };

  const start = async (title: string, recipe: RunRecipe, until: number): Promise<void> => {
    session.expect({ playFrom: 0, entries: entriesOf(session, recipe.inputs) });
    await session.call({ type: "start", recipe, until: Math.max(until, horizonOf(recipe.inputs)), title });
  };

  const restartFromZero = async (title: string, manifest: { file: string; text: string; after?: readonly RunInput[]; until?: number }): Promise<void> => {
    const { world, seed, run } = get();
    const config = run?.recipe.schedulerConfig;
    const slowdowns = run?.recipe.slowdowns;
    const recipe: RunRecipe = { world, seed, profile: run?.recipe.profile ?? "quiet", inputs: [applyInput(0, manifest.file, manifest.text), ...(manifest.after ?? [])], ...(config === undefined ? {} : { schedulerConfig: config }), ...(slowdowns === undefined ? {} : { slowdowns }) };
    await attempt(() => start(title, recipe, manifest.until ?? 0));
  };

  /** A manifest with what the chosen sample does to it later, if it still is about the same objects. */
  const storyOf = ({ file, text }: { file: string; text: string }): Parameters<typeof restartFromZero>[1] => {
    const { catalogue, sample, world } = get();
    const chosen = catalogue?.samples.find(({ id }) => id === sample);
    if (!chosen || !isVariationOf(text, chosen)) return { file, text };
    return { file, text, ...storyIn(world, chosen) };
  };

  return {
    ...createCommandActions(set, get, session, {
      fork: (...args) => attempt(() => fork(...args)),
      touched: () => {
        applied = true;
      },
    }),
    async apply() {
      const { manifest, stepTimes } = get();
      set({ manifest: { ...manifest, applied: manifest.text } });
      const at = playhead.get();
      if (!applied || at <= (stepTimes[0] ?? 0)) {
        applied = true;
        await restartFromZero(`${manifest.file}`, storyOf(manifest));
        return;
      }
      await command(`kubectl apply -f ${manifest.file}`, ["apply", "-f", manifest.file], { [manifest.file]: manifest.text }, `apply at ${captionTime(at)}`);
    },
    async deleteManifest() {
      const { manifest } = get();
      applied = true;
      await command(`kubectl delete -f ${manifest.file}`, ["delete", "-f", manifest.file], { [manifest.file]: manifest.applied }, `delete at ${captionTime(playhead.get())}`);
    },
    async injectFault(id: string, params: FaultParams, at = playhead.get(), until?: number) {
      const title = get().catalogue?.faults.find((fault) => fault.id === id)?.title ?? id;
      await attempt(() => fork(`${title} at ${captionTime(at)}`, at, [{ at, type: "fault", id, params, ...(until === undefined ? {} : { until }) }]));
    },
    async openRun(recipe, title, at, variantOf) {
      const split = splitRecipe(recipe);
      if (split) set({ manifest: { file: split.file, text: split.text, applied: split.text }, sample: undefined as never, world: recipe.world, seed: recipe.seed });
      // What is applied from now on acts on the cluster as it is.
      applied = true;
      session.expect({ seek: at, entries: entriesOf(session, recipe.inputs) });
      await attempt(() => session.call({ type: "start", recipe, until: Math.max(horizonOf(recipe.inputs), at + HORIZON), title, ...(variantOf === undefined ? {} : { variantOf }) }));
    },
    async forkWith(title, inputs) {
      await attempt(() => fork(title, playhead.get(), inputs));
    },
    async forkHere() {
      const at = playhead.get();
      await attempt(() => fork(`fork at ${captionTime(at)}`, at, []));
    },
    async extend(until) {
      const { run } = get();
      if (!run) return;
      set({ status: "running" });
      await attempt(() => session.call({ type: "extend", run: run.id, until: until ?? run.until + MORE }));
    },
    cancel() {
      void attempt(() => session.call({ type: "cancel" }));
    },
    dropRun(id) {
      session.drop(id);
    },
    chooseSample(id) {
      const sample = get().catalogue?.samples.find((one) => one.id === id);
      if (!sample) return;
      set({ sample: id, world: worldFor(sample, get()), manifest: { file: sample.file, text: sample.text, applied: sample.text } });
      applied = false;
      void restartFromZero(sample.title, sample);
    },
    async applySchedulerConfig(text) {
      const { run } = get();
      if (!run) return;
      const { schedulerConfig: _before, ...rest } = run.recipe;
      await attempt(() => start(text === undefined ? "the scheduler's defaults" : "own scheduler configuration", { ...rest, ...(text === undefined ? {} : { schedulerConfig: text }) }, run.until));
    },
    chooseWorld(id) {
      set({ world: id });
      applied = false;
      const { manifest } = get();
      void restartFromZero(get().catalogue?.worlds.find((world) => world.id === id)?.title ?? "your own cluster", storyOf({ file: manifest.file, text: manifest.applied }));
    },
  };
}
