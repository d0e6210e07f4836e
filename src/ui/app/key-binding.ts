/** The parts of a key event that a binding looks at. */
export interface Pressed {
  readonly key: string;
  readonly code: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
}

const NAMED: Readonly<Record<string, string>> = { Space: " ", "←": "ArrowLeft", "→": "ArrowRight", "↑": "ArrowUp", "↓": "ArrowDown", PgUp: "PageUp", PgDn: "PageDown", Esc: "Escape", "−": "-" };

/**
 * Where a key works: everywhere, outside of fields (those with a name), or only on the stage and the timeline (letters
 * and signs, which voice control and stray presses fire).
 */
export function scopeOf(binding: string): "everywhere" | "move" | "letter" {
  const { ctrl, key } = parse(binding);
  if (ctrl || /^F\d+$/.test(key)) return "everywhere";
  return key === " " || key.length > 1 ? "move" : "letter";
}

function parse(binding: string): { readonly ctrl: boolean; readonly shift: boolean; readonly key: string } {
  const parts = binding.split(" ");
  const name = parts.at(-1) ?? "";
  return { ctrl: parts.includes("Ctrl"), shift: parts.includes("Shift"), key: NAMED[name] ?? name };
}

/** Whether a key press is the binding: "Ctrl S" (or Cmd), "Shift ←", "K" (by place on the keyboard), "<" (by what it writes). */
export function matches(binding: string, event: Pressed): boolean {
  const { ctrl, shift, key } = parse(binding);
  if (ctrl !== (event.ctrlKey || event.metaKey)) return false;
  if (/^[A-Z]$/.test(key)) return event.code === `Key${key}` && event.shiftKey === shift;
  if (/^\d$/.test(key)) return event.code === `Digit${key}` && event.shiftKey === shift;
  if (key === "`") return event.code === "Backquote" && !event.shiftKey;
  // Other signs need Shift on some keyboards and none on others.
  if (key.length === 1 && key !== " ") return event.key === key || (key === "+" && event.key === "=");
  return event.key === key && event.shiftKey === shift;
}
