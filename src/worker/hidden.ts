import type { TraceBatch } from "../trace/batch.ts";
import type { RunRecipe } from "./protocol.ts";

const SECRET = "something you have to find";
/** What components remember of faults, in their states. */
const MEMORIES = new Set(["faults", "faulty", "crashes", "exhausted", "hardware"]);

/** The faults that a run keeps from the learner: their ids. None where it is no exercise. */
export function secretsOf({ exercise }: RunRecipe): readonly string[] {
  return exercise?.hidden.flatMap((input) => (input.type === "fault" ? [input.id] : [])) ?? [];
}

/**
 * The one rule of what an open exercise does not say: the world's own words about a fault are no steps, and no text
 * names it. What components do and say of themselves stays, and so does all that kubectl prints.
 */
export function withoutSecrets(batch: TraceBatch, secrets: readonly string[], textOf: (id: number) => string): TraceBatch {
  if (secrets.length === 0) return batch;
  const names = (text: string): boolean => secrets.some((id) => text.includes(id));
  const { text, why, status } = batch.notes as Readonly<Record<"text" | "why" | "status", Int32Array>>;
  const untold = new Set<number>();
  text.forEach((id, i) => {
    if (!names(textOf(id))) return;
    untold.add(why[i] ?? 0).add(status[i] ?? 0);
    text[i] = 0;
    why[i] = 0;
    status[i] = 0;
  });
  return { ...batch, strings: batch.strings.map((one, i) => ((one !== "" && untold.has(batch.stringsFrom + i)) || names(one) || /^fault\.(begin|later|end)$/.test(one) ? SECRET : one)) };
}

/** A component's state without what it remembers of the faults. */
export function stateWithoutSecrets(state: unknown, secrets: readonly string[]): unknown {
  if (secrets.length === 0 || typeof state !== "object" || state === null || Array.isArray(state)) return state;
  return Object.fromEntries(Object.entries(state).filter(([key]) => !MEMORIES.has(key)));
}

/** A message without what it says of a fault. */
export function payloadWithoutSecrets(payload: unknown, secrets: readonly string[]): unknown {
  const { type } = (payload ?? {}) as { readonly type?: unknown };
  return secrets.length > 0 && typeof type === "string" && type.startsWith("fault") ? { type: SECRET } : payload;
}
