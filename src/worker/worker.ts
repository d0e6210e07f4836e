import { simulation } from "./simulation-backend.ts";
import { Host } from "./host.ts";
import type { FromWorker, ToWorker } from "./protocol.ts";

declare const self: DedicatedWorkerGlobalScope;

// A message to oneself comes after the page's pending ones and, unlike setTimeout(0), without a 4 ms pause.
const { port1, port2 } = new MessageChannel();
let deferred: (() => void) | undefined;
port1.onmessage = () => {
  const callback = deferred;
  deferred = undefined;
  callback?.();
};

const host = new Host(simulation, {
  post: (message: FromWorker, transfer: Transferable[] = []) => self.postMessage(message, transfer),
  clock: () => performance.now(),
  defer: (callback) => {
    deferred = callback;
    port2.postMessage(0);
  },
});

self.onmessage = (event: MessageEvent<ToWorker>) => host.receive(event.data);
