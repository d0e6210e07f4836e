import { describe, expect, test } from "vitest";
import type { RunInput } from "../worker/protocol.ts";
import { isVariationOf, laterInputs, supersedes } from "./later-inputs.ts";
import { storyIn } from "./sample-inputs.ts";

const WEB = "kind: Deployment\nmetadata:\n  name: web\nspec:\n  replicas: 3\n";
const typed = (seconds: number, line: string, files: Readonly<Record<string, string>> = {}): RunInput => ({ at: seconds * 1_000_000, type: "command", argv: line.split(" "), files });
const fault = (seconds: number, id: string): RunInput => ({ at: seconds * 1_000_000, type: "fault", id, params: {} });

describe("a command takes the place of a later one", () => {
  test.each([
    { own: "set image deployment/web web=nginx:1.29", later: "set image deployment/web web=nginx:1.28", want: true },
    { own: "set image deploy/web web=nginx:1.29", later: "set image deployment/web web=nginx:1.28", want: true },
    { own: "set image deploy web web=nginx:1.29", later: "set image deployment/web web=nginx:1.28", want: true },
    { own: "set image deployment/shop web=nginx:1.29", later: "set image deployment/web web=nginx:1.28", want: false },
    { own: "scale deployment/web --replicas=6", later: "set image deployment/web web=nginx:1.28", want: false },
    { own: "rollout undo deployment/web", later: "rollout undo deployment/web", want: true },
    { own: "rollout pause deployment/web", later: "rollout undo deployment/web", want: false },
    { own: "delete deployment web", later: "set image deployment/web web=nginx:1.28", want: true },
    { own: "delete deployment.apps/web", later: "scale deployment/web --replicas=2", want: true },
    { own: "delete pod web-1", later: "scale deployment/web --replicas=2", want: false },
    { own: "delete -f web.yaml", later: "rollout undo deployment/web", want: true },
    { own: "apply -f web.yaml", later: "rollout undo deployment/web", want: false },
    { own: "apply -f web.yaml", later: "apply -f load.yaml", want: false },
    { own: "apply -f load.yaml", later: "apply -f load.yaml", want: true },
    { own: "drain worker-node-05 --force", later: "drain worker-node-05 --ignore-daemonsets", want: true },
    { own: "cordon worker-node-05", later: "drain worker-node-05", want: false },
  ])("$own / $later", ({ own, later, want }) => expect(supersedes(typed(1, own, { "web.yaml": WEB }), typed(2, later))).toBe(want));
});

const scripted = [typed(8, "set image deployment/web web=nginx:1.28"), fault(9, "node.crash"), typed(16, "rollout undo deployment/web")];
const run = [typed(0, "apply -f web.yaml"), ...scripted, typed(12, "scale deployment/web --replicas=5")].sort((a, b) => a.at - b.at);

test.each([
  { name: "a bare fork has the same future", at: 5, own: [], want: [8, 9, 12, 16] },
  { name: "a fault is compared with the run without it", at: 10, own: [fault(10, "etcd.leader-crash")], want: [12, 16] },
  { name: "the same fault comes once", at: 5, own: [fault(5, "node.crash")], want: [8, 12, 16] },
  { name: "the sample goes on after a command of the user's, the user's other commands do not", at: 5, own: [typed(5, "scale deployment/web --replicas=6")], want: [8, 9, 16] },
  { name: "but not what the command takes the place of", at: 5, own: [typed(5, "set image deployment/web web=nginx:1.29")], want: [9, 16] },
  { name: "what is past is past", at: 10, own: [typed(10, "get pods")], want: [16] },
  { name: "with the Deployment goes what is about it", at: 5, own: [typed(5, "delete deploy/web")], want: [9] },
])("$name", ({ at, own, want }) => {
  expect(laterInputs(run, at * 1_000_000, own, scripted).map((input) => input.at / 1_000_000)).toEqual(want);
});

test("without a sample, another command leaves nothing to come", () => {
  expect(laterInputs(run, 5_000_000, [typed(5, "scale deployment/web --replicas=6")], [])).toEqual([]);
});

test.each([
  { text: WEB.replace("3", "5"), want: true },
  { text: WEB.replace("web", "shop"), want: false },
  { text: `${WEB}---\nkind: Service\nmetadata:\n  name: more\n`, want: true },
])("a manifest with other values is a variation, one with other objects is not", ({ text, want }) => expect(isVariationOf(text, { text: WEB })).toBe(want));

test("a long story is told for an hour in another cluster than its own", () => {
  const night = { id: "night", title: "", file: "", text: "", world: "small-server", after: [typed(60, "get pods"), typed(7200, "get pods")], until: 32_400_000_000 };
  expect([storyIn("small-server", night).after.length, storyIn("small-server", night).until]).toEqual([2, 32_400_000_000]);
  expect([storyIn("ten-nodes", night).after.length, storyIn("ten-nodes", night).until]).toEqual([1, 3_600_000_000]);
});
