// Models kubernetes/staging/src/k8s.io/kubectl/pkg/cmd/portforward/portforward.go and pkg/util/service_port.go
import type { KubeObject, Pod } from "../api/types.ts";
import { typeOf } from "./builder.ts";
import { attachablePod, podOf } from "./container-stream.ts";
import { pathOf } from "./manifest.ts";
import { command, type Process } from "./process.ts";

interface ServicePort {
  readonly name?: string;
  readonly port: number;
  readonly targetPort?: number | string;
  readonly protocol?: string;
}
interface Forwarded {
  readonly local: string;
  readonly remote: string;
}

const splitPort = (port: string): Forwarded => {
  const parts = port.split(":");
  return parts.length === 2 ? { local: parts[0] ?? "", remote: parts[1] ?? "" } : { local: parts[0] ?? "", remote: parts[0] ?? "" };
};
const portsOf = ({ spec }: Pod): readonly { readonly name?: string; readonly containerPort: number; readonly protocol?: string }[] => [...spec.containers, ...(spec.initContainers ?? [])].flatMap(({ ports }) => ports ?? []);

/** A Service's port stands for the port of its Pod behind it. */
function throughService(p: Process, { metadata, spec }: KubeObject, pod: Pod, { local, remote }: Forwarded): Forwarded {
  const { ports = [], clusterIP } = spec as { readonly ports?: readonly ServicePort[]; readonly clusterIP?: string };
  const service = metadata.name ?? "";
  const number = /^\d+$/.test(remote) ? Number(remote) : ports.find(({ name }) => name === remote)?.port;
  if (number === undefined) return p.fail(`error: Service '${service}' does not have a named port '${remote}'`);
  const found = ports.find(({ port }) => port === number);
  if (found === undefined) return p.fail(`error: Service ${service} does not have a service port ${number}`);
  const { targetPort = found.port } = found;
  const own = local === remote ? String(number) : local;
  if (clusterIP === "None") return { local: own, remote: String(number) };
  if (typeof targetPort === "number") return { local: own, remote: String(targetPort === 0 ? number : targetPort) };
  const container = portsOf(pod).find(({ name }) => name === targetPort);
  return container === undefined ? p.fail(`error: Pod '${pod.metadata.name ?? ""}' does not have a named port '${targetPort}'`) : { local: own, remote: String(container.containerPort) };
}

function toPod(p: Process, pod: Pod, { local, remote }: Forwarded): Forwarded {
  if (remote === "") return p.fail("error: remote port cannot be empty");
  if (/^\d+$/.test(remote)) return { local, remote };
  const named = portsOf(pod).find(({ name }) => name === remote);
  if (named === undefined) return p.fail(`error: Pod '${pod.metadata.name ?? ""}' does not have a named port '${remote}'`);
  return { local: local === remote ? String(named.containerPort) : local, remote: String(named.containerPort) };
}

/** Ports that speak UDP and not TCP. */
function onlyUdp(all: readonly { readonly number: number; readonly protocol?: string }[]): ReadonlySet<number> {
  const of = (protocol: string): readonly number[] => all.filter((one) => (one.protocol ?? "TCP") === protocol).map(({ number }) => number);
  const tcp = new Set(of("TCP"));
  return new Set(of("UDP").filter((number) => !tcp.has(number)));
}

/** kubectl port-forward. Simplified: nothing is forwarded, because no program outside can connect; every request up to the upgrade is made and every refusal is met. */
export const portForward = command(["port-forward"], (p) => {
  const [target, ...ports] = p.options.args;
  if (target === undefined || ports.length === 0) return p.fail("error: TYPE/NAME and list of ports are required for port-forward\nSee 'kubectl port-forward -h' for help and examples");
  const [type, name = ""] = target.includes("/") ? target.split("/") : ["pods", target];
  const api = typeOf(type ?? "", p.types);
  if (api === undefined) return p.fail(`error: the server doesn't have a resource type ${JSON.stringify(type)}`);
  const service = api.resource === "services" ? (p.must({ method: "GET", path: pathOf(api, p.namespace, name), subject: `service/${p.namespace}/${name}` }) as KubeObject) : undefined;
  const { ports: servicePorts = [] } = (service?.spec ?? {}) as { readonly ports?: readonly ServicePort[] };
  const pod = service === undefined ? podOf(p, target) : podBehind(p, service);
  const wanted = ports.map(splitPort);
  const udp = onlyUdp(service === undefined ? portsOf(pod).map(({ containerPort, protocol }) => ({ number: containerPort, ...(protocol === undefined ? {} : { protocol }) })) : servicePorts.map(({ port, protocol }) => ({ number: port, ...(protocol === undefined ? {} : { protocol }) })));
  const refused = wanted.find(({ remote }) => udp.has(Number(remote)));
  if (refused !== undefined) return p.fail(`error: UDP protocol is not supported for ${refused.remote}`);
  const forwarded = wanted.map((one) => (service === undefined ? toPod(p, pod, one) : throughService(p, service, pod, one)));
  const { namespace = "" } = pod.metadata;
  const podName = pod.metadata.name ?? "";
  const now = p.must({ method: "GET", path: `/api/v1/namespaces/${namespace}/pods/${podName}`, subject: `pod/${namespace}/${podName}` }) as Pod;
  const phase = now.status?.phase ?? "";
  if (phase !== "Running") return p.fail(`error: unable to forward port because pod is not running. Current status=${phase}`);
  explain(p, now, forwarded);
});

function podBehind(p: Process, service: KubeObject): Pod {
  const { selector } = (service.spec ?? {}) as { readonly selector?: Readonly<Record<string, string>> };
  if (selector === undefined || Object.keys(selector).length === 0) return p.fail(`error: cannot attach to *v1.Service: invalid service '${service.metadata.name ?? ""}': Service is defined without a selector`);
  return attachablePod(p, service);
}

/** In words of our own: where the bytes would go. */
function explain(p: Process, pod: Pod, forwarded: readonly Forwarded[]): void {
  const { name = "", namespace = "" } = pod.metadata;
  const lines = forwarded.map(({ local, remote }) => `  127.0.0.1:${local} on your workstation -> POST /api/v1/namespaces/${namespace}/pods/${name}/portforward -> kubelet of ${pod.spec.nodeName ?? ""} -> ${remote} inside the Pod\n`);
  p.printError(`Nothing is forwarded: no program outside this simulation can connect to it. On a cluster kubectl would listen now, until Ctrl+C:\n${lines.join("")}A Service is only asked for its Pod: its load balancing, and NetworkPolicies, would be bypassed. When the Pod goes, the forwarding ends ("lost connection to pod").`);
}
