// Models kubernetes/staging/src/k8s.io/kubectl/pkg/cmd/debug/debug.go
import { applyStrategicMergePatch } from "../api/patch.ts";
import { randomSuffix } from "../api/random-suffix.ts";
import { findResource } from "../api/schema/resources.ts";
import type { KubeObject, Pod } from "../api/types.ts";
import { attachTo } from "./attach.ts";
import { getInfo, subjectOf, typeOf } from "./builder.ts";
import { type Container, type DebugPod, applyProfile, isProfile, type Json, type Keep } from "./debug-profiles.ts";
import { pairsOf, validateDebug } from "./debug-validate.ts";
import { errorText } from "./errors.ts";
import { pathOf } from "./manifest.ts";
import { changes, patch } from "./patching.ts";
import { command, type Process } from "./process.ts";

const NAMES = { apiVersion: "v1", kind: "Pod" };
const suffix = (p: Process, purpose: string): string => randomSuffix((i) => p.turn.ctx.rand(`${p.turn.session.key}/${purpose}`, i));

const keepOf = (p: Process): Keep => ({ labels: p.on("keep-labels"), annotations: p.on("keep-annotations"), liveness: p.on("keep-liveness"), readiness: p.on("keep-readiness"), startup: p.on("keep-startup"), initContainers: p.flag("keep-init-containers", "true") !== "false" });

const profiled = (p: Process, pod: DebugPod, name: string, style: "ephemeral" | "copy" | "node"): DebugPod => applyProfile(p.flag("profile", "general"), pod, name, style, keepOf(p));

const envOf = (p: Process): readonly Json[] => Object.entries(pairsOf(p, "env")).map(([name, value]) => ({ name, value }));

function wordsOf(p: Process): Json {
  const { dash = [] } = p.options;
  return dash.length === 0 ? {} : p.on("arguments-only") ? { args: dash } : { command: dash };
}

/** The container that flags describe, before any profile. */
function describedContainer(p: Process, name: string): Container {
  const env = envOf(p);
  const policy = p.flag("image-pull-policy");
  return {
    name, image: p.flag("image"), ...wordsOf(p), ...(env.length === 0 ? {} : { env }), resources: {}, terminationMessagePolicy: "File",
    ...(policy === "" ? {} : { imagePullPolicy: policy }), ...(p.on("stdin") ? { stdin: true } : {}), ...(p.on("tty") ? { tty: true } : {}),
  };
}

/** --custom: a partial container that is laid over the one a profile made. */
function customized(p: Process, pod: DebugPod, name: string, list: "containers" | "ephemeralContainers", custom: Json | undefined): DebugPod {
  if (custom === undefined) return pod;
  const all = pod.spec[list] ?? [];
  const at = all.findIndex((one) => one.name === name);
  const wrapped = applyStrategicMergePatch({ ...NAMES, spec: { containers: [all[at]] } }, { spec: { containers: [{ ...custom, name }] } }, NAMES);
  if (typeof wrapped === "string") return p.fail(`error: error creating three way patch to add debug container: ${wrapped}`);
  const [made] = (wrapped as unknown as DebugPod).spec.containers;
  return made === undefined ? pod : { ...pod, spec: { ...pod.spec, [list]: all.map((one, i) => (i === at ? made : one)) } };
}

const everyName = ({ spec }: DebugPod): readonly string[] => [...spec.containers, ...(spec.initContainers ?? []), ...(spec.ephemeralContainers ?? [])].map(({ name }) => name);

/** -c, or a name that no container has. */
function nameFor(p: Process, pod: DebugPod): string {
  if (p.options.container !== "") return p.options.container;
  const taken = everyName(pod);
  let name = "";
  for (let n = 0; name === "" || taken.includes(name); n++) name = `debugger-${suffix(p, `debug/${pod.metadata.name ?? ""}/${n}`)}`;
  if (!p.on("quiet")) p.print(`Defaulting debug container name to ${name}.`);
  return name;
}

interface Security {
  readonly runAsUser?: number;
  readonly privileged?: boolean;
  readonly capabilities?: { readonly add?: readonly string[] };
}

/** What a profile grants may be lost on a user that is not root. */
function warnOfUser(p: Process, pod: DebugPod, container: Container | undefined): void {
  const user = ((pod.spec["securityContext"] ?? {}) as Security).runAsUser ?? 0;
  const own = container?.["securityContext"] as Security | undefined;
  if (user === 0 || own === undefined || own.runAsUser === 0 || (own.privileged !== true && (own.capabilities?.add ?? []).length === 0)) return;
  p.printError('Warning: Non-root user is configured for the entire target Pod, and some capabilities granted by debug profile may not work. Please consider using "--custom" with a custom profile that specifies "securityContext.runAsUser: 0".');
}

/** One more container in a Pod that runs. */
function joinPod(p: Process, pod: DebugPod, custom: Json | undefined): readonly [pod: KubeObject, container: string] {
  const pods = podResource(p);
  const name = nameFor(p, pod);
  const target = p.flag("target");
  const added = { ...describedContainer(p, name), ...(target === "" ? {} : { targetContainerName: target }) };
  const joined = profiled(p, { ...pod, spec: { ...pod.spec, ephemeralContainers: [...(pod.spec.ephemeralContainers ?? []), added] } }, name, "ephemeral");
  const copied = customized(p, joined, name, "ephemeralContainers", custom);
  warnOfUser(p, copied, copied.spec.ephemeralContainers?.at(-1));
  const stored = patch(p, { api: pods, namespace: pod.metadata.namespace ?? "", name: pod.metadata.name ?? "" }, { body: changes(pod, copied) ?? {}, subresource: "ephemeralcontainers" });
  return [stored ?? p.exit(1), name];
}

/** The Pod to create, and the container to attach to: "" when only images are changed. */
function copyOf(p: Process, pod: DebugPod, custom: Json | undefined): readonly [pod: DebugPod, container: string] {
  const { labels, annotations, namespace } = pod.metadata;
  const { ephemeralContainers: _, nodeName, ...spec } = pod.spec;
  const images = pairsOf(p, "set-image");
  const containers = pod.spec.containers.map((one) => ({ ...one, ...((images[one.name] ?? images["*"] ?? "") === "" ? {} : { image: images[one.name] ?? images["*"] }) }));
  const base = { ...NAMES, metadata: { name: p.flag("copy-to"), ...(namespace === undefined ? {} : { namespace }), ...(annotations === undefined ? {} : { annotations }), ...(labels === undefined ? {} : { labels }) }, spec: { ...spec, ...(p.given("share-processes") ? { shareProcessNamespace: p.on("share-processes") } : {}), ...(p.on("same-node") && nodeName !== undefined ? { nodeName } : {}), containers }, status: {} } as DebugPod;
  const wanted = p.options.container;
  const known = everyName(base).includes(wanted);
  if (!known && p.flag("image") === "") {
    if (Object.keys(images).length > 0) return [base, ""];
    return p.fail("error: you must specify image when creating new container");
  }
  const name = known ? wanted : nameFor(p, base);
  const change = (one: Container): Container => {
    const { args: _args, stdin: _stdin, tty: _tty, ...rest } = one as Container & { readonly args?: unknown; readonly stdin?: unknown; readonly tty?: unknown };
    const { name: _name, resources: _resources, terminationMessagePolicy: _policy, image, ...made } = describedContainer(p, name);
    const keepArgs = one["args"] !== undefined && made["command"] === undefined ? { args: one["args"] } : {};
    return { ...(rest as Container), ...keepArgs, ...made, ...(image === "" ? {} : { image }) };
  };
  const all = known ? base.spec.containers : [...base.spec.containers, { name, resources: {}, terminationMessagePolicy: "File" }];
  const put = { ...base, spec: { ...base.spec, containers: all.map((one) => (one.name === name ? change(one) : one)) } };
  return [customized(p, profiled(p, put, name, "copy"), name, "containers", custom), name];
}

/** A Pod like it, to be taken apart in its place. */
function debugCopy(p: Process, pod: DebugPod, custom: Json | undefined): readonly [pod: KubeObject, container: string] {
  const pods = podResource(p);
  const [copied, name] = copyOf(p, pod, custom);
  const namespace = pod.metadata.namespace ?? "";
  warnOfUser(p, copied, copied.spec.containers.find((one) => one.name === name));
  const created = p.must({ method: "POST", path: pathOf(pods, namespace), body: copied, subject: subjectOf(pods, namespace, p.flag("copy-to")), level: "basic" }) as KubeObject;
  if (p.on("replace")) p.must({ method: "DELETE", path: pathOf(pods, namespace, pod.metadata.name), body: { kind: "DeleteOptions", apiVersion: "v1", gracePeriodSeconds: 0 }, subject: subjectOf(pods, namespace, pod.metadata.name ?? ""), level: "basic" });
  return [created, name];
}

/** A Pod in the node's own namespaces, with its file system under /host. */
function debugNode(p: Process, node: KubeObject, custom: Json | undefined): readonly [pod: KubeObject, container: string] {
  const pods = podResource(p);
  const name = p.options.container || "debugger";
  const nodeName = node.metadata.name ?? "";
  const podName = `node-debugger-${nodeName}-${suffix(p, `debug/${nodeName}`)}`;
  if (!p.on("quiet")) p.print(`Creating debugging pod ${podName} with container ${name} on node ${nodeName}.`);
  const plain: DebugPod = { ...NAMES, metadata: { name: podName, labels: { "app.kubernetes.io/managed-by": "kubectl-debug" } }, spec: { containers: [describedContainer(p, name)], nodeName, restartPolicy: "Never", tolerations: [{ operator: "Exists" }] }, status: {} };
  const body = customized(p, profiled(p, plain, name, "node"), name, "containers", custom);
  return [p.must({ method: "POST", path: pathOf(pods, p.namespace), body, subject: subjectOf(pods, p.namespace, podName), level: "basic" }) as KubeObject, name];
}

const podResource = (p: Process): NonNullable<ReturnType<typeof findResource>> => findResource("pods") ?? p.fail("error: pods are not served");

/** kubectl debug (POD | TYPE/NAME) */
export const debug = command(["debug"], (p) => {
  if (!isProfile(p.flag("profile", "general"))) return p.fail(`error: unknown profile: ${p.flag("profile")}`);
  const custom = validateDebug(p);
  for (const arg of p.options.args) {
    const [type = "", name = ""] = arg.includes("/") ? arg.split("/") : ["pods", arg];
    const api = typeOf(type, p.types);
    if (api === undefined) return p.fail(`error: the server doesn't have a resource type ${JSON.stringify(type)}`);
    const namespace = api.namespaced ? p.namespace : "";
    const answer = getInfo(p, api, namespace, name);
    if (answer.status !== 200) return p.fail(errorText(answer, p.turn.config.server));
    const object = answer.body as DebugPod;
    if (object.kind !== "Pod" && object.kind !== "Node") return p.fail(`error: "${api.group}/${api.version}, Kind=${api.kind}" not supported by debug`);
    const [pod, container] = object.kind === "Node" ? debugNode(p, object, custom) : p.flag("copy-to") === "" ? joinPod(p, object, custom) : debugCopy(p, object, custom);
    const attach = p.given("attach") ? p.on("attach") : p.on("stdin");
    if (attach && container !== "") attachTo(p, pod as Pod, container);
  }
});
