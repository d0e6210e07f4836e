import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { SAMPLES } from "../samples.ts";
import { tenNodes } from "./ten-nodes.ts";

const shared = new URL("../../../../../shared/worlds/", import.meta.url);

test.skipIf(!existsSync(shared))("the default world and sample are those of the recordings", () => {
  const read = (file: string): unknown[] => parseAllDocuments(readFileSync(new URL(file, shared), "utf8")).map((document) => document.toJS());
  const recorded = read("ten-nodes.yaml");
  // The recording's container of a world Pod lists the same facts; only empty specs differ in writing.
  expect(tenNodes.objects).toEqual(recorded);
  const sample = parseAllDocuments(SAMPLES[0]?.text ?? "").map((document) => document.toJS());
  expect(sample).toEqual(read("nginx.yaml"));
});
