import { hexId, uuid } from "../../../../sim/api/ids.ts";
import { rfc3339 } from "../../../../sim/api/time.ts";
import type { KubeObject } from "../../../../sim/api/types.ts";
import type { World } from "../../../../sim/api/world.ts";
import type { ApiCall } from "../../../../sim/client-go/api-client.ts";
import { createEtcdMember } from "../../../../sim/etcd/member.ts";
import { resolveInput, type SimInput } from "../../../../sim/faults/resolve.ts";
import { Simulation } from "../../../../sim/kernel/simulation.ts";
import type { Action, Component, Input, WorldView } from "../../../../sim/kernel/types.ts";
import { createApiServer } from "../../../../sim/kube-apiserver/server.ts";
import { CONTROLLERS } from "../../../../sim/kube-controller-manager/registry.ts";
import { collectionPath } from "../../../../sim/kube-controller-manager/resources.ts";
import { createScheduler, schedulerWatches } from "../../../../sim/kube-scheduler/scheduler.ts";
import { createKubectl } from "../../../../sim/kubectl/kubectl.ts";
import { LATENCIES } from "../../../../sim/latencies/registry.ts";
import { settle } from "../../../../sim/scenarios/settle.ts";
import { createWebhook } from "../../../../sim/webhook/webhook.ts";
import { createDriver, DRIVER, type DriverCall, type DriverState, driverWatches } from "./controller-scenario-driver.ts";
import { createStandInKubelet, type StandIn, standInWatches } from "./controller-scenario-kubelet.ts";
import { Names, NAMESPACE } from "./controller-scenario-names.ts";

export interface Step {
  readonly atSeconds: number;
  readonly do: { readonly create?: KubeObject; readonly kubectl?: readonly string[]; readonly evict?: { readonly pod: string } };
}

export interface Scenario {
  readonly preObjects: readonly KubeObject[];
  readonly steps: readonly Step[];
  readonly standIn: StandIn;
}

/** Second 0 of a scenario in simulated time: second 40 of a minute, as CronJobs ask for. */
export const START = 40_000_000;
const MEMBERS = ["etcd-0", "etcd-1", "etcd-2"];

interface StepInput extends Input {
  readonly type: "scenario.step";
  readonly index: number;
  readonly step: Step;
}

const withNamespace = <T>(value: T, names = new Names()): T => JSON.parse(names.show(JSON.stringify(value)), (_key, inner: unknown) => inner) as T;

/** What the controllers had done to an object before second 0. */
function settled(object: KubeObject): KubeObject {
  if (object.kind !== "PersistentVolume") return object;
  return { ...object, metadata: { finalizers: ["kubernetes.io/pv-protection"], ...object.metadata }, status: { phase: "Available", lastPhaseTransitionTime: rfc3339(0), ...(object.status as object | undefined) } };
}

/** The objects that were there at second 0. */
export const objectsBefore = (scenario: Scenario): readonly KubeObject[] => withNamespace(scenario.preObjects).map(settled);

function worldOf(scenario: Scenario): World {
  const own: KubeObject[] = [
    { apiVersion: "v1", kind: "Namespace", metadata: { name: NAMESPACE, labels: { "kubernetes.io/metadata.name": NAMESPACE } }, spec: { finalizers: ["kubernetes"] }, status: { phase: "Active" } },
    { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "default", namespace: NAMESPACE, uid: uuid(1, "scenario account") } },
    { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "kube-root-ca.crt", namespace: NAMESPACE }, data: { "ca.crt": hexId(1, "ca") } } as KubeObject,
  ];
  const objects = [...own, ...objectsBefore(scenario)];
  // The recorded cluster had no StorageClass.
  const world = settle({ id: "scenario", title: "", objects }, 1, (settled) => [...schedulerWatches(), ...CONTROLLERS.flatMap((controller) => controller.watches(settled)), ...standInWatches(), ...driverWatches()]);
  return { ...world, objects: world.objects.filter((object) => object.kind !== "StorageClass") };
}

/** The control plane of the simulation, complete; nodes are but objects. */
function components(world: World, standIn: StandIn): Component[] {
  const nodes = world.nodes.map((node) => node.name);
  return [
    createKubectl({ world }),
    createApiServer({ world }),
    ...MEMBERS.map((id) => createEtcdMember({ world, id, peers: MEMBERS.filter((peer) => peer !== id) })),
    createScheduler({ world }),
    ...CONTROLLERS.map((controller) => controller.create({ world })),
    createWebhook(),
    createStandInKubelet(standIn, nodes),
    createDriver(),
  ] as Component[];
}

function createCall(raw: KubeObject): ApiCall {
  return { method: "POST", path: collectionPath(raw.kind, NAMESPACE), body: raw };
}

function evictCall(pod: string): ApiCall {
  return { method: "POST", path: `/api/v1/namespaces/${NAMESPACE}/pods/${pod}/eviction`, body: { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: pod, namespace: NAMESPACE } } };
}

function actionsOf(input: Input, view: WorldView): readonly Action[] {
  if (input.type !== "scenario.step") return resolveInput(input, view);
  const { step, index } = input as StepInput;
  const driver = view.stateOf(DRIVER) as DriverState;
  const { create, kubectl, evict } = withNamespace(step.do, new Names(driver.added));
  if (kubectl) return resolveInput({ at: input.at, type: "command", argv: ["-n", NAMESPACE, ...kubectl], files: {}, session: index } as SimInput, view);
  const call = create ? createCall(create) : evictCall(evict?.pod ?? "");
  return [{ type: "deliver", to: DRIVER, verb: call.method, message: { type: "scenario.call", step: index, call } as DriverCall }];
}

/** Runs a scenario for so many seconds after its start. */
export function runScenario(scenario: Scenario, seconds: number): Simulation {
  const world = worldOf(scenario);
  const inputs = scenario.steps.map((step, index): StepInput => ({ at: START + Math.round(step.atSeconds * 1_000_000), type: "scenario.step", index, step }));
  const sim = Simulation.create({ seed: 1, profile: "quiet", components: components(world, scenario.standIn), latencies: LATENCIES, resolve: actionsOf }, inputs);
  sim.run(START + Math.round(seconds * 1_000_000));
  return sim;
}
