import { expect, test } from "vitest";
import { filtered, readCommandLine } from "./command-line.ts";

test.each([
  ["kubectl get pods -o 'jsonpath={.items[*].metadata.name}'", { argv: ["get", "pods", "-o", "jsonpath={.items[*].metadata.name}"], filters: [] }],
  ['k annotate pod web note="a \\"b\\"" x=\\ y', { argv: ["annotate", "pod", "web", 'note=a "b"', "x= y"] }],
  ["get po''ds # all", { argv: ["get", "pods"] }],
  ["EDITOR=cat kubectl edit deploy/web", { argv: ["edit", "deploy/web"], env: { EDITOR: "cat" } }],
  ["kubectl get pods | grep -v web | wc -l", { argv: ["get", "pods"], filters: [["grep", "-v", "web"], ["wc", "-l"]] }],
  ["kubectl apply -f - <<EOF\nkind: Pod\nEOF\n", { argv: ["apply", "-f", "-"], stdin: "kind: Pod\n" }],
  ["kubectl delete pod $(kubectl get pods -o name)", { error: "this terminal runs no command inside another: type the value itself" }],
  ['kubectl get "$NAME"', { error: "this terminal has no variables: type the value itself" }],
  ["kubectl get pods | awk '{print}'", { error: "this terminal pipes to grep, head, tail, sort, wc, cat only" }],
  ["kubectl get 'pods", { error: "there is no closing '" }],
  ["kubectl get pods > x", { error: "this terminal writes no files" }],
])("%s", (line, want) => expect(readCommandLine(line)).toMatchObject(want));

test.each([
  [[["grep", "b"]], "b\nab\n"], [[["grep", "-vi", "B"]], "a\nc\n"], [[["sort", "-r"], ["head", "-n", "1"]], "c\n"], [[["wc", "-l"]], "4\n"], [[["tail", "-2"]], "c\nab\n"], [[], "b\na\nc\nab\n"],
])("through %j", (filters, want) => expect(filtered("b\na\nc\nab\n", filters)).toBe(want));
