import { expect, test } from "vitest";
import { enumOf, isRequired, openApiType } from "../api/schema/openapi.ts";
import { structType } from "../api/schema/schema.ts";
import { runEditor } from "./editor.ts";

test.each([
  ["true", { text: "a: only\n" }], ["false", { error: 'error: there was a problem with the editor "false"' }], ["cat", { text: "a: only\n", printed: "a: only\n" }], ["sed -i s/only/all/", { text: "a: all\n" }], ["sed -i 's|on\\(ly\\)|\\1|g'", { text: "a: ly\n" }],
  ["cp new.yaml", { text: "b\n" }], ["nothere", { error: 'error: unable to launch the editor "nothere"' }], ["vi", undefined], ["", undefined],
])("%s", (editor, want) => expect(runEditor(editor, "a: only\n", { "new.yaml": "b\n" })).toEqual(want));

test("what the published document says of a field", () => {
  const spec = structType("PodSpec");
  const [containers, policy] = [spec?.fields.get("containers"), spec?.fields.get("dnsPolicy")];
  if (containers === undefined || policy === undefined) throw new Error("PodSpec has these fields");
  expect([openApiType(containers.of), isRequired("PodSpec", "containers"), isRequired("PodSpec", "volumes")]).toEqual(["[]Container", true, false]);
  expect(enumOf(policy)).toEqual(["ClusterFirst", "ClusterFirstWithHostNet", "Default", "None"]);
});
