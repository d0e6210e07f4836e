/** A piece of a word after expansion; `whole` pieces (literal or quoted) are not split at blanks. */
export interface ExpandedPart {
  readonly text: string;
  readonly whole: boolean;
}

/** Field splitting: an unquoted `$VAR` that holds blanks becomes several arguments, an empty one none. */
export function splitFields(parts: readonly ExpandedPart[]): string[] {
  const fields: string[] = [];
  let current: string | undefined;
  for (const { text, whole } of parts) {
    if (whole) {
      current = (current ?? "") + text;
      continue;
    }
    text.split(/\s+/).forEach((piece, i) => {
      if (i > 0) {
        if (current !== undefined) fields.push(current);
        current = undefined;
      }
      if (piece !== "") current = (current ?? "") + piece;
    });
  }
  if (current !== undefined) fields.push(current);
  return fields;
}
