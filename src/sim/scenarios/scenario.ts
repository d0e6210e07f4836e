import type { Micros } from "../kernel/types.ts";
import { SAMPLES } from "./samples.ts";
import type { RunInput, RunRecipe } from "./recipe.ts";

/** A run worth keeping: its trace is compared with testdata/<id>.txt, and the kernel's properties are tested on it. */
export interface Scenario {
  readonly id: string;
  readonly title: string;
  readonly recipe: RunRecipe;
  /** How long it runs. */
  readonly until: Micros;
}

/** `kubectl apply -f FILE` of a built-in sample. */
export function applySample(id: string, at: Micros): RunInput {
  const sample = SAMPLES.find((candidate) => candidate.id === id);
  return applyText(sample?.file ?? id, sample?.text ?? "", at);
}

export function applyText(file: string, text: string, at: Micros): RunInput {
  return { at, type: "command", argv: ["apply", "-f", file], files: { [file]: text } };
}
