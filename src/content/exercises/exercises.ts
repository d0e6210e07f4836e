import { BROKEN_MANIFESTS } from "./broken-manifests.ts";
import { BROKEN_WORLDS } from "./broken-worlds.ts";
import { type Exercise, PLACES, type Place, slugOf } from "./exercise.ts";

export const EXERCISES: readonly Exercise[] = [...BROKEN_WORLDS, ...BROKEN_MANIFESTS];

export const exerciseOf = (slug: string): Exercise | undefined => EXERCISES.find((one) => slugOf(one) === slug);

/** How many answers there are to choose from. */
const CHOICES = 5;

/** An order that depends on nothing but the exercise and the word. */
const shuffled = <T extends string>(exercise: Exercise, words: readonly T[]): T[] => {
  const rank = (word: T): string => slugOf({ name: `${exercise.name}/${word}` }).padStart(8, "0");
  return [...words].sort((a, b) => (rank(a) < rank(b) ? -1 : 1));
};

/** Places to choose from: the right one among others. The same each time. */
export function placesFor(exercise: Exercise): readonly Place[] {
  const others = shuffled(exercise, (Object.keys(PLACES) as Place[]).filter((place) => place !== exercise.place));
  return shuffled({ ...exercise, name: `${exercise.name}!` }, [exercise.place, ...others.slice(0, CHOICES - 1)]);
}

/** Causes to choose from: those of the same place first, then of the other places that stand for choice. */
export function causesFor(exercise: Exercise): readonly string[] {
  const places = placesFor(exercise);
  const of = (exercises: readonly Exercise[]): string[] => shuffled(exercise, [...new Set(exercises.map(({ cause }) => cause))].filter((cause) => cause !== exercise.cause));
  const same = of(EXERCISES.filter(({ place }) => place === exercise.place)).slice(0, 2);
  const rest = of(EXERCISES.filter(({ place }) => place !== exercise.place && places.includes(place)));
  return shuffled({ ...exercise, name: `${exercise.name}?` }, [exercise.cause, ...[...same, ...rest].slice(0, CHOICES - 1)]);
}

/** Why an answer is not it, as far as that can be said without giving it away; undefined for the right one. */
export function refutation({ place, cause }: Exercise, answer: { readonly place: Place; readonly cause: string }): string | undefined {
  if (answer.place === place && answer.cause === cause) return undefined;
  if (answer.place === place) return "The place is right, the cause is not.";
  return answer.cause === cause ? "The cause is right, but it is in another place." : "Neither. Take a hint, or look at what the commands say.";
}
