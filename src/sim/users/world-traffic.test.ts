import { expect, test } from "vitest";
import { SECOND } from "../api/time.ts";
import { createCluster } from "../cluster.ts";
import type { CoreDNSState } from "../coredns/coredns.ts";
import type { IngressNginxState } from "../ingress-nginx/ingress-nginx.ts";
import { Simulation } from "../kernel/simulation.ts";
import type { ProcessState } from "../process/turn.ts";
import type { RunInput } from "../scenarios/recipe.ts";
import { applyText } from "../scenarios/scenario.ts";
import { typed } from "../scenarios/sample.ts";
import type { UsersState } from "./users.ts";

function play(text: string, until: number, after: readonly RunInput[] = [], world = "three-nodes") {
  const cluster = createCluster({ world, seed: 1, profile: "quiet", inputs: [applyText("a.yaml", text, 0), ...after] });
  const sim = Simulation.create(cluster.config, cluster.inputs);
  sim.run(until * SECOND);
  const logOf = (pod: string): readonly string[] => cluster.world.nodes.flatMap(({ name }) => (sim.stateAt(`process@${name}`, sim.now) as ProcessState).containers.sortedValues().filter(({ spec }) => spec.podName === pod).flatMap(({ log }) => log));
  return { sim, logOf, users: () => sim.stateAt("users", sim.now) as UsersState, state: <T>(id: string) => sim.stateAt(id, sim.now) as T };
}

const client = (script: string, spec = ""): string => `apiVersion: v1\nkind: Pod\nmetadata: {name: c}\nspec:\n  containers: [{name: c, image: "busybox:1.36", command: [sh, -c, ${JSON.stringify(script)}]}]\n${spec}`;

test("net-dns-ndots: a name outside is asked with every search domain first, for A and AAAA; ndots and a trailing dot save the questions", () => {
  const asked = (script: string, spec = ""): readonly string[] => play(client(`${script}; sleep 100`, spec), 12).state<CoreDNSState>("coredns").log.filter(({ question }) => question.includes("example")).map(({ question, rcode }) => `${question} ${rcode}`);
  const search = ["default.svc.cluster.local", "svc.cluster.local", "cluster.local"].flatMap((domain) => ["A", "AAAA"].map((type) => `${type} api.example.com.${domain} NXDOMAIN`));
  const own = ["A api.example.com NOERROR", "AAAA api.example.com NODATA"];
  expect([...asked("wget -qO- http://api.example.com/")].sort()).toEqual([...search, ...own].sort());
  expect(asked("wget -qO- http://api.example.com./").length).toBe(2);
  expect(asked("wget -qO- http://api.example.com/", '  dnsConfig: {options: [{name: ndots, value: "2"}]}\n').length).toBe(2);
  // dnsPolicy Default asks the node's server, and CoreDNS hears nothing.
  expect(asked("wget -qO- http://api.example.com/", "  dnsPolicy: Default\n")).toEqual([]);
});

test("without CoreDNS: refused at once when it has no Pods, 5 s twice when it is silent", () => {
  const script = "sleep 6; date +%s; wget -qO- http://web; date +%s; sleep 100";
  const spent = (log: readonly string[]): number => Number(log.at(-1)) - Number(log[0]);
  const gone = play(client(script), 30, [typed(1, "-n kube-system scale deployment coredns --replicas=0")]).logOf("c");
  expect(gone[1]).toBe("wget: bad address 'web'");
  expect(spent(gone)).toBeLessThan(2);
  const silent = play(client(script), 30, [{ at: SECOND, type: "fault", id: "dns.down", params: {} }]).logOf("c");
  expect(silent[1]).toBe("wget: bad address 'web'");
  expect(spent(silent)).toBe(10);
});

test("SRV, PTR, headless hosts and external names", () => {
  const text = `${client("sleep 8; dig +short SRV _http._tcp.db.default.svc.cluster.local; dig +short db-0.db.default.svc.cluster.local; nslookup 10.96.0.1; dig +short ext.default.svc.cluster.local; sleep 100").replace("busybox:1.36", "debian")}---
apiVersion: v1
kind: Pod
metadata: {name: db-0, labels: {app: db}}
spec: {hostname: db-0, subdomain: db, containers: [{name: c, image: "nginx:1.27", ports: [{containerPort: 80, name: http}]}]}
---
apiVersion: v1
kind: Service
metadata: {name: db}
spec: {clusterIP: None, selector: {app: db}, ports: [{name: http, port: 80}]}
---
apiVersion: v1
kind: Service
metadata: {name: ext}
spec: {type: ExternalName, externalName: www.example.org}
`;
  const log = play(text, 20).logOf("c");
  expect(log[0]).toBe("0 100 80 db-0.db.default.svc.cluster.local.");
  expect(log[1]).toMatch(/^10\.244\.\d+\.\d+$/);
  expect(log.join("\n")).toContain("1.0.96.10.in-addr.arpa\tname = kubernetes.default.svc.cluster.local.");
  expect(log.at(-2)).toBe("www.example.org.");
});

const web = (ports: string, more = ""): string => `apiVersion: v1
kind: Pod
metadata: {name: web, labels: {app: web}}
spec: {containers: [{name: web, image: "nginx:1.27", ports: [{containerPort: 80, name: web}]}]}
---
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: {app: web}, ports: [${ports}]${more}}
`;

test.each([
  ["svc-targetport-mismatch", "{port: 80, targetPort: 8081}", /connection refused: nothing listens on 10\.244\.\d+\.\d+:8081, only on 80$/, "refused"],
  ["svc-named-port-missing", "{port: 80, targetPort: http}", /connection refused: the rules of \S+ say: default\/web has no endpoints$/, "refused"],
] as const)("%s", (_, port, text, kind) => {
  const [first] = play(web(port), 10).users().clients;
  expect(first?.last).toMatch(text);
  expect(first?.ok).toBe(0);
  expect(first?.failures[kind]).toBe(first?.failed);
});

const ingress = (backend: string): string => `---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: site}
spec: {rules: [{host: a.example.com, http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: ${backend}, port: {number: 80}}}}]}}]}
`;

test.each([
  ["200", "web", "{port: 80}"],
  ["502 when nothing listens on the target port", "web", "{port: 80, targetPort: 8081}"],
  ["503 when the Service is not there", "cart", "{port: 80}"],
] as const)("Ingress: %s", (name, backend, port) => {
  const { users, state } = play(web(port) + ingress(backend), 75, [], "cloud");
  const site = users().clients.find(({ service }) => service === "ingress/default/site");
  expect(site?.last.slice(0, 3)).toBe(name.slice(0, 3));
  expect(state<IngressNginxState>("ingress-nginx").config.locations.length).toBe(1);
});

test("a load balancer's address comes from the cloud after a while; without a cloud it stays pending", () => {
  const text = web("{port: 80}", ", type: LoadBalancer, externalTrafficPolicy: Local");
  const inCloud = play(text, 40, [], "cloud").users();
  const service = inCloud.services.store.get("default/web");
  expect(service).toMatchObject({ metadata: { finalizers: ["service.kubernetes.io/load-balancer-cleanup"] }, status: { loadBalancer: { ingress: [{ ip: "192.0.2.11", ipMode: "VIP" }] } } });
  expect(inCloud.clients.find((entry) => entry.service === "default/web")?.lastOk).toBe(true);
  expect(play(text, 40).users().services.store.get("default/web")?.status).toEqual({ loadBalancer: {} });
  // A deleted Service stays until the cloud has taken its balancer down.
  const deleted = (until: number) => play(text, until, [typed(30, "delete service web --wait=false")], "cloud").users().services.store.has("default/web");
  expect([deleted(33), deleted(37)]).toEqual([true, false]);
});
