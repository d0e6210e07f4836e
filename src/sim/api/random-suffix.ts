// Models kubernetes/staging/src/k8s.io/apimachinery/pkg/util/rand/rand.go and apiserver/pkg/storage/names/generate.go

/** No vowels and no 0, 1, 3: a generated name never spells a word. */
const ALPHABET = "bcdfghjklmnpqrstvwxz2456789";
export const SUFFIX_LENGTH = 5;
const MAX_GENERATED_PREFIX = 58;

/** One character a drawn uint32. `draw(i)` must be a keyed draw of the kernel. */
export function randomSuffix(draw: (i: number) => number, length: number = SUFFIX_LENGTH): string {
  let text = "";
  for (let i = 0; i < length; i++) text += ALPHABET[draw(i) % ALPHABET.length] ?? "b";
  return text;
}

/** generateName: the prefix cut to 58 characters plus 5 random ones. */
export const generateName = (prefix: string, draw: (i: number) => number): string => prefix.slice(0, MAX_GENERATED_PREFIX) + randomSuffix(draw);

/** SafeEncodeString: maps a hash to the same alphabet (pod-template-hash). */
export function safeEncodeString(text: string): string {
  let out = "";
  for (let i = 0; i < text.length; i++) out += ALPHABET[text.charCodeAt(i) % ALPHABET.length] ?? "b";
  return out;
}
