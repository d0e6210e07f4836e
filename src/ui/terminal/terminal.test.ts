import { describe, expect, test } from "vitest";
import { commonStart, withOwn, withWord } from "./completion.ts";
import { commandsOf, openEnd, searchBack } from "./lines.ts";

describe("lines", () => {
  test.each([
    { text: "kubectl get pods", want: undefined },
    { text: "kubectl get pods \\", want: "line" },
    { text: "echo 'a\nb", want: "quote" },
    { text: `echo "a 'b" c`, want: undefined },
    { text: "kubectl apply -f - <<EOF", want: "document" },
    { text: "kubectl apply -f - <<EOF\nkind: Pod\n", want: "document" },
    { text: "kubectl apply -f - <<'EOF'\nname: it's\nEOF", want: undefined },
    { text: "kubectl get pods # it's fine", want: undefined },
  ])("$text is open: $want", ({ text, want }) => expect(openEnd(text)).toBe(want));

  test("a pasted text becomes its commands", () => {
    const text = "kubectl get pods\r\n# a comment\n\nkubectl apply -f - <<EOF\nkind: Pod\n\n# not a comment\nEOF\nkubectl get \\\n  nodes\n";
    expect(commandsOf(text)).toEqual(["kubectl get pods", "kubectl apply -f - <<EOF\nkind: Pod\n\n# not a comment\nEOF", "kubectl get \\\n  nodes"]);
  });

  test.each([
    { query: "get", before: undefined, want: 3 },
    { query: "get", before: 3, want: 0 },
    { query: "get", before: 0, want: -1 },
    { query: "", before: undefined, want: -1 },
    { query: "delete", before: undefined, want: 1 },
  ])("searching $query before $before", ({ query, before, want }) => expect(searchBack(["get pods", "delete pod", "logs", "get nodes"], query, before)).toBe(want));
});

describe("completion", () => {
  const pods = [{ text: "web-1", about: "" }, { text: "web-20", about: "" }];

  test("goes as far as all agree", () => expect([commonStart(pods), commonStart([]), commonStart(pods.slice(1))]).toEqual(["web-", "", "web-20"]));

  test.each([
    { line: "k get po", from: 6, word: "pods", whole: true, want: "k get pods |" },
    { line: "k get -", from: 6, word: "--output=", whole: true, want: "k get --output=|" },
    { line: "k get pods w", from: 11, word: "web-", whole: false, want: "k get pods web-|" },
  ])("$line", ({ line, from, word, whole, want }) => {
    const { text, cursor } = withWord({ text: line, cursor: line.length }, from, word, whole);
    expect(`${text.slice(0, cursor)}|${text.slice(cursor)}`).toBe(want);
  });

  test("in the middle of a line only the word changes", () => expect(withWord({ text: "k get po -A", cursor: 8 }, 6, "pods", true)).toEqual({ text: "k get pods -A", cursor: 10 }));

  test.each([
    { line: "kub", from: 0, want: ["kubectl"] },
    { line: "kubectl apply -f ", from: 17, want: ["web.yaml"] },
    { line: "kubectl apply -f=w", from: 14, want: ["-f=web.yaml"] },
    { line: "kubectl get ", from: 12, want: [] },
  ])("the page's own words in $line", ({ line, from, want }) => expect(withOwn(line, line.length, { from, suggestions: [] }, "web.yaml").suggestions.map(({ text }) => text)).toEqual(want));
});
