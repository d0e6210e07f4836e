import { expect, test } from "vitest";
import type { Message } from "../kernel/types.ts";
import { fakeCtx } from "../testdata/fake-ctx.ts";
import { parseFlags } from "./flags.ts";
import type { Session, Turn } from "./session.ts";
import { top } from "./top.ts";

const config = { cluster: "c", server: "s:1", context: "x", user: "u", namespace: "default", client: { userAgent: "", credential: { kind: "none", name: "" } } } as const;
const pod = (name: string, namespace: string, ...containers: readonly (readonly [string, string, string])[]): object => ({ metadata: { name, namespace }, containers: containers.map(([container, cpu, memory]) => ({ name: container, usage: { cpu, memory } })) });
const node = (name: string, cpu: string, memory: string): object => ({ metadata: { name }, usage: { cpu, memory } });
const GROUPS = { items: [{ metadata: { name: "metrics.k8s.io" } }] };
const PODS = { items: [pod("web", "shop", ["a", "250m", "64Mi"], ["b", "1500000n", "1Gi"]), pod("db", "shop", ["db", "1", "10Mi"])] };
const NODES = { items: [{ metadata: { name: "n1" }, status: { allocatable: { cpu: "4", memory: "8Gi" }, capacity: { cpu: "8", memory: "8Gi" } } }, { metadata: { name: "n2" }, status: { allocatable: { cpu: "4", memory: "8Gi" } } }] };
const BODIES: Readonly<Record<string, unknown>> = { "/api": {}, "/apis": GROUPS, "/apis/metrics.k8s.io/v1beta1/namespaces/default/pods": PODS, "/apis/metrics.k8s.io/v1beta1/pods": PODS, "/apis/metrics.k8s.io/v1beta1/nodes": { items: [node("n1", "1500m", "2Gi")] }, "/api/v1/nodes": NODES };

/** What a command line prints when the server answers with these documents. */
function typed(line: string, bodies = BODIES): string {
  const argv = line.split(" ");
  const ctx = fakeCtx();
  const session: Session = { key: "s1", run: { type: "kubectl.run", argv, files: {}, session: 1 }, startedAt: 0, options: parseFlags(argv), data: undefined, errors: [], waiting: [], streams: [], sinks: {}, done: false, discovered: [], schemas: {}, fresh: true };
  const turn: Turn = { ctx, config, session };
  top.start(turn);
  for (let answered = 0; answered < ctx.sent.length; answered++) {
    const request = ctx.sent[answered]?.message as (Message & { readonly path: string }) | undefined;
    top.onAnswer?.(turn, "ask", { status: 200, body: bodies[request?.path ?? ""] ?? {}, warnings: [] });
  }
  return ctx.notes.map((note) => note.log?.line ?? "").join("");
}

test.each([
  ["top pods", "NAME   CPU(cores)   MEMORY(bytes)   \ndb     1000m        10Mi            \nweb    252m         1088Mi          \n"],
  ["top pods -A --sort-by=memory --no-headers", "shop   web   252m    1088Mi   \nshop   db    1000m   10Mi     \n"],
  ["top pods --containers", "POD   NAME   CPU(cores)   MEMORY(bytes)   \ndb    db     1000m        10Mi            \nweb   a      250m         64Mi            \nweb   b      2m           1024Mi          \n"],
  ["top pods --sum", "NAME   CPU(cores)   MEMORY(bytes)   \ndb     1000m        10Mi            \nweb    252m         1088Mi          \n       ________     ________        \n       1252m        1098Mi          \n"],
  ["top nodes", "NAME   CPU(cores)   CPU(%)      MEMORY(bytes)   MEMORY(%)   \nn1     1500m        37%         2048Mi          25%         \nn2     <unknown>    <unknown>   <unknown>       <unknown>   \n"],
  ["top nodes --show-capacity --no-headers", "n1   1500m       18%         2048Mi      25%         \nn2   <unknown>   <unknown>   <unknown>   <unknown>   \n"],
  ["top pods --sort-by=name", "error: --sort-by accepts only cpu or memory\n"],
  ["top pods web -l a=b", "error: only one of NAME or selector can be provided\n"],
  ["top nodes n1 -l a=b", "error: only one of NAME or --selector can be provided\n"],
])("%s", (line, text) => expect(typed(line)).toBe(text));

test("nothing is there without the metrics API, or before its first scrape", () => {
  expect(typed("top pods", { ...BODIES, "/apis": { items: [] } })).toBe("error: Metrics API not available\n");
  expect(typed("top nodes", { ...BODIES, "/apis/metrics.k8s.io/v1beta1/nodes": { items: [] } })).toBe("error: metrics not available yet\n");
});
