// Models kubernetes/pkg/api/v1/endpoints/util.go (RepackSubsets)
import type { ObjectReference } from "../../api/types.ts";
import { byHash, endpointsPort, endpointsPortsInOrder } from "../endpointslice/port-order.ts";

export interface EndpointAddress {
  readonly ip: string;
  readonly hostname?: string;
  readonly nodeName?: string;
  readonly targetRef?: ObjectReference;
}

export interface SubsetPort {
  readonly name?: string;
  readonly port: number;
  readonly protocol?: string;
  readonly appProtocol?: string;
}

export interface Subset {
  readonly addresses?: readonly EndpointAddress[];
  readonly notReadyAddresses?: readonly EndpointAddress[];
  readonly ports?: readonly SubsetPort[];
}

export interface PackedSubset {
  readonly addresses: readonly EndpointAddress[];
  readonly notReadyAddresses: readonly EndpointAddress[];
  readonly ports: readonly SubsetPort[];
}

const portKey = (port: SubsetPort): string => `${port.name ?? ""}/${port.port}/${port.protocol ?? "TCP"}/${port.appProtocol ?? ""}`;
const addressKey = (address: EndpointAddress): string => `${address.ip} ${address.targetRef?.uid ?? ""}`;
const byKey = <T>(key: (value: T) => string) => (a: T, b: T): number => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0);

/** Stands for "no ports": such addresses are kept too. */
const NO_PORT: SubsetPort = { port: -1 };

const addressText = ({ ip, hostname, nodeName, targetRef: to }: EndpointAddress): string =>
  `{IP:(string)${ip} Hostname:(string)${hostname ?? ""} NodeName:(*string)${nodeName ?? "<nil>"} TargetRef:(*v1.ObjectReference)${to === undefined ? "<nil>" : `{Kind:(string)${to.kind ?? ""} Namespace:(string)${to.namespace ?? ""} Name:(string)${to.name ?? ""} UID:(types.UID)${to.uid ?? ""} APIVersion:(string)${to.apiVersion ?? ""} ResourceVersion:(string)${to.resourceVersion ?? ""} FieldPath:(string)${to.fieldPath ?? ""}}`}}`;

const listText = (type: string, entries: readonly string[]): string => `([]v1.${type})${entries.length === 0 ? "<nil>" : `[${entries.join(" ")}]`}`;

/** A subset as Go's debug printer writes it. */
const subsetText = ({ addresses, notReadyAddresses, ports }: PackedSubset): string =>
  `(v1.EndpointSubset){Addresses:${listText("EndpointAddress", addresses.map(addressText))} NotReadyAddresses:${listText("EndpointAddress", notReadyAddresses.map(addressText))} Ports:${listText("EndpointPort", ports.map((port) => endpointsPort(port, false)))}}`;

interface Offer {
  readonly port: SubsetPort;
  /** Address key to readiness: who is not ready anywhere is not ready. */
  readonly ready: Map<string, boolean>;
}

/** Expands subsets to (port, address) pairs and packs them again: ports with the same addresses share a subset. The order of ports and subsets is that of their hashes. */
export function repackSubsets(subsets: readonly Subset[]): readonly PackedSubset[] {
  const addresses = new Map<string, EndpointAddress>();
  const offers = new Map<string, Offer>();
  for (const subset of subsets) {
    for (const port of subset.ports === undefined || subset.ports.length === 0 ? [NO_PORT] : subset.ports) {
      const offer = offers.get(portKey(port)) ?? { port, ready: new Map<string, boolean>() };
      offers.set(portKey(port), offer);
      for (const [list, ready] of [[subset.addresses ?? [], true], [subset.notReadyAddresses ?? [], false]] as const) {
        for (const address of list) {
          const key = addressKey(address);
          if (!addresses.has(key)) addresses.set(key, address);
          if (offer.ready.get(key) !== false) offer.ready.set(key, ready);
        }
      }
    }
  }
  const groups = new Map<string, { ready: Map<string, boolean>; ports: SubsetPort[] }>();
  for (const { port, ready } of offers.values()) {
    const key = [...ready].map(([address, is]) => `${address} ${is}`).sort().join("|");
    const group = groups.get(key) ?? { ready, ports: [] };
    groups.set(key, group);
    if (port.port > 0) group.ports.push(port);
  }
  return byHash([...groups.values()].map(({ ready, ports }): PackedSubset => {
    const of = (wanted: boolean): EndpointAddress[] => [...ready].filter(([, is]) => is === wanted).flatMap(([key]) => addresses.get(key) ?? []).sort(byKey(addressKey));
    return { addresses: of(true), notReadyAddresses: of(false), ports: endpointsPortsInOrder(ports) };
  }), subsetText);
}
