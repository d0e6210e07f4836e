import { describe, expect, it } from "vitest";
import { ACTIONS } from "./actions.ts";
import { matches, type Pressed, scopeOf } from "./key-binding.ts";

const press = (key: string, code = "", held: Partial<Pressed> = {}): Pressed => ({ key, code, ctrlKey: false, metaKey: false, shiftKey: false, ...held });

describe("matches", () => {
  it.each<[string, Pressed, boolean]>([
    ["Space", press(" ", "Space"), true],
    ["K", press("k", "KeyK"), true],
    ["K", press("k", "KeyK", { ctrlKey: true }), false],
    ["K", press("K", "KeyK", { shiftKey: true }), false],
    ["Shift M", press("M", "KeyM", { shiftKey: true }), true],
    ["Ctrl K", press("k", "KeyK", { metaKey: true }), true],
    // By place: a French keyboard has another letter there.
    ["A", press("q", "KeyA"), true],
    ["Shift 1", press("!", "Digit1", { shiftKey: true }), true],
    ["Shift ←", press("ArrowLeft", "ArrowLeft", { shiftKey: true }), true],
    ["←", press("ArrowLeft", "ArrowLeft", { shiftKey: true }), false],
    ["<", press("<", "Comma", { shiftKey: true }), true],
    ["?", press("?", "Slash", { shiftKey: true }), true],
    [",", press(",", "Comma"), true],
    ["+", press("=", "Equal"), true],
    ["−", press("-", "Minus"), true],
    ["`", press("^", "Backquote"), true],
    ["F6", press("F6", "F6"), true],
    ["Shift F6", press("F6", "F6"), false],
  ])("%s and %o: %s", (binding, event, want) => expect(matches(binding, event)).toBe(want));
});

it.each([["Ctrl S", "everywhere"], ["F6", "everywhere"], ["Space", "move"], ["Home", "move"], ["K", "letter"], ["<", "letter"], ["Shift M", "letter"]] as const)("%s works %s", (binding, scope) => expect(scopeOf(binding)).toBe(scope));

it("no two actions share a key, and no two a name", () => {
  const keys = ACTIONS.flatMap(({ keys: own }) => own);
  expect(keys.filter((key, i) => keys.indexOf(key) !== i)).toEqual([]);
  const names = ACTIONS.map(({ does }) => does);
  expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
});
