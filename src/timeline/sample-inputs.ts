import type { Catalogue, RunInput, RunRecipe, SampleInfo } from "../worker/protocol.ts";
import { splitRecipe } from "./permalink.ts";
import type { Session } from "./session.ts";

/** Whether two inputs are the same act at the same time. */
export const sameInput = (a: RunInput, b: RunInput): boolean => a.at === b.at && JSON.stringify(a) === JSON.stringify(b);

/** The sample that a run is made of, with all that follows its manifest; undefined for the user's own. */
export function sampleOf(catalogue: Catalogue | undefined, recipe: RunRecipe): SampleInfo | undefined {
  const split = splitRecipe(recipe);
  return catalogue?.samples.find((one) => one.text === split?.text && (one.after ?? []).every((input) => split.rest.some((other) => sameInput(input, other))));
}

/** The inputs that a run has from its sample, after the first apply. */
export const ownOf = (catalogue: Catalogue | undefined, recipe: RunRecipe): readonly RunInput[] => sampleOf(catalogue, recipe)?.after ?? [];

/** The commands among inputs, as entries of the terminal. */
export const entriesOf = (session: Session, inputs: readonly RunInput[]): number[] =>
  inputs.flatMap((input) => (input.type === "command" ? [session.addEntry(`kubectl ${input.argv.join(" ")}`, input.argv, input.at, true, input.argv[0] === "apply" ? Object.values(input.files)[0] : undefined)] : []));

/** As much of a long story as is told in another cluster than its own, which may be many times as busy (microseconds). */
const ELSEWHERE = 3_600_000_000;

/** What follows a sample's manifest in a cluster, and until when there is something to see. */
export function storyIn(world: string, { after = [], until, world: own = world }: SampleInfo): { readonly after: readonly RunInput[]; readonly until: number } {
  const end = world === own ? Number.POSITIVE_INFINITY : ELSEWHERE;
  return { after: after.filter(({ at }) => at < end), until: Math.min(until ?? 0, end) };
}
