// Models kubernetes/pkg/registry/core/service/{ipallocator,portallocator}
import type { KubeObject, Service, Status } from "../../api/types.ts";
import { allocateService as allocate, type ServiceAllocator } from "../registry/services.ts";
import type { Run } from "../state.ts";
import { listObjects } from "../watch-cache/lookup.ts";

const NODE_PORT_LOW = 30_000;
const NODE_PORT_HIGH = 32_767;
const MAX_TRIES = 4_096;

const toNumber = (ip: string): number => ip.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);
const toText = (value: number): string => [16_777_216, 65_536, 256, 1].map((unit) => Math.floor(value / unit) % 256).join(".");

function allocatorFor(run: Run, service: KubeObject): ServiceAllocator {
  const { serviceCIDR } = run.config.world;
  const [base = "10.96.0.0", bits = "12"] = serviceCIDR.split("/");
  const first = toNumber(base);
  const size = 2 ** (32 - Number(bits));
  // The lower band is left to those who ask for an address by name.
  const reserved = Math.min(256, Math.max(16, Math.floor(size / 16)));
  const others = listObjects(run.state, "services").map((object) => (object as Service).spec);
  const addresses = new Set(others.map((spec) => spec.clusterIP ?? ""));
  const ports = new Set(others.flatMap((spec) => [...(spec.ports ?? []).map((port) => port.nodePort ?? 0), spec.healthCheckNodePort ?? 0]));
  const key = `${service.metadata.namespace ?? ""}/${service.metadata.name ?? ""}`;
  const draw = <T>(purpose: string, make: (drawn: number) => T, taken: ReadonlySet<T>): T | undefined => {
    for (let i = 0; i < MAX_TRIES; i++) {
      const value = make(run.ctx.rand(`${purpose}/${key}`, i));
      if (!taken.has(value)) return value;
    }
    return undefined;
  };
  const claim = <T>(value: T, inside: boolean, taken: Set<T>): "free" | "taken" | "outside" => {
    if (!inside) return "outside";
    if (taken.has(value)) return "taken";
    taken.add(value);
    return "free";
  };
  return {
    serviceRange: serviceCIDR,
    nextClusterIP: () => draw("cluster-ip", (drawn) => toText(first + reserved + (drawn % (size - reserved - 1))), addresses),
    claimClusterIP: (ip) => claim(ip, toNumber(ip) > first && toNumber(ip) < first + size - 1, addresses),
    nextNodePort() {
      const port = draw("node-port", (drawn) => NODE_PORT_LOW + (drawn % (NODE_PORT_HIGH - NODE_PORT_LOW + 1)), ports);
      if (port !== undefined) ports.add(port);
      return port;
    },
    claimNodePort: (port) => claim(port, port >= NODE_PORT_LOW && port <= NODE_PORT_HIGH, ports),
  };
}

/** Gives a Service its cluster IP and node ports, or refuses those it asks for. */
export const allocateService = (run: Run, object: KubeObject, old?: KubeObject): KubeObject | Status => allocate(object, old, allocatorFor(run, object));
