import { describe, expect, test } from "vitest";
import { CHAPTERS } from "./chapters.ts";
import { COMPONENTS, componentText, sourceUrl } from "./components.ts";
import { GLOSSARY, prose, termOf } from "./glossary.ts";
import { MISCONCEPTIONS } from "./misconceptions.ts";
import { DECISION_PATHS } from "./troubleshooting.ts";

describe("chapters", () => {
  test("are the fifteen, in order", () => expect(CHAPTERS.map((chapter) => chapter.number)).toEqual(Array.from({ length: 15 }, (_, i) => i + 1)));
  test.each(CHAPTERS)("$number: every marked word is a term, and there is something to correct and to look at", (chapter) => {
    for (const text of [chapter.text, chapter.more]) for (const [, word] of text.matchAll(/\[([^\]]+)\]/g)) expect(termOf(word ?? ""), word).toBeDefined();
    expect(chapter.corrections.length).toBeGreaterThan(0);
    expect(componentText(chapter.component.replace("@", "")), chapter.component).toBeDefined();
  });
});

describe("troubleshooting", () => {
  test.each(DECISION_PATHS)("$symptom: every answer leads somewhere, and every node is reached", (path) => {
    const ids = path.nodes.map((node) => node.id);
    expect(new Set(ids).size).toBe(ids.length);
    const reached = new Set([ids[0]]);
    for (const node of path.nodes) if ("answers" in node) for (const answer of node.answers) {
      expect(ids).toContain(answer.to);
      reached.add(answer.to);
    }
    expect([...reached].sort()).toEqual([...ids].sort());
  });
  test.each(DECISION_PATHS)("$symptom ends in commands", (path) => {
    for (const node of path.nodes) if ("cause" in node) expect(node.command, node.id).toBeDefined();
  });
});

test("names are unique", () => {
  for (const list of [COMPONENTS, GLOSSARY, MISCONCEPTIONS, DECISION_PATHS]) expect(new Set(list.map((one) => one.id)).size).toBe(list.length);
});

test.each([
  { text: "plain", want: ["plain"] },
  { text: "a [watch] b", want: ["a ", "watch", " b"] },
  { text: "[Pods] and [nonsense]", want: ["Pods", " and ", "nonsense"] },
])("prose: $text", ({ text, want }) => expect(prose(text).map((piece) => (typeof piece === "string" ? piece : piece.word))).toEqual(want));

test.each([
  { path: "pkg/kubelet/kubelet.go", want: "https://github.com/kubernetes/kubernetes/tree/release-1.36/pkg/kubelet/kubelet.go" },
  { path: "containerd: internal/cri/server", want: "https://github.com/containerd/containerd/tree/main/internal/cri/server" },
])("$path has an address", ({ path, want }) => expect(sourceUrl(path)).toBe(want));
