// Models kubernetes/staging/src/k8s.io/kubectl/pkg/cmd/debug/debug.go
import { findResource } from "../api/schema/resources.ts";
import type { KubeObject, Pod } from "../api/types.ts";
import { subjectOf } from "./builder.ts";
import { errorText } from "./errors.ts";
import { pathOf } from "./manifest.ts";
import { patch } from "./patching.ts";
import { command, type Process } from "./process.ts";

type Container = Readonly<Record<string, unknown>> & { readonly name: string };

/** Profile "general": a tracer may look into other processes. */
const CAPABILITIES = { capabilities: { add: ["SYS_PTRACE"] } };

function containerOf(p: Process, ephemeral: boolean): Container {
  const { dash } = p.options;
  const target = p.flag("target");
  return {
    name: p.flag("container"), image: p.flag("image"), ...(dash === undefined || dash.length === 0 ? {} : { command: dash }), resources: {}, terminationMessagePolicy: "File", securityContext: CAPABILITIES,
    ...(p.on("stdin") ? { stdin: true } : {}), ...(p.on("tty") ? { tty: true } : {}), ...(ephemeral && target !== "" ? { targetContainerName: target } : {}),
  };
}

/** --copy-to: the same Pod under another name, unscheduled and without probes, with one more container. */
function copyOf(p: Process, pod: Pod): KubeObject {
  const { nodeName: _n, ephemeralContainers: _e, ...spec } = pod.spec as Pod["spec"] & { readonly ephemeralContainers?: unknown };
  const containers = spec.containers.map(({ livenessProbe: _l, readinessProbe: _r, startupProbe: _s, ...container }) => container);
  const { annotations } = pod.metadata;
  return { kind: "Pod", apiVersion: "v1", metadata: { name: p.flag("copy-to"), namespace: p.namespace, ...(annotations === undefined ? {} : { annotations }) }, spec: { ...spec, ...(p.on("same-node") && pod.spec.nodeName !== undefined ? { nodeName: pod.spec.nodeName } : {}), containers: [...containers, containerOf(p, false)] }, status: {} };
}

/** kubectl debug POD --image=IMAGE -c NAME. Simplified: Pods only, nothing is attached to, and the container needs a name. */
export const debug = command(["debug"], (p) => {
  const [arg] = p.options.args;
  const pods = findResource("pods");
  if (arg === undefined || pods === undefined) return p.fail("error: NAME or TYPE/NAME is required for debug\nSee 'kubectl debug -h' for help and examples");
  if (p.flag("image") === "" && p.flag("copy-to") === "") return p.fail("error: you must specify --image, --copy-to or --set-image\nSee 'kubectl debug -h' for help and examples");
  if (p.flag("container") === "") return p.fail("error: debug without -c is not simulated");
  const name = arg.replace(/^(pods?|po)\//, "");
  const answer = p.ask({ method: "GET", path: pathOf(pods, p.namespace, name), subject: subjectOf(pods, p.namespace, name) });
  if (answer.status !== 200) return p.fail(errorText(answer, p.turn.config.server));
  const pod = answer.body as Pod;
  if (p.flag("copy-to") !== "") {
    p.must({ method: "POST", path: pathOf(pods, p.namespace), body: copyOf(p, pod), subject: subjectOf(pods, p.namespace, p.flag("copy-to")), level: "basic" });
    return;
  }
  const target = p.flag("target");
  if (target !== "") p.print(`Targeting container ${JSON.stringify(target)}. If you don't see processes from this container it may be because the container runtime doesn't support this feature.`);
  const container = containerOf(p, true);
  const before = ((pod.spec as { readonly ephemeralContainers?: readonly Container[] }).ephemeralContainers ?? []).filter((one) => one.name !== container.name);
  const order = [...before, container].map((one) => ({ name: one.name }));
  patch(p, { api: pods, namespace: p.namespace, name }, { body: { spec: { "$setElementOrder/ephemeralContainers": order, ephemeralContainers: [container] } }, subresource: "ephemeralcontainers" });
});
