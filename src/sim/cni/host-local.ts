// Models containernetworking/plugins plugins/ipam/host-local

/** The address store under /var/lib/cni/networks/<net>: one file an address, and last_reserved_ip.0. */
export interface Ipam {
  /** "10.244.3.0/24" */
  readonly subnet: string;
  readonly lastReserved: string;
  /** Address to container id. */
  readonly reserved: Readonly<Record<string, string>>;
}

const octets = (ip: string): number[] => ip.split(".").map(Number);
/** An IPv4 address as a number. */
export const hostNumber = (ip: string): number => octets(ip).reduce((value, octet) => value * 256 + octet, 0);
const ipText = (value: number): string => [16_777_216, 65_536, 256, 1].map((unit) => Math.floor(value / unit) % 256).join(".");

function bounds(subnet: string): { first: number; last: number; gateway: number } {
  const [base = "0.0.0.0", bits = "24"] = subnet.split("/");
  const network = hostNumber(base);
  let size = 1;
  for (let i = Number(bits); i < 32; i++) size *= 2;
  return { first: network + 1, last: network + size - 2, gateway: network + 1 };
}

/** "10.244.3.1-10.244.3.254" */
export function rangeText(ipam: Ipam): string {
  const { first, last } = bounds(ipam.subnet);
  return `${ipText(first)}-${ipText(last)}`;
}

/** The next free address, round-robin after the last one given out; undefined when all are taken. */
export function allocate(ipam: Ipam, containerId: string): { ip: string; ipam: Ipam } | undefined {
  const { first, last, gateway } = bounds(ipam.subnet);
  const start = hostNumber(ipam.lastReserved);
  const count = last - first + 1;
  for (let i = 1; i <= count; i++) {
    const candidate = first + ((start - first + i + count) % count);
    const ip = ipText(candidate);
    if (candidate === gateway || ipam.reserved[ip] !== undefined) continue;
    return { ip, ipam: { ...ipam, lastReserved: ip, reserved: { ...ipam.reserved, [ip]: containerId } } };
  }
  return undefined;
}

/** Frees what a container holds; nothing if it holds nothing. */
export function release(ipam: Ipam, containerId: string): Ipam {
  const kept = Object.entries(ipam.reserved).filter(([, owner]) => owner !== containerId);
  return kept.length === Object.keys(ipam.reserved).length ? ipam : { ...ipam, reserved: Object.fromEntries(kept) };
}
