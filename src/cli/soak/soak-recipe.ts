import type { FaultParam } from "../../sim/faults/fault.ts";
import { FAULTS } from "../../sim/faults/registry.ts";
import { readStream } from "../../sim/api/go-yaml/document-stream.ts";
import { type Micros, SECOND } from "../../sim/api/time.ts";
import type { KubeObject } from "../../sim/api/types.ts";
import type { FaultParams, RunInput, RunRecipe } from "../../sim/scenarios/recipe.ts";
import type { WorldFile } from "../../sim/scenarios/worlds/world-file.ts";
import { WORLDS } from "../../sim/scenarios/worlds/registry.ts";
import { type Draw, drawsOf } from "../fuzz/mutate.ts";
import { type Manifest, workload } from "./workload.ts";

/** A run of the soak, and how long it goes. Every fault has ended `QUIET` before. */
export interface SoakRecipe {
  readonly seed: number;
  readonly recipe: RunRecipe;
  /** Names of the manifests, for the report. */
  readonly manifests: readonly string[];
  readonly until: Micros;
}

/** What a seed is drawn from. */
export interface SoakSource {
  /** Empty: all are made up. */
  readonly manifests: readonly Manifest[];
  /** Seconds of the shortest and the longest run before the quiet end. */
  readonly shortest: number;
  readonly longest: number;
  /** Ids of worlds; empty: every one. */
  readonly worlds: readonly string[];
}

/** After the last fault: members of etcd meet again, late requests end. */
export const QUIET: Micros = 120 * SECOND;

const pick = <T>(list: readonly T[], draw: Draw): T | undefined => list[draw(list.length)];

/** What a manifest holds, for commands and faults that name it. */
interface Named {
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
}

function objectsOf(text: string): readonly KubeObject[] {
  return readStream(text).documents.flatMap(({ value }): KubeObject[] => {
    const object = value as (Partial<KubeObject> & { readonly items?: readonly KubeObject[] }) | null;
    if (object === null || typeof object !== "object") return [];
    if (Array.isArray(object.items)) return object.items as KubeObject[];
    return typeof object.kind === "string" && typeof object.metadata?.name === "string" ? [object as KubeObject] : [];
  });
}

const namedOf = (objects: readonly KubeObject[]): readonly Named[] => objects.filter((object) => typeof object?.metadata?.name === "string").map(({ kind, metadata }) => ({ kind, name: metadata.name ?? "", namespace: typeof metadata.namespace === "string" ? metadata.namespace : "default" }));

/** Every value under a key of this name, anywhere in the manifests: images, names of containers. */
function valuesOf(value: unknown, inside: string, key: string): readonly string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const here = (name === inside && Array.isArray(inner) ? (inner as unknown[]) : []).flatMap((entry) => {
      const found = (entry as Readonly<Record<string, unknown>> | null)?.[key];
      return typeof found === "string" ? [found] : [];
    });
    return [...here, ...valuesOf(inner, inside, key)];
  });
}

interface Targets {
  readonly nodes: readonly string[];
  readonly members: number;
  readonly images: readonly string[];
  readonly containers: readonly string[];
}

function drawParam(param: FaultParam, { nodes, members, images, containers }: Targets, draw: Draw): string | number | boolean {
  if (param.options) return pick(param.options.filter((option) => !/^etcd-\d$/.test(option) || Number(option.slice(5)) < members), draw) ?? param.default;
  if (typeof param.default === "boolean") return draw(2) === 0;
  if (typeof param.default === "number") return param.default === 0 ? draw(4) * 5 : Math.max(1, Math.floor((param.default * (1 + draw(12))) / 4));
  switch (param.name) {
    // A broken wire may be anybody's; all else strikes nodes.
    case "node": return draw(3) === 0 ? "" : (pick(param.label.startsWith("Machine") ? [...nodes, "etcd-0", "workstation"] : nodes, draw) ?? "");
    case "container": return pick(containers, draw) ?? param.default;
    case "image": return pick(images, draw) ?? param.default;
    case "uncached": return draw(2) === 0 ? "" : (pick(images, draw) ?? param.default);
    case "registry": return draw(2) === 0 ? "" : param.default;
    default: return param.default;
  }
}

function drawFault(targets: Targets, horizon: Micros, draw: Draw): RunInput {
  const fault = pick(FAULTS, draw) as (typeof FAULTS)[number];
  const params: FaultParams = Object.fromEntries(fault.params.map((param) => [param.name, drawParam(param, targets, draw)]));
  const at = draw(Math.floor(horizon * 0.7));
  const lasts = 1 + draw(Math.max(1, horizon - at - 1));
  // Half of them are short: recovery is where it gets interesting.
  return { at, type: "fault", id: fault.id, params, until: at + (draw(2) === 0 ? lasts : Math.min(lasts, SECOND + draw(40 * SECOND))) };
}

const SCALED = ["Deployment", "ReplicaSet", "StatefulSet"];
const ROLLED = ["Deployment", "StatefulSet", "DaemonSet"];

/** What a user types at some time. */
function drawCommand(files: readonly (readonly [string, string])[], named: readonly Named[], nodes: readonly string[], at: Micros, draw: Draw): RunInput | undefined {
  const command = (argv: readonly string[], given: Readonly<Record<string, string>> = {}): RunInput => ({ at, type: "command", argv, files: given });
  const of = (kinds: readonly string[]): Named | undefined => pick(named.filter(({ kind }) => kinds.includes(kind)), draw);
  const what = draw(9);
  if (what === 0) {
    const [file, text] = pick(files, draw) ?? ["", ""];
    return command(["apply", "-f", file], { [file]: text });
  }
  if (what === 1 || what === 2) {
    const target = of(SCALED);
    return target && command(["scale", `${target.kind.toLowerCase()}/${target.name}`, `--replicas=${draw(7)}`, "-n", target.namespace]);
  }
  if (what === 3) {
    const target = of(ROLLED);
    return target && command(["rollout", pick(["restart", "restart", "undo"], draw) ?? "", `${target.kind.toLowerCase()}/${target.name}`, "-n", target.namespace]);
  }
  if (what === 4 || what === 5) return command(["delete", "pods", "--all", "-n", pick(named, draw)?.namespace ?? "default", ...(draw(2) === 0 ? ["--wait=false"] : ["--force", "--grace-period=0"])]);
  if (what === 6) return command([draw(2) === 0 ? "cordon" : "uncordon", pick(nodes, draw) ?? ""]);
  if (what === 7) {
    const [file, text] = pick(files, draw) ?? ["", ""];
    return command(["delete", "-f", file, "--wait=false", "--ignore-not-found"], { [file]: text });
  }
  const target = pick(named, draw);
  return target && command(["delete", target.kind.toLowerCase(), target.name, "-n", target.namespace, `--cascade=${pick(["background", "foreground", "orphan"], draw) ?? ""}`, "--wait=false"]);
}

const nodesOf = (world: WorldFile): readonly string[] => world.objects.filter(({ kind }) => kind === "Node").map(({ metadata }) => metadata.name ?? "");

/** The run of a seed: a world, one to four manifests, up to three faults and a few commands, all drawn. The same seed and source always give the same. */
export function soakRecipe(seed: number, source: SoakSource): SoakRecipe {
  const draw = drawsOf(seed);
  const world = pick(source.worlds.length === 0 ? WORLDS : WORLDS.filter(({ id }) => source.worlds.includes(id)), draw) as WorldFile;
  const horizon = source.shortest * SECOND + draw((source.longest - source.shortest) * SECOND + 1);
  const manifests = Array.from({ length: 1 + draw(4) }, (_, i): Manifest => (source.manifests.length === 0 || draw(4) === 0 ? workload(i, draw) : (pick(source.manifests, draw) as Manifest)));
  const files = manifests.map(({ text }, i) => [`m${i}.yaml`, text] as const);
  const objects = manifests.flatMap(({ text }) => objectsOf(text));
  const named = namedOf(objects);
  const nodes = nodesOf(world);
  const targets: Targets = { nodes, members: world.etcdMembers ?? 3, images: [...new Set(valuesOf(objects, "containers", "image"))], containers: [...new Set(valuesOf(objects, "containers", "name"))] };
  const namespaces = [...new Set(named.map(({ namespace }) => namespace))].filter((name) => name !== "default" && !name.startsWith("kube-"));
  const inputs: RunInput[] = namespaces.map((name) => ({ at: 0, type: "command", argv: ["create", "namespace", name], files: {} }));
  for (const [file, text] of files) inputs.push({ at: SECOND + draw(Math.min(horizon >> 1, 30 * SECOND)), type: "command", argv: ["apply", "-f", file], files: { [file]: text } });
  for (let i = 1 + draw(3); i > 0; i--) inputs.push(drawFault(targets, horizon, draw));
  for (let i = draw(5); i > 0; i--) {
    const command = drawCommand(files, named, nodes, 2 * SECOND + draw(horizon - 2 * SECOND), draw);
    if (command) inputs.push(command);
  }
  return { seed, manifests: manifests.map(({ name }) => name), until: horizon + QUIET, recipe: { world: world.id, seed: 1 + draw(1_000_000), profile: draw(2) === 0 ? "quiet" : "busy", inputs } };
}
