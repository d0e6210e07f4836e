import type { ContainerdState } from "../../../sim/cri/state.ts";
import { broken, type Invariant } from "./invariant.ts";
import { instants } from "./instants.ts";

/** What of the runtime's books is wrong. */
function wrong(state: ContainerdState): readonly (readonly [string, string])[] {
  const found: (readonly [string, string])[] = [];
  const removing = new Set(state.operations.map(({ id }) => id));
  for (const { pod, status } of state.containers.sortedValues()) {
    const subject = `pod/${pod.namespace}/${pod.name}`;
    const sandbox = state.sandboxes.get(status.sandboxId);
    if (sandbox === undefined) found.push([subject, `container ${status.name} (${status.id}) is ${status.state} without its sandbox ${status.sandboxId}`]);
    else if (status.state === "running" && sandbox.status.state !== "READY" && !removing.has(status.sandboxId)) found.push([subject, `container ${status.name} runs in the sandbox ${status.sandboxId}, which is ${sandbox.status.state}`]);
    else if (sandbox.pod.uid !== pod.uid) found.push([subject, `container ${status.name} is in the sandbox of pod/${sandbox.pod.namespace}/${sandbox.pod.name}`]);
  }
  for (const pod of state.pods.sortedValues()) {
    for (const container of pod.containers) if (!state.containers.has(container.id)) found.push([`pod/${pod.namespace}/${pod.name}`, `the list names container ${container.name} (${container.id}), which is not there`]);
    for (const sandbox of pod.sandboxes) if (!state.sandboxes.has(sandbox.id)) found.push([`pod/${pod.namespace}/${pod.name}`, `the list names sandbox ${sandbox.id}, which is not there`]);
    const ready = pod.sandboxes.filter(({ state: is }) => is === "READY");
    if (ready.length > 1) found.push([`pod/${pod.namespace}/${pod.name}`, `has ${ready.length} ready sandboxes`]);
    const running = pod.containers.filter(({ state: is }) => is === "running").map(({ name }) => name);
    if (new Set(running).size !== running.length) found.push([`pod/${pod.namespace}/${pod.name}`, `runs a container twice: ${running.join(", ")}`]);
  }
  return found;
}

/** No container without its sandbox, on any node at any time. */
export const sandboxes: Invariant = {
  id: "sandboxes",
  says: "no container without its sandbox",
  check(run) {
    const said = new Set<string>();
    return instants(run).flatMap(({ at, node, stateOf }) => {
      const state = stateOf<ContainerdState>("containerd");
      return (state === undefined ? [] : wrong(state)).flatMap(([subject, what]) => {
        if (said.has(`${subject} ${what}`)) return [];
        said.add(`${subject} ${what}`);
        return [broken(at, subject, `${what} (${node})`)];
      });
    });
  },
};
