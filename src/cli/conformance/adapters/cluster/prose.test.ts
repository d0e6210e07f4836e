import { expect, test } from "vitest";
import { withoutProse } from "./prose.ts";

const EXPLAIN = "KIND:       Pod\nVERSION:    v1\n\nFIELD: spec <PodSpec>\n\n\nDESCRIPTION:\n    Words.\n    \nFIELDS:\n  containers\t<[]Container> -required-\n    More words.\n\n  dnsPolicy\t<string>\n  enum: A, B\n    Words.\n\n\n";
const HELP = "Words.\n\nExamples:\n  # words\n  kubectl get pods\n\nOptions:\n    -A, --all-namespaces=false:\n\twords\n\nUsage:\n  kubectl get [options]\n\nUse \"kubectl options\" for words.\n";

test.each([
  { name: "other sentences", argv: ["explain", "pod.spec"], a: EXPLAIN, b: EXPLAIN.replaceAll("ords", "ent"), same: true },
  { name: "a field without its marker", argv: ["explain", "pod.spec"], a: EXPLAIN, b: EXPLAIN.replace(" -required-", ""), same: false },
  { name: "another enum", argv: ["explain", "pod.spec"], a: EXPLAIN, b: EXPLAIN.replace("A, B", "A"), same: false },
  { name: "help in other words", argv: ["get", "-h"], a: HELP, b: HELP.replaceAll("words", "x").replace("Use", "See"), same: true },
  { name: "another default", argv: ["get", "-h"], a: HELP, b: HELP.replace("=false", "=true"), same: false },
  { name: "a missing section", argv: ["get", "-h"], a: HELP, b: HELP.replace("Examples:", ""), same: false },
  { name: "anything else byte for byte", argv: ["get", "pods"], a: "a\n", b: "b\n", same: false },
])("$name", ({ argv, a, b, same }) => {
  const [want, got] = withoutProse(a, b, argv);
  expect(want === got).toBe(same);
});
