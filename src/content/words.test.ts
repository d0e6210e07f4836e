import { expect, test } from "vitest";
import { subjectText } from "./words.ts";

test.each([
  ["pod/default/nginx", "Pod default/nginx"],
  ["node/n1", "Node n1"],
  ["widget/a/b", "widget a/b"],
  ["/api/v1/pods", "/api/v1/pods"],
])("%s reads %s", (subject, want) => expect(subjectText(subject)).toBe(want));
