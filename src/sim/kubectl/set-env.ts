// Models kubernetes/staging/src/k8s.io/kubectl/pkg/cmd/set/set_env.go
import type { Container, KubeObject } from "../api/types.ts";
import { infosOf } from "./builder.ts";
import { typeName } from "./manifest.ts";
import type { Process } from "./process.ts";
import { changeAll, isSetting } from "./set-change.ts";
import { templateOf, withPodSpec } from "./template.ts";

type Variable = NonNullable<Container["env"]>[number];

/** --from: one variable for each key of a ConfigMap or Secret. */
function imported(p: Process): readonly Variable[] {
  const from = p.flag("from");
  if (from === "") return [];
  const keys = p.flags("keys");
  const [info] = infosOf(p, { args: [from] });
  if (info === undefined) return p.exit(1);
  const source = info.api.resource === "configmaps" ? "configMapKeyRef" : info.api.resource === "secrets" ? "secretKeyRef" : p.fail(`error: unsupported resource specified in --from`);
  const data = Object.keys((info.object as unknown as { readonly data?: object }).data ?? {}).sort();
  const name = (key: string): string => `${p.flag("prefix")}${key.toUpperCase().replaceAll(/[^A-Z0-9_]/g, "_")}`;
  return data.filter((key) => keys.length === 0 || keys.includes(key)).map((key) => ({ name: name(key), valueFrom: { [source]: { name: info.name, key } } }) as Variable);
}

const shown = (variable: Variable): string => {
  const { configMapKeyRef, secretKeyRef, fieldRef, resourceFieldRef } = variable.valueFrom ?? {};
  if (configMapKeyRef) return `# ${variable.name} from configmap ${configMapKeyRef.name ?? ""}, key ${configMapKeyRef.key}`;
  if (secretKeyRef) return `# ${variable.name} from secret ${secretKeyRef.name ?? ""}, key ${secretKeyRef.key}`;
  if (fieldRef) return `# ${variable.name} from field path ${fieldRef.fieldPath}`;
  if (resourceFieldRef) return `# ${variable.name} from resource ${resourceFieldRef.resource}`;
  return `${variable.name}=${variable.value ?? ""}`;
};

function listEnv(p: Process, resources: readonly string[], matches: (name: string) => boolean): void {
  for (const { api, name, object } of infosOf(p, { args: resources, latest: true })) {
    for (const container of templateOf(object)?.spec.containers ?? []) {
      if (matches(container.name)) p.print([`# ${typeName(api) === "pod" ? "Pod" : object.kind} ${name}, container ${container.name}`, ...(container.env ?? []).map(shown)].join("\n"));
    }
  }
}

/** kubectl set env TYPE/NAME KEY=VALUE KEY- */
export function setEnv(p: Process): void {
  const words = [...p.options.args.slice(1), ...(p.options.flags["env"] ?? [])];
  const resources = words.filter((word) => !isSetting(word));
  const wanted = p.flag("containers", p.flag("container", "*"));
  const matches = (name: string): boolean => new RegExp(`^${wanted.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*")}$`).test(name);
  if (p.on("list")) return listEnv(p, resources, matches);
  const settings = words.filter(isSetting);
  const set = settings.filter((word) => word.includes("=")).map((word): Variable => ({ name: word.slice(0, word.indexOf("=")), value: word.slice(word.indexOf("=") + 1) }));
  const remove = settings.filter((word) => !word.includes("=")).map((word) => word.slice(0, -1));
  const added = [...imported(p), ...set];
  if (added.length === 0 && remove.length === 0) return p.fail("error: at least one environment variable must be provided");
  changeAll(p, resources, (object: KubeObject) => {
    const spec = templateOf(object)?.spec;
    if (spec === undefined) return { error: `error: ${object.kind} ${object.metadata.name ?? ""} is not a pod or does not have a pod template` };
    if (!spec.containers.some(({ name }) => matches(name))) return { error: `error: ${object.kind} ${object.metadata.name ?? ""} does not have any containers matching ${JSON.stringify(wanted)}` };
    return withPodSpec(object, (old) => ({ ...old, containers: old.containers.map((container) => (matches(container.name) ? updated(container, added, remove) : container)) }));
  }, "env updated");
}

function updated(container: Container, added: readonly Variable[], remove: readonly string[]): Container {
  const env = [...(container.env ?? [])].map((variable) => added.findLast(({ name }) => name === variable.name) ?? variable);
  for (const variable of added) if (!env.some(({ name }) => name === variable.name)) env.push(variable);
  const kept = env.filter(({ name }) => !remove.includes(name));
  const { env: _, ...rest } = container;
  return kept.length === 0 ? rest : { ...rest, env: kept };
}
