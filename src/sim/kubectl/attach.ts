// Models kubernetes/staging/src/k8s.io/kubectl/pkg/cmd/attach/attach.go
import type { Pod } from "../api/types.ts";
import { chosenContainer, podOf, streamCall, streamError, type Streamed } from "./container-stream.ts";
import { errorText } from "./errors.ts";
import { command, type Process } from "./process.ts";

const RECORDED = "All commands and output from this session will be recorded in container logs, including credentials and sensitive information passed through the command prompt.\nIf you don't see a command prompt, try pressing enter.";

type Started = { readonly state?: { readonly running?: object; readonly terminated?: object; readonly waiting?: { readonly message?: string } } } | undefined;

function statusOf({ status = {} }: Pod, name: string): Started {
  const { initContainerStatuses = [], containerStatuses = [], ephemeralContainerStatuses = [] } = status as Record<"initContainerStatuses" | "containerStatuses" | "ephemeralContainerStatuses", readonly { readonly name: string }[] | undefined>;
  return [...initContainerStatuses, ...containerStatuses, ...ephemeralContainerStatuses].find((one) => one.name === name) as Started;
}

/** Shows what the container writes from now on, until it ends. */
function attach(p: Process, pod: Pod, container: string): void {
  if (p.on("tty") && !hasTty(pod, container) && !p.on("quiet")) p.printError(`error: Unable to use a TTY - container ${container} did not allocate one`);
  if (!p.on("quiet")) p.printError(RECORDED);
  p.follow(streamCall(p, pod, container, [], "attach"));
  for (;;) {
    const ended = p.ended();
    if (typeof ended === "string") continue;
    if (ended.refusal === undefined) return;
    const { error } = (ended.refusal.body ?? {}) as Streamed;
    return p.fail(error === undefined ? errorText(ended.refusal, p.turn.config.server) : streamError(ended.refusal.body as Streamed));
  }
}

function hasTty({ spec }: Pod, name: string): boolean {
  const { ephemeralContainers = [] } = spec as { readonly ephemeralContainers?: readonly { readonly name: string; readonly tty?: boolean }[] };
  return [...spec.containers, ...(spec.initContainers ?? []), ...ephemeralContainers].some((one) => one.name === name && (one as { readonly tty?: boolean }).tty === true);
}

/** Waits until a container runs (or has run), then attaches to it or reads what it wrote: what debug and run do with -i. `earlier`: run reads the log first. */
export function attachTo(p: Process, { metadata: { name = "", namespace = "" } }: Pod, container: string, earlier = false): void {
  const path = `/api/v1/namespaces/${namespace}/pods`;
  p.watch({ method: "GET", path, query: { fieldSelector: `metadata.name=${name}`, resourceVersion: "0", watch: "true" }, subject: `watch pod/${namespace}/${name}` });
  for (;;) {
    const event = p.next();
    if (event === "closed" || event === "timeout") return p.fail("error: timed out waiting for the condition");
    if (event === "tick" || event.type === "BOOKMARK") continue;
    if (event.type === "DELETED") return p.fail('Error from server (NotFound): pods "" not found');
    const { state } = statusOf(event.object as Pod, container) ?? {};
    const ended = state?.terminated !== undefined;
    if (ended || (state?.running !== undefined && earlier)) {
      const text = p.must({ method: "GET", path: `${path}/${name}/log`, query: { container }, accept: "application/json, */*", subject: `log of pod/${namespace}/${name}` });
      if (typeof text === "string" && text !== "") p.print(text);
    }
    if (ended) return;
    if (state?.running !== undefined) return attach(p, event.object as Pod, container);
    const { message = "" } = state?.waiting ?? {};
    if (message !== "" && !p.on("quiet")) p.printError(`Warning: container ${container}: ${message}`);
  }
}

/** kubectl attach POD. Simplified: a terminal in a container cannot be typed into; upstream sends every key. */
export const attachCommand = command(["attach"], (p) => {
  const { args } = p.options;
  if (args.length === 0) return p.fail("error: at least 1 argument is required for attach");
  if (args.length > 2) return p.fail(`error: expected POD, TYPE/NAME, or TYPE NAME, (at most 2 arguments) saw ${args.length}: [${args.join(" ")}]`);
  const pod = podOf(p, args.length === 2 ? args.join("/") : (args[0] ?? ""));
  const phase = pod.status?.phase;
  if (phase === "Succeeded" || phase === "Failed") return p.fail(`error: cannot attach a container in a completed pod; current phase is ${phase}`);
  attach(p, pod, chosenContainer(p, pod, p.options.container));
});
