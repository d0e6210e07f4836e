import type { World, WorldNode } from "../api/world.ts";
import type { Ctx, Level, MailId, Micros } from "../kernel/types.ts";
import type { CriCall, CriDirty, CriResponse, RuntimeContainerStatus, RuntimePod, SandboxStatus } from "./messages.ts";
import type { ContainerdState, ContainerRecord, Operation, Sandbox } from "./state.ts";

/** One handling of one message: the state on its way from before to after. */
export class Turn {
  state: ContainerdState;
  readonly ctx: Ctx;
  readonly world: World;
  readonly node: WorldNode;

  constructor(state: ContainerdState, ctx: Ctx, world: World, node: WorldNode) {
    this.state = state;
    this.ctx = ctx;
    this.world = world;
    this.node = node;
  }

  /** Opens an operation for the request being handled. */
  begin(cri: CriCall, step: string, id: string): Operation {
    const operation: Operation = { request: this.ctx.mail, from: this.ctx.from, cri, step, waits: -1, timer: -1, id };
    this.state = { ...this.state, operations: [...this.state.operations, operation] };
    return operation;
  }

  operation(request: MailId): Operation | undefined {
    return this.state.operations.find((operation) => operation.request === request);
  }

  waiting(mail: MailId): Operation | undefined {
    return this.state.operations.find((operation) => operation.waits === mail);
  }

  update(request: MailId, change: Partial<Operation>): void {
    this.state = { ...this.state, operations: this.state.operations.map((operation) => (operation.request === request ? { ...operation, ...change } : operation)) };
  }

  /** Runs the named step of an operation (of the request being handled, unless named) after a drawn time. */
  later(segment: string, key: string, next: string, request: MailId = this.ctx.mail): void {
    this.after(this.ctx.latency(segment, key), next, request);
  }

  after(delay: Micros, next: string, request: MailId): void {
    const timer = this.ctx.after(delay, { type: "containerd.step", request, next });
    this.update(request, { timer });
  }

  /** Answers the request being handled. */
  reply(answer: Omit<CriResponse, "type" | "request">, latency: Micros, level: Level = "operator"): void {
    this.send(this.ctx.mail, this.ctx.from, answer, latency, "answer", level);
  }

  /** Closes an operation with its answer. */
  finish(operation: Operation, answer: Omit<CriResponse, "type" | "request">, extra: Micros = 0): void {
    this.state = { ...this.state, operations: this.state.operations.filter((other) => other.request !== operation.request) };
    this.ctx.cancel(operation.timer);
    if (operation.watch !== undefined) this.ctx.cancel(operation.watch);
    this.send(operation.request, operation.from, answer, extra + this.ctx.latency("link.unix", `${operation.request}`), operation.cri.call, "operator");
  }

  private send(request: MailId, to: string, answer: Omit<CriResponse, "type" | "request">, latency: Micros, verb: string, level: Level): void {
    this.ctx.send(to, { type: "cri.response", request, ...answer } satisfies CriResponse, { protocol: "gRPC", latency, verb, status: answer.error === undefined ? 0 : 2, level });
  }

  sandbox(id: string, sandbox: Sandbox): void {
    this.state = { ...this.state, sandboxes: this.state.sandboxes.set(id, sandbox) };
    this.pod(sandbox.pod.uid, sandbox.pod, (pod) => ({ ...pod, sandboxes: put(pod.sandboxes, sandbox.status) }));
  }

  container(id: string, record: ContainerRecord): void {
    this.state = { ...this.state, containers: this.state.containers.set(id, record) };
    this.pod(record.pod.uid, record.pod, (pod) => ({ ...pod, containers: put(pod.containers, record.status) }));
  }

  pod(uid: string, meta: { readonly namespace: string; readonly name: string }, change: (pod: RuntimePod) => RuntimePod): void {
    const pod = change(this.state.pods.get(uid) ?? { uid, namespace: meta.namespace, name: meta.name, sandboxes: [], containers: [] });
    this.state = { ...this.state, pods: pod.sandboxes.length === 0 && pod.containers.length === 0 ? this.state.pods.delete(uid) : this.state.pods.set(uid, pod) };
  }

  /** Tells the kubelet that its next list will differ. */
  dirty(): void {
    this.ctx.send(`kubelet@${this.node.name}`, { type: "cri.dirty" } satisfies CriDirty, { protocol: "local", latency: 0, verb: "changed", level: "source" });
  }
}

/** Replaces by id, or puts first: lists are newest first. */
function put<T extends SandboxStatus | RuntimeContainerStatus>(list: readonly T[], item: T): readonly T[] {
  const at = list.findIndex((other) => other.id === item.id);
  return at < 0 ? [item, ...list] : list.with(at, item);
}

export const podSubject = (pod: { readonly namespace: string; readonly name: string }): string => `pod/${pod.namespace}/${pod.name}`;
