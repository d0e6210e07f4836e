// Models kubernetes/staging/src/k8s.io/kubectl/pkg/cmd/run/run.go (handleAttachPod, waitForPod, removeCreatedObjects)
import type { ApiResource } from "../api/schema/resources.ts";
import type { KubeObject, Pod } from "../api/types.ts";
import { attachTo } from "./attach.ts";
import { subjectOf } from "./builder.ts";
import { pathOf, typeName } from "./manifest.ts";
import type { Process } from "./process.ts";
import { watchOf } from "./wait.ts";

/** Something that this run has made. */
export interface Made {
  readonly api: ApiResource;
  readonly object: KubeObject;
}

/** The Pod once it has come to its end; with OnFailure only success is one. */
function ended(p: Process, { api, object }: Made, onlySuccess: boolean): Pod | undefined {
  watchOf(p, { api, namespace: p.namespace, name: object.metadata.name ?? "" });
  for (;;) {
    const event = p.next();
    if (event === "timeout" || event === "closed") return undefined;
    if (event === "tick" || event.type === "BOOKMARK") continue;
    if (event.type === "DELETED") return undefined;
    const pod = event.object as Pod;
    if (pod.status?.phase === "Succeeded" || (pod.status?.phase === "Failed" && !onlySuccess)) return pod;
  }
}

function remove(p: Process, made: readonly Made[]): void {
  for (const { api, object } of made) {
    const name = object.metadata.name ?? "";
    const subject = subjectOf(api, p.namespace, name);
    const answer = p.ask({ method: "DELETE", path: pathOf(api, p.namespace, name), body: { propagationPolicy: "Background" }, subject, level: "basic" });
    if (answer.status !== 200) continue;
    p.print(`${typeName(api)} ${JSON.stringify(name)} deleted from ${p.namespace} namespace`);
    const left = p.ask({ method: "GET", path: pathOf(api, p.namespace, name), subject });
    if (left.status !== 200) continue;
    const { resourceVersion = "" } = (left.body as KubeObject).metadata;
    p.watch({ method: "GET", path: pathOf(api, p.namespace), query: { fieldSelector: `metadata.name=${name}`, resourceVersion, watch: "true" }, subject: `watch ${subject}` });
    for (let gone = false; !gone; ) {
      const event = p.next();
      gone = event === "closed" || (typeof event === "object" && event.type === "DELETED");
    }
  }
}

/** run -i: shows what the Pod writes until it ends; then, with --rm, what was made is deleted, and the container's exit code is this program's. */
export function attachToMade(p: Process, pod: Made, made: readonly Made[]): void {
  const { name = "" } = pod.object.metadata;
  attachTo(p, pod.object as Pod, (pod.object as Pod).spec.containers[0]?.name ?? name, true);
  const policy = p.flag("restart", "Always");
  const waits = policy !== "Always" && !p.on("leave-stdin-open");
  const last = waits ? ended(p, pod, policy === "OnFailure") : undefined;
  if (p.on("rm")) remove(p, made);
  if (last?.status?.phase !== "Failed") return;
  const { exitCode = 0, reason = "", message = "" } = last.status.containerStatuses?.[0]?.state?.terminated ?? {};
  if (exitCode === 0) return p.fail(`error: pod ${p.namespace}/${name} failed with unknown exit code`);
  p.printError(`pod ${p.namespace}/${name} terminated (${reason})\n${message}`);
  p.exit(exitCode);
}
