// Models kubernetes/staging/src/k8s.io/endpointslice/util/controller_utils.go (portsInOrder) and pkg/api/v1/endpoints/util.go (portsByHash)

const MASK = (1n << 128n) - 1n;
const BASIS = 0x6c62272e07bb014262b821756295c58dn;
const PRIME = (1n << 88n) + 0x13bn;

/** FNV-1a, 128 bits, as 32 hexadecimal digits. Names of ports, protocols, Pods and nodes are ASCII. */
export function fnv128a(text: string): string {
  let hash = BASIS;
  for (let i = 0; i < text.length; i++) hash = ((hash ^ BigInt(text.charCodeAt(i))) * PRIME) & MASK;
  return hash.toString(16).padStart(32, "0");
}

export interface AnyPort {
  readonly name?: string;
  readonly port?: number;
  readonly protocol?: string;
  readonly appProtocol?: string;
}

const pointer = (type: string, value: string | number | undefined): string => `(*${type})${value ?? "<nil>"}`;

/** A port of a slice as Go's debug printer writes it: the hash of that text is what sorts them. */
const slicePort = ({ name, protocol, port, appProtocol }: AnyPort): string =>
  `(v1.EndpointPort){Name:${pointer("string", name ?? "")} Protocol:${pointer("v1.Protocol", protocol ?? "TCP")} Port:${pointer("int32", port)} AppProtocol:${pointer("string", appProtocol)}}`;

/** The same for Endpoints; within a list the type is not written again. */
export const endpointsPort = ({ name, protocol, port, appProtocol }: AnyPort, typed = true): string =>
  `${typed ? "(v1.EndpointPort)" : ""}{Name:(string)${name ?? ""} Port:(int32)${port ?? 0} Protocol:(v1.Protocol)${protocol ?? "TCP"} AppProtocol:${pointer("string", appProtocol)}}`;

/** Sorted by the hash of what `text` says of each; one alone needs none. */
export function byHash<T>(list: readonly T[], text: (value: T) => string): readonly T[] {
  if (list.length < 2) return list;
  return list.map((value) => ({ value, hash: fnv128a(text(value)) })).sort((a, b) => (a.hash < b.hash ? -1 : a.hash > b.hash ? 1 : 0)).map(({ value }) => value);
}

export const slicePortsInOrder = <T extends AnyPort>(ports: readonly T[]): readonly T[] => byHash(ports, slicePort);
export const endpointsPortsInOrder = <T extends AnyPort>(ports: readonly T[]): readonly T[] => byHash(ports, (port) => endpointsPort(port));
