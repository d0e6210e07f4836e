// Models kubernetes/pkg/registry/core/service/storage/alloc.go and ipallocator, portallocator
import { invalid } from "../../api/field-error.ts";
import { newInvalid } from "../../api/status-errors.ts";
import type { KubeObject, Service, Status } from "../../api/types.ts";
import type { Run } from "../state.ts";
import { listObjects } from "../watch-cache/lookup.ts";

const NODE_PORT_LOW = 30_000;
const NODE_PORT_HIGH = 32_767;
const MAX_TRIES = 4_096;

const toNumber = (ip: string): number => ip.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);
const toText = (value: number): string => [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join(".");

/** A free address of the service CIDR: the lower band is left to those who ask for one by name. */
function freeIP(run: Run, used: ReadonlySet<string>, key: string): string | undefined {
  const [base = "10.96.0.0", bits = "12"] = run.config.world.serviceCIDR.split("/");
  const size = 2 ** (32 - Number(bits));
  const reserved = Math.min(256, Math.max(16, Math.floor(size / 16)));
  for (let i = 0; i < MAX_TRIES; i++) {
    const ip = toText(toNumber(base) + reserved + (run.ctx.rand(`cluster-ip/${key}`, i) % (size - reserved - 1)));
    if (!used.has(ip)) return ip;
  }
  return undefined;
}

interface Port {
  readonly nodePort?: number;
}

/** Gives a new Service its cluster IP and node ports, or refuses those it asks for. */
export function allocateService(run: Run, object: KubeObject): KubeObject | Status {
  const service = object as Service;
  const spec = service.spec as Service["spec"] & { readonly clusterIP?: string; readonly clusterIPs?: readonly string[]; readonly ports?: readonly Port[]; readonly type?: string };
  if (spec.type === "ExternalName") return object;
  const others = listObjects(run.state, "services") as unknown as readonly Service[];
  const used = new Set(others.map((other) => (other.spec as { readonly clusterIP?: string }).clusterIP ?? ""));
  const key = `${object.metadata.namespace ?? ""}/${object.metadata.name ?? ""}`;
  const fail = (field: string, value: unknown, text: string): Status => newInvalid({ kind: "Service" }, object.metadata.name ?? "", [invalid(field, value, text)]);
  let { clusterIP } = spec;
  if (clusterIP !== undefined && clusterIP !== "" && clusterIP !== "None" && used.has(clusterIP)) return fail("spec.clusterIPs", [clusterIP], `failed to allocate IP ${clusterIP}: provided IP is already allocated`);
  if (clusterIP === undefined || clusterIP === "") clusterIP = freeIP(run, used, key);
  if (clusterIP === undefined) return fail("spec.clusterIPs", [], "failed to allocate a serviceIP: range is full");
  let next = { ...spec, clusterIP, clusterIPs: [clusterIP] };
  if (spec.type === "NodePort" || spec.type === "LoadBalancer") {
    const taken = new Set(others.flatMap((other) => ((other.spec as { readonly ports?: readonly Port[] }).ports ?? []).map((port) => port.nodePort ?? 0)));
    const ports: Port[] = [];
    for (const [index, port] of (spec.ports ?? []).entries()) {
      if (port.nodePort !== undefined && port.nodePort !== 0 && taken.has(port.nodePort)) return fail(`spec.ports[${index}].nodePort`, port.nodePort, "provided port is already allocated");
      let nodePort = port.nodePort ?? 0;
      for (let i = 0; nodePort === 0 && i < MAX_TRIES; i++) {
        const drawn = NODE_PORT_LOW + (run.ctx.rand(`node-port/${key}/${index}`, i) % (NODE_PORT_HIGH - NODE_PORT_LOW + 1));
        if (!taken.has(drawn)) nodePort = drawn;
      }
      taken.add(nodePort);
      ports.push({ ...port, nodePort });
    }
    next = { ...next, ports: ports as unknown as typeof next.ports };
  }
  return { ...object, spec: next };
}
