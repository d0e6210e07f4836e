// Models kubernetes/staging/src/k8s.io/kubectl/pkg/cmd/run/run.go
import { parseImageName } from "../api/image-name.ts";
import { parseJson } from "../api/json.ts";
import { applyStrategicMergePatch } from "../api/patch.ts";
import { findResource } from "../api/schema/resources.ts";
import type { KubeObject } from "../api/types.ts";
import { pathOf } from "./manifest.ts";
import { dryRunQuery, reporter } from "./patching.ts";
import { command, type Process } from "./process.ts";
import { attachToMade, type Made } from "./run-attach.ts";
import { resourceList } from "./set.ts";

const USAGE = "\nSee 'kubectl run -h' for help and examples";
const POLICIES = ["Always", "OnFailure", "Never"];

function environment(p: Process): readonly object[] {
  return (p.options.flags["env"] ?? []).map((text) => {
    const at = text.indexOf("=");
    return at <= 0 ? p.fail(`error: invalid env: ${text}`) : { name: text.slice(0, at), value: text.slice(at + 1) };
  });
}

function podOf(p: Process, name: string): KubeObject {
  const { options } = p;
  const labels = p.given("labels") ? Object.fromEntries(p.flags("labels").map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)])) : { run: name };
  const words = [...options.args.slice(1), ...(options.dash ?? [])];
  const port = p.flag("port");
  const annotations = Object.fromEntries((p.options.flags["annotations"] ?? []).map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]));
  const env = environment(p);
  const container = {
    name, image: p.flag("image"), ...(words.length === 0 ? {} : p.on("command") ? { command: words } : { args: words }), ...(port === "" ? {} : { ports: [{ containerPort: Number(port) }] }),
    ...(env.length === 0 ? {} : { env }), resources: {}, ...(p.given("image-pull-policy") ? { imagePullPolicy: p.flag("image-pull-policy") } : {}), ...(p.on("stdin") ? { stdin: true, stdinOnce: true } : {}), ...(p.on("tty") ? { tty: true } : {}), ...(p.on("privileged") ? { securityContext: { privileged: true } } : {}),
  };
  const restartPolicy = p.flag("restart", "Always");
  const pod: KubeObject = { kind: "Pod", apiVersion: "v1", metadata: { name, labels, ...(Object.keys(annotations).length > 0 ? { annotations } : {}) }, spec: { containers: [container], restartPolicy, dnsPolicy: "ClusterFirst" }, status: {} };
  return overridden(p, pod);
}

function overridden(p: Process, pod: KubeObject): KubeObject {
  const text = p.flag("overrides");
  if (text === "") return pod;
  const read = parseJson(text);
  const strategic = p.flag("override-type") === "strategic";
  if (typeof read?.value !== "object" || read.value === null) return p.fail(strategic ? "error: invalid JSON document" : "error: Invalid JSON Patch");
  if (strategic) {
    const merged = applyStrategicMergePatch(pod, read.value, pod);
    return typeof merged === "string" ? p.fail(`error: ${merged}`) : (merged as unknown as KubeObject);
  }
  return mergeJson(pod, read.value) as KubeObject;
}

function mergeJson(a: unknown, b: unknown): unknown {
  if (typeof a !== "object" || a === null || typeof b !== "object" || b === null || Array.isArray(a) || Array.isArray(b)) return b;
  const out: Record<string, unknown> = { ...a };
  for (const [key, value] of Object.entries(b)) out[key] = mergeJson(out[key], value);
  return out;
}

/** The Service of --expose. */
function serviceOf(p: Process, name: string, pod: KubeObject): KubeObject {
  const port = Number(p.flag("port"));
  return { kind: "Service", apiVersion: "v1", metadata: { name }, spec: { ports: [{ protocol: "TCP", port, targetPort: port }], selector: pod.metadata.labels ?? {} }, status: { loadBalancer: {} } };
}

function create(p: Process, plural: string, object: KubeObject): KubeObject {
  const api = findResource(plural);
  if (api === undefined) return object;
  const stored = p.must({ method: "POST", path: pathOf(api, p.namespace), query: { ...dryRunQuery(p), fieldManager: p.flag("field-manager", "kubectl-run") }, body: { ...object, metadata: { ...object.metadata, namespace: p.namespace } }, subject: `${api.singular}/${p.namespace}/${object.metadata.name ?? ""}`, level: "basic" });
  return stored as KubeObject;
}

/** kubectl run NAME --image=IMAGE */
export const run = command(["run"], (p) => {
  const [name] = p.options.args;
  if (name === undefined) return p.fail(`error: NAME is required for run${USAGE}`);
  if (!p.given("image")) return p.fail("error: required flag(s) \"image\" not set");
  const image = p.flag("image");
  if (image === "") return p.fail("error: --image is required");
  if (parseImageName(image) === undefined) return p.fail(`error: Invalid image name ${JSON.stringify(image)}: invalid reference format`);
  if (p.on("tty") && !p.on("stdin")) return p.fail(`error: -i/--stdin is required for containers with -t/--tty=true${USAGE}`);
  if (p.on("expose") && p.flag("port") === "") return p.fail(`error: --port must be set when exposing a service${USAGE}`);
  const restart = p.flag("restart", "Always");
  if (!POLICIES.includes(restart)) return p.fail(`error: invalid restart policy: ${restart}${USAGE}`);
  if (p.on("rm") && !p.on("attach") && !p.on("stdin")) return p.fail(`error: --rm should only be used for attached containers${USAGE}`);
  const limits = resourceList(p.flag("limits"));
  if ("error" in limits && limits["error"] !== undefined) return p.fail(limits["error"]);
  const report = reporter(p, true);
  const client = p.options.dryRun === "client";
  const pod = podOf(p, name);
  const [pods, services] = [findResource("pods"), findResource("services")];
  if (pods === undefined || services === undefined) return;
  p.say(`makes a Pod of the command line: ${image}`, "no file and no controller: when it is gone it stays gone", "basic", { body: pod });
  const stored = client ? pod : create(p, "pods", pod);
  const made: Made[] = [{ api: pods, object: stored }];
  if (p.on("expose")) {
    const service = serviceOf(p, name, pod);
    const exposed = client ? service : create(p, "services", service);
    report({ api: services, name }, exposed, "created");
    made.push({ api: services, object: exposed });
  }
  if (!client && (p.given("attach") ? p.on("attach") : p.on("stdin"))) return attachToMade(p, { api: pods, object: stored }, made);
  report({ api: pods, name: stored.metadata.name ?? name }, stored, "created");
});
