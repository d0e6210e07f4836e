import type { Exercise } from "../../content/exercises/exercise.ts";
import { slugOf } from "../../content/exercises/exercise.ts";
import { playhead } from "../../timeline/playhead.ts";
import { useTimeline } from "../../timeline/store.ts";
import type { RunInput, RunRecipe } from "../../worker/protocol.ts";
import { exerciseInputs } from "./exercise-inputs.ts";
import { useDiagnose } from "./state.ts";

const SECOND = 1_000_000;
const isFault = ({ type }: RunInput): boolean => type === "fault";

/** Opens an exercise: the story runs, and what is broken in it is not shown. */
export async function beginExercise(exercise: Exercise): Promise<void> {
  const { broken, world } = exerciseInputs(exercise);
  const slug = slugOf(exercise);
  const recipe: RunRecipe = { world, seed: 1, profile: "quiet", inputs: broken.filter((input) => !isFault(input)), exercise: { slug, hidden: broken.filter(isFault) } };
  useDiagnose.getState().begin(slug);
  await useTimeline.getState().openRun(recipe, "exercise", exercise.look * SECOND);
}

/** The same run, and all that the learner did in it, with nothing hidden. */
export async function reveal(end: "found" | "given up"): Promise<void> {
  const { run, openRun } = useTimeline.getState();
  useDiagnose.getState().finish(end);
  if (run?.recipe.exercise === undefined) return;
  const { exercise: hiding, ...recipe } = run.recipe;
  const inputs = [...recipe.inputs, ...hiding.hidden].sort((a, b) => a.at - b.at);
  await openRun({ ...recipe, inputs }, hiding.hidden.length > 0 ? "exercise, the fault shown" : "exercise", playhead.get());
}

/** Mends what is broken at the playhead: the fault ends, or the right manifest takes the place of the wrong one. */
export async function heal(exercise: Exercise): Promise<void> {
  const { run, openRun, forkWith } = useTimeline.getState();
  if (!run) return;
  const at = playhead.get();
  if (exercise.fault) {
    const { id } = exercise.fault;
    const inputs = run.recipe.inputs.map((input) => (input.type === "fault" && input.id === id && input.until === undefined ? { ...input, until: at } : input));
    return openRun({ ...run.recipe, inputs }, "exercise, mended", at, run.id);
  }
  const { file } = exercise.story;
  const { text, after = [] } = exercise.fixed ?? exercise.story;
  // Nearly nothing of a Pod can be changed: a new one takes its place.
  const argv = /^kind: Pod$/m.test(text) ? ["replace", "--force", "--grace-period=1", "-f", file] : ["apply", "-f", file];
  await forkWith("mended", [{ at, type: "command", argv, files: { [file]: text } }, ...after.map(([second, ...words]): RunInput => ({ at: at + second * SECOND, type: "command", argv: words, files: {} }))]);
}
