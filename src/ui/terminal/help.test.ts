import { expect, test } from "vitest";
import { complete } from "./help.ts";

const names = ["nginx", "web-1", "web-2"];

test.each([
  { line: "kub", want: "kubectl " },
  { line: "kubectl ge", want: "kubectl get " },
  { line: "ge", want: "get " },
  { line: "kubectl get po", want: "kubectl get pods " },
  { line: "kubectl get pods ng", want: "kubectl get pods nginx " },
  { line: "kubectl get pods w", want: "kubectl get pods web-" },
  { line: "kubectl logs n", want: "kubectl logs nginx " },
  { line: "kubectl zzz", want: "kubectl zzz" },
  { line: "kubectl de", want: "kubectl de" },
])("$line becomes $want", ({ line, want }) => expect(complete(line, names)).toBe(want));
