import { describe, expect, it } from "vitest";
import type { Pod } from "../api/types.ts";
import { create, fault, kubectl, pod, see } from "../testdata/fault-run.ts";

const POD = "/registry/pods/default/p";
const SERVER = "192.168.50.10:6443";
const apiserver = (text: string): string => text.replaceAll(/\d+\.\d+\.\d+\.\d+:6443/g, SERVER);
const REFUSED = `The connection to the server ${SERVER} was refused - did you specify the right host or port?\n`;

describe("kubectl does not get through", () => {
  it.each<{ id: string; params: Readonly<Record<string, string>>; want: string }>([
    { id: "kubectl.no-route", params: {}, want: REFUSED },
    { id: "kubectl.no-route", params: { how: "timeout" }, want: `Unable to connect to the server: dial tcp ${SERVER}: i/o timeout\n` },
    { id: "authn.credentials-expired", params: {}, want: "error: You must be logged in to the server (Unauthorized)\n" },
    { id: "apiserver.down", params: {}, want: REFUSED },
  ])("$id $params: says why, stores nothing, and works again afterwards", ({ id, params, want }) => {
    const seen = see(140, [fault(2, 45, id, params), kubectl(3, "run", "p", "--image=nginx:1.27"), kubectl(4, "get", "nodes"), kubectl(50, "run", "q", "--image=nginx:1.27")]);
    expect(apiserver(seen.printed("run", "p"))).toBe(want);
    expect(apiserver(seen.printed("get", "nodes"))).toBe(want);
    expect(seen.all(POD)).toEqual([]);
    expect((seen.last("/registry/pods/default/q") as Pod).status?.phase).toBe("Running");
  });

  it("a command that was given up after 30 s gets through when the way is mended before", () => {
    const seen = see(30, [fault(2, 10, "kubectl.no-route", { how: "timeout" }), kubectl(3, "run", "p", "--image=nginx:1.27")]);
    expect(seen.printed("run", "p")).toBe("pod/p created\n");
    expect(seen.all(POD)[0]?.at).toBeCloseTo(10, 0);
  });

  it("an open watch is given up when its pings are not answered", () => {
    const seen = see(80, [kubectl(3, "get", "pods", "-w"), fault(5, 70, "kubectl.no-route", { how: "timeout" })]);
    expect(seen.printed("get", "pods", "-w")).toContain("http2: client connection lost");
  });
});

describe("apiserver.down", () => {
  it("leaves containers alone; what a controller and the kubelet had to say is said afterwards", () => {
    const seen = see(60, [create(1, pod("p", { restartPolicy: "Never" }, { image: "busybox:1.36", command: ["sh", "-c", "sleep 10"] })), fault(5, 30, "apiserver.down")]);
    const status = (seen.last(POD) as Pod).status;
    expect(status?.phase).toBe("Succeeded");
    const { terminated } = status?.containerStatuses?.[0]?.state ?? {};
    expect(terminated?.reason).toBe("Completed");
    const told = seen.all(POD).at(-1)?.at ?? 0;
    expect(told).toBeGreaterThan(30);
    expect(Date.parse(terminated?.finishedAt ?? "") % 60_000).toBeLessThan(13_000);
  });

  it("no node is lost for a quarter of a minute: leases are renewed again in time", () => {
    const seen = see(60, [fault(5, 20, "apiserver.down"), kubectl(55, "get", "nodes")]);
    expect(seen.printed("get", "nodes")).not.toContain("NotReady");
  });
});

describe("admission webhooks are registered, asked, and gone again", () => {
  const FAILED = 'Internal error occurred: failed calling webhook "check.example.com": failed to call webhook: Post "https://webhook.example.com/hang?timeout=10s": context deadline exceeded';
  const run = (at: number, name: string) => kubectl(at, "run", name, "--image=nginx:1.27");

  it("denies", () => {
    const seen = see(20, [fault(1, 10, "admission.webhook-denies"), run(2, "p"), kubectl(3, "get", "validatingwebhookconfigurations", "-o", "name"), run(12, "q")]);
    expect(seen.printed("run", "p")).toBe('Error from server: admission webhook "check.example.com" denied the request: images must come from registry.corp\n');
    expect(seen.printed("get")).toBe("validatingwebhookconfiguration.admissionregistration.k8s.io/check.example.com\n");
    expect(seen.printed("run", "q")).toBe("pod/q created\n");
  });

  it("does not answer, failurePolicy Fail: 10 s, then an error; a controller says it in an Event and tries again", () => {
    const seen = see(70, [fault(1, 30, "admission.webhook-timeout"), run(2, "p"), kubectl(2, "create", "deployment", "d", "--image=nginx:1.27")]);
    expect(seen.printed("run", "p")).toBe(`Error from server (InternalError): ${FAILED}\n`);
    expect(seen.all(POD)).toEqual([]);
    expect(seen.events("d-")).toContain(`FailedCreate: Error creating: ${FAILED}`);
    expect(seen.eventAt("d-", "FailedCreate")).toBeGreaterThan(12);
    expect(seen.eventAt("d-", "FailedCreate")).toBeLessThan(12.5);
    expect(seen.reasons("d-")).toContain("SuccessfulCreate");
  });

  it("does not answer, failurePolicy Ignore: the request goes through late", () => {
    const seen = see(20, [fault(1, 15, "admission.webhook-timeout", { failurePolicy: "Ignore", timeoutSeconds: 4 }), run(2, "p")]);
    expect(seen.printed("run", "p")).toBe("pod/p created\n");
    expect(seen.all(POD)[0]?.at).toBeGreaterThan(6);
  });

  it("deleting its configuration ends it", () => {
    const seen = see(20, [fault(1, 19, "admission.webhook-timeout"), kubectl(3, "delete", "validatingwebhookconfiguration", "check.example.com"), run(5, "p")]);
    expect(seen.printed("run", "p")).toBe("pod/p created\n");
  });

  it("adds a sidecar: the stored Pod is not the one sent", () => {
    const seen = see(20, [fault(1, 15, "admission.webhook-injects-sidecar", { image: "busybox:1.36" }), run(2, "p"), run(16, "q")]);
    const containers = (key: string): readonly string[] | undefined => (seen.all(key)[0]?.object as Pod | undefined)?.spec.containers.map(({ name, image }) => `${name} ${image}`);
    expect(containers(POD)).toEqual(["p nginx:1.27", "sidecar busybox:1.36"]);
    expect(containers("/registry/pods/default/q")).toEqual(["q nginx:1.27"]);
  });
});

describe("dns.down", () => {
  const inputs = [create(1, pod("p"), pod("c", {}, { image: "busybox:1.36", command: ["sleep", "3600"] }), { apiVersion: "v1", kind: "Service", metadata: { name: "p" }, spec: { selector: { app: "p" }, clusterIP: "10.96.77.7", ports: [{ port: 80 }] } }), fault(5, 30, "dns.down")];
  const inside = (at: number, ...argv: string[]) => kubectl(at, "exec", "c", "--", ...argv);

  it.each([
    { argv: ["nslookup", "p"], want: ";; connection timed out; no servers could be reached\n\ncommand terminated with exit code 1\n" },
    { argv: ["wget", "-qO-", "http://p"], want: "wget: bad address 'p'\ncommand terminated with exit code 1\n" },
    { argv: ["wget", "-qO-", "http://10.96.77.7"], want: /Welcome to nginx/ },
  ])("$argv", ({ argv, want }) => {
    const text = see(20, [...inputs, inside(8, ...argv)]).printed("exec");
    if (typeof want === "string") expect(text).toBe(want);
    else expect(text).toMatch(want);
  });

  it("names resolve again afterwards", () => {
    expect(see(40, [...inputs, inside(32, "wget", "-qO-", "http://p")]).printed("exec")).toContain("Welcome to nginx");
  });
});

describe("proxy.down", () => {
  const service = { apiVersion: "v1", kind: "Service", metadata: { name: "p" }, spec: { selector: { app: "p" }, clusterIP: "10.96.77.7", ports: [{ port: 80 }] } };
  const get = (at: number, from: string) => kubectl(at, "exec", from, "--", "wget", "-qO-", "http://10.96.77.7");
  const client = (name: string, node: string): object => pod(name, { nodeName: node }, { image: "busybox:1.36", command: ["sleep", "3600"] });
  const [here, there] = ["worker-node-01", "worker-node-03"];
  const seen = see(50, [
    create(1, pod("p", { nodeName: here, terminationGracePeriodSeconds: 0 }), client("here", here), client("there", there), service),
    fault(6, 35, "proxy.down", { node: there }),
    kubectl(8, "delete", "pod", "p"), create(9, pod("q", { nodeName: here }), { ...service, metadata: { name: "q" }, spec: { ...service.spec, clusterIP: "10.96.77.8" } }), kubectl(10, "label", "pod", "q", "app=p", "--overwrite"),
    get(15, "here"), kubectl(15, "exec", "there", "--", "wget", "-qO-", "http://10.96.77.7:80"), get(40, "there"),
  ], { world: "ten-nodes" });

  it("only that node still sends to the Pod that is gone", () => {
    expect(seen.printed("exec", "here")).toContain("Welcome to nginx");
    expect(seen.printed("exec", "there", "--", "wget", "-qO-", "http://10.96.77.7:80")).toBe("wget: can't connect to remote host (10.96.77.7): No route to host\ncommand terminated with exit code 1\n");
  });

  it("and has all rules again once kube-proxy is back", () => {
    expect(seen.printed("exec", "there")).toContain("Welcome to nginx");
  });
});
