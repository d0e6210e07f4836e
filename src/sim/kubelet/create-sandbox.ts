// Models kubernetes/pkg/kubelet/kuberuntime/kuberuntime_sandbox.go, pkg/kubelet/runtimeclass
import type { HttpResponse } from "../api/http.ts";
import type { KubeObject } from "../api/types.ts";
import type { CriResponse } from "../cri/messages.ts";
import type { Message } from "../kernel/types.ts";
import { getObject, isFresh, knownObject, rememberObject } from "./objects.ts";
import { kernelHostname, sandboxConfig } from "./sandbox-config.ts";
import type { StepResult } from "./step.ts";
import { RUNTIME_DOWN, type Turn } from "./turn.ts";

const STOP: StepResult = { error: "", cancelled: true };

const classOf = (turn: Turn, uid: string): string => {
  const name = turn.worker(uid)?.run?.pod.spec.runtimeClassName ?? "";
  return name === "" ? "" : `runtimeclass//${name}`;
};

/** Only a Pod that names a RuntimeClass asks for one. Simplified: upstream has them from an informer. */
export function lookupRuntimeHandler(turn: Turn, uid: string): StepResult {
  const run = turn.worker(uid)?.run;
  if (!run?.actions) return STOP;
  const object = classOf(turn, uid);
  if (!run.actions.createSandbox || object === "" || isFresh(turn, object)) return "next";
  getObject(turn, object, { for: "object", uid, n: run.n, object });
  return "wait";
}

export function runtimeClassRead(turn: Turn, _uid: string, message: Message): StepResult {
  const { object, answer } = message as unknown as { object: string; answer: Message };
  if (answer.type === "http.response") rememberObject(turn, object, answer as HttpResponse);
  return "next";
}

export function createSandbox(turn: Turn, uid: string): StepResult {
  const run = turn.worker(uid)?.run;
  if (!run?.actions) return STOP;
  if (!run.actions.createSandbox) return "next";
  turn.later(uid, "kubelet.volumes-mounted", `${uid}/${run.n}`);
  return "wait";
}

function failed(turn: Turn, uid: string, error: string): StepResult {
  const worker = turn.worker(uid);
  if (!worker?.run || worker.phase !== "syncing") return STOP;
  turn.event(worker.run.pod, "Warning", "FailedCreatePodSandBox", `Failed to create pod sandbox: ${error}`);
  return { error: `failed to "CreatePodSandbox": ${error}` };
}

export function sandboxAnswered(turn: Turn, uid: string, message: Message): StepResult {
  const worker = turn.worker(uid);
  const run = worker?.run;
  if (!run?.actions || !worker) return STOP;
  if (message.type === "kubelet.step") return ask(turn, uid);
  const error = message.type === "net.error" ? RUNTIME_DOWN() : (message as CriResponse).error;
  if (error !== undefined) return failed(turn, uid, error);
  const response = message as CriResponse;
  turn.run(uid, { results: [...run.results, { action: "CreatePodSandbox", target: run.pod.metadata.name ?? "" }] });
  const podIP = response.sandbox?.ip === "" || response.sandbox === undefined ? turn.config.node.address : response.sandbox.ip;
  turn.run(uid, { sandboxId: response.id ?? "", podIP });
  turn.ctx.after(turn.ctx.latency("kubelet.sandbox-ready", uid), { type: "kubelet.sandboxReady", uid } as Message);
  return "next";
}

function ask(turn: Turn, uid: string): StepResult {
  const worker = turn.worker(uid);
  const run = worker?.run;
  if (!worker || !run?.actions) return STOP;
  const hostname = kernelHostname(run.pod, turn.config);
  if ("error" in hostname) return failed(turn, uid, hostname.error);
  const object = classOf(turn, uid);
  const known = object === "" ? undefined : (knownObject(turn, object) as (KubeObject & { readonly handler?: string }) | undefined);
  if (object !== "" && known === undefined) return failed(turn, uid, `runtimeclass.node.k8s.io "${run.pod.spec.runtimeClassName ?? ""}" not found`);
  turn.explain(`The kubelet asks containerd for a sandbox for ${run.pod.metadata.name ?? ""}`, run.pod, { level: "basic", status: `creating sandbox for ${worker.key}` });
  const config = sandboxConfig(run.pod, run.actions.attempt, turn.config, hostname.name);
  turn.cri({ call: "RunPodSandbox", config, ...(known?.handler === undefined ? {} : { runtimeHandler: known.handler }) }, { for: "run", uid, n: run.n }, `pod/${worker.key}`, "basic");
  return "wait";
}
