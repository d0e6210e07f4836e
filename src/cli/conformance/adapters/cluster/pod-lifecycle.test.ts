import { describe, expect, it, test } from "vitest";
import type { KubeObject } from "../../../../sim/api/types.ts";
import { inputsOf, isMutation, type RecordedAction } from "./actions.ts";
import type { Happening } from "./happenings.ts";
import { recordedNames } from "./recorded-text.ts";
import { resizePatch } from "./resize-words.ts";
import { differentEvents } from "./same-events.ts";
import { differentStates } from "./same-states.ts";
import { initialConditions } from "./surroundings.ts";

const MANIFESTS = [{ apiVersion: "v1", kind: "Pod", metadata: { name: "p" }, spec: { containers: [{ name: "a" }, { name: "b" }] } }, { apiVersion: "apps/v1", kind: "StatefulSet", metadata: { name: "ss" } }] as KubeObject[];
const NEW = { apiVersion: "v1", kind: "Pod", metadata: { name: "new" } } as KubeObject;

function argvOf(text: string, manifest?: KubeObject): readonly string[] {
  const action: RecordedAction = { atMs: 5, do: text, ...(manifest === undefined ? {} : { manifest }) };
  return (inputsOf(action, { manifests: MANIFESTS, actions: [action] }) ?? [{ at: 0, type: "command", argv: ["?"], files: {} }]).map((input) => (input.type === "command" ? input.argv.join("|") : input.type === "fault" ? `fault ${input.id}` : input.type));
}

test.each([
  ["DELETE pod/p", ["delete|pod|p|--wait=false"]],
  ["DELETE pod/p (grace 0)", ["delete|pod|p|--wait=false|--grace-period=0|--force"]],
  ["kubectl delete pod -l app=d -n $NS --wait=false", ["delete|pod|-l|app=d|--wait=false"]],
  ["kubectl delete pod static-web-node-1 (mirror)", ["delete|pod|static-web-node-1"]],
  ["kubectl exec -n $NS p -- sh -c kill -TERM 1", ["exec|p|--|sh|-c|kill -TERM 1"]],
  ["kubectl debug -n $NS p --image=busybox:1.36 --target=web -c dbg -- sh -c ps; sleep 5; exit 2", ["debug|p|--image=busybox:1.36|--target=web|-c|dbg|--|sh|-c|ps; sleep 5; exit 2"]],
  ['kubectl patch pod p -n $NS -p {"metadata":{"labels":{"a b":"c"}}} --type=merge', ['patch|pod|p|-p|{"metadata":{"labels":{"a b":"c"}}}|--type=merge']],
  ["kubectl apply -n $NS -f -", ["apply|-f|objects.yaml"]],
  ["delete pod p", ["delete|pod|p|--wait=false"]],
  ["kubectl get pod -n $NS", []],
  ["kubectl rollout undo deploy/d -n $NS", ["rollout|undo|deploy/d"]],
  ["set image web=web:1.0", ["set|image|statefulset/ss|web=web:1.0"]],
  ["scale to 1", ["scale|statefulset/ss|--replicas=1"]],
  ["update ConfigMap cfg a=2", ['patch|configmap|cfg|--type=merge|-p|{"data":{"a":"2"}}']],
  ["remove scheduling gate", ['patch|pod/p|--type=merge|-p|{"spec":{"schedulingGates":null}}']],
  ["PATCH resize cpu 80m/200m, memory limit 96Mi", ['patch|pod/p|--subresource=resize|-p|{"spec":{"containers":[{"name":"a","resources":{"requests":{"cpu":"80m"},"limits":{"cpu":"200m","memory":"96Mi"}}}]}}']],
  ["stop kubelet (SIGTERM)", ["fault kubelet.stopped"]],
  ["start containerd", []],
  ["move CNI configuration out of /etc/cni/net.d", ["fault cni.not-ready"]],
  ["move CNI configuration back (rename)", []],
  ["write CNI configuration", []],
  ["write /etc/kubernetes/manifests/x.yaml", ["fault kubelet.static-pod"]],
  ["sing a song", ["?"]],
])("%s", (text, argv) => expect(argvOf(text, NEW)).toEqual(argv));

it("ends a fault with the action that undoes it, and only with that", () => {
  const actions = [{ atMs: 1, do: "move CNI configuration away" }, { atMs: 2, do: "move CNI configuration back" }, { atMs: 3, do: "write CNI configuration" }];
  expect(inputsOf(actions[0] as RecordedAction, { manifests: [], actions })).toMatchObject([{ at: 1_000, until: 3_000 }]);
});

it("looking is no mutation", () => expect(["kubectl get nodes", "start kubelet", "create pod x", "logs --timestamps"].map((text) => isMutation({ atMs: 0, do: text }))).toEqual([false, true, true, false]));

it("a resize names its container, or means the first", () => expect(resizePatch("b: memory request 64Mi", MANIFESTS)).toEqual({ spec: { containers: [{ name: "b", resources: { requests: { memory: "64Mi" } } }] } }));

test("random names are told apart by their order of creation", () => {
  const name = recordedNames({ a: "d-6c79754685-<S1>", b: ["d-5487ddcf7-<S4>", "j-<S2>"] });
  expect(["Pod/d-5487ddcf7-<S4>", "Created pod: j-<S2>", "Created job cj-29934466", "p_<NS>(8c0f1e4e-0000-4000-8000-0123456789ab) has 10.244.0.7"].map(name)).toEqual(["Pod/d-<hash>-<suffix> 2", "Created pod: j-<suffix> 1", "Created job cj-<minute>", "p_default(<UID>) has <POD_IP>"]);
});

test("what a scenario began with", () => {
  const events = [{ atMs: 53_000, object: "CronJob/cj", message: "Created job cj-29934466" }, { atMs: 54_000, object: "Pod/x", message: 'Container image "web:1.0" already present on machine' }];
  expect(initialConditions({ expect: { events } })).toMatchObject({ from: 7_000, stock: expect.arrayContaining(["docker.io/library/web:1.0"]) });
  expect(initialConditions({ expect: { events: [{ atMs: 1, object: "Pod/x", message: 'Pulling image "web:1.0"' }] } }).stock).not.toContain("docker.io/library/web:1.0");
});

const event = (text: string, ...seen: number[]): Happening => ({ object: "Pod/p", text: `Normal ${text} kubelet: x`, seen });
const WAITS = { probePeriod: 0, runtimeStopped: false };

test.each([
  { name: "a jittered wait", want: [event("Started", 0, 1_000), event("BackOff", 2_000), event("Pulled", 12_000)], got: [event("Started", 0, 1_000), event("BackOff", 2_000), event("Pulled", 17_500)], same: true },
  { name: "a wait twice as long", want: [event("BackOff", 2_000), event("Pulled", 12_000)], got: [event("BackOff", 2_000), event("Pulled", 24_500)], same: false },
  { name: "a step that follows late", want: [event("Pulled", 500), event("Created", 510)], got: [event("Pulled", 500), event("Created", 1_600)], same: false },
  { name: "another order", want: [event("Pulled", 500), event("Created", 510)], got: [event("Created", 500), event("Pulled", 510)], same: false },
  { name: "a restart that did not come", want: [event("Started", 0, 10_000)], got: [event("Started", 0)], same: false },
])("events: $name", ({ want, got, same }) => expect(differentEvents("Pod/p", want, got, [0], WAITS) === undefined).toBe(same));

describe("states", () => {
  const phases = (...list: readonly [number, string][]): readonly { at: number; text: string }[] => list.map(([at, text]) => ({ at, text }));
  const options = { brief: 500, until: 20_000, actions: [0], waits: WAITS };
  it.each([
    { name: "two writes that were one", want: phases([0, "a"], [100, "b"], [130, "c"]), got: phases([0, "a"], [100, "c"]), same: true },
    { name: "a state that nobody recorded", want: phases([0, "a"], [9_000, "c"]), got: phases([0, "a"], [3_000, "b"], [9_000, "c"]), same: false },
    { name: "a state that does not come", want: phases([0, "a"], [3_000, "b"], [9_000, "c"]), got: phases([0, "a"], [9_000, "c"]), same: false },
    { name: "much too late", want: phases([0, "a"], [3_000, "b"]), got: phases([0, "a"], [9_000, "b"]), same: false },
    { name: "something more at the end", want: phases([0, "a"]), got: phases([0, "a"], [5_000, "b"]), same: false },
    { name: "something more after the window", want: phases([0, "a"]), got: phases([0, "a"], [25_000, "b"]), same: true },
  ])("$name", ({ want, got, same }) => expect(differentStates("x", want, got, options) === undefined).toBe(same));
});
