import { stringify } from "yaml";
import type { KubeObject } from "../../../../sim/api/types.ts";
import type { RunInput } from "../../../../sim/scenarios/recipe.ts";
import { splitWords } from "../../../args.ts";

/** Something that was done to the recorded cluster, in the recorder's words. */
export interface RecordedAction {
  readonly atMs: number;
  readonly do: string;
}

const WORKLOADS = new Set(["Deployment", "StatefulSet", "ReplicaSet", "DaemonSet"]);

function command(at: number, argv: readonly string[], files: Readonly<Record<string, string>> = {}): RunInput {
  return { at, type: "command", argv, files };
}

function workload(manifests: readonly KubeObject[]): string {
  const found = manifests.find((object) => WORKLOADS.has(object.kind));
  return found ? `${found.kind.toLowerCase()}/${found.metadata.name}` : "deployment/none";
}

/** Every key of a ConfigMap that a manifest refers to, with a value. */
function configMap(name: string, manifests: readonly KubeObject[]): KubeObject {
  const data: Record<string, string> = { a: "1" };
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    const { key, name: of } = value as { key?: unknown; name?: unknown };
    if (typeof key === "string" && of === name) data[key] = "1";
    for (const inner of Object.values(value)) visit(inner);
  };
  visit(manifests);
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data } as KubeObject;
}

/** What a recorded action is in the simulation; undefined for what it cannot do. */
export function inputsOf(action: RecordedAction, manifests: readonly KubeObject[]): readonly RunInput[] | undefined {
  const at = action.atMs * 1_000;
  const apply = (object: KubeObject): RunInput => command(at, ["apply", "-f", "object.yaml"], { "object.yaml": stringify(object) });
  const text = action.do;
  let m: RegExpExecArray | null;
  if (text === "create the manifests") return [command(at, ["apply", "-f", "manifests.yaml"], { "manifests.yaml": manifests.map((object) => stringify(object)).join("---\n") })];
  if (/^(kubectl (get|describe|logs) |logs |GET )/.test(text)) return [];
  if ((m = /^DELETE (\w+)\/([\w-]+)$/.exec(text))) return [command(at, ["delete", m[1] as string, m[2] as string, "--wait=false"])];
  if ((m = /^create ConfigMap ([\w-]+)$/.exec(text))) return [apply(configMap(m[1] as string, manifests))];
  if ((m = /^update ConfigMap ([\w-]+) (\w+)=(\w+)$/.exec(text))) return [apply({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: m[1] as string }, data: { [m[2] as string]: m[3] as string } } as KubeObject)];
  if ((m = /^set image (\S+=\S+)$/.exec(text))) return [command(at, ["set", "image", workload(manifests), m[1] as string])];
  if ((m = /^scale to (\d+)$/.exec(text))) return [command(at, ["scale", workload(manifests), `--replicas=${m[1]}`])];
  if (text === "remove scheduling gate") return [command(at, ["patch", "pod", manifests.find((object) => object.kind === "Pod")?.metadata.name ?? "", "--type=merge", "-p", '{"spec":{"schedulingGates":null}}'])];
  if ((m = /^kubectl (delete|rollout|taint|drain|uncordon|cordon) (.*)$/.exec(text))) {
    const words = splitWords(m[2] as string).filter((word, i, all) => word !== "-n" && all[i - 1] !== "-n");
    return [command(at, [m[1] as string, ...words])];
  }
  return undefined;
}
