import type { RunInput } from "../../worker/protocol.ts";
import type { Exercise, Story } from "../../content/exercises/exercise.ts";

const SECOND = 1_000_000;
const WORLD = "ten-nodes";

/** The inputs of an exercise, and those of the same story where nothing is wrong. */
export function exerciseInputs({ story, fault, fixed }: Exercise): { readonly broken: readonly RunInput[]; readonly healthy: readonly RunInput[]; readonly world: string } {
  const apply = (text: string): RunInput => ({ at: 0, type: "command", argv: ["apply", "-f", story.file], files: { [story.file]: text } });
  const typed = (after: NonNullable<Story["after"]>): readonly RunInput[] => after.map(([second, ...argv]): RunInput => ({ at: second * SECOND, type: "command", argv, files: {} }));
  const breaks: readonly RunInput[] = fault ? [{ at: fault.at * SECOND, type: "fault", id: fault.id, params: fault.params ?? {} }] : [];
  const inOrder = (inputs: readonly RunInput[]): readonly RunInput[] => [...inputs].sort((a, b) => a.at - b.at);
  return { broken: inOrder([apply(story.text), ...breaks, ...typed(story.after ?? [])]), healthy: inOrder([apply((fixed ?? story).text), ...typed((fixed ?? story).after ?? [])]), world: story.world ?? WORLD };
}
