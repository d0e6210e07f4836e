// Models kubernetes/staging/src/k8s.io/apiserver/pkg/cel/library/{ip,cidr,urls}.go
import { netIPFamily, isNetCIDR } from "../../ip.ts";
import type { CelLibrary } from "../types.ts";

class IpNamespace {}

class CelIP {
  readonly family: 4 | 6;
  readonly bits: bigint;
  readonly text: string;
  constructor(family: 4 | 6, bits: bigint, text: string) {
    this.family = family;
    this.bits = bits;
    this.text = text;
  }
  toString(): string {
    return this.text;
  }
}

class CelCIDR {
  readonly ip: CelIP;
  readonly length: number;
  constructor(ip: CelIP, length: number) {
    this.ip = ip;
    this.length = length;
  }
  toString(): string {
    return `${this.ip.text}/${this.length}`;
  }
}

class CelURL {
  readonly parts: Readonly<Record<string, string>>;
  constructor(parts: Readonly<Record<string, string>>) {
    this.parts = parts;
  }
}

const widthOf = (family: 4 | 6): number => (family === 4 ? 32 : 128);

function ipv6Groups(text: string): number[] {
  const [head = "", tail] = text.split("::");
  const groups = (half: string): number[] => (half === "" ? [] : half.split(":").flatMap((part) => {
    if (!part.includes(".")) return [Number.parseInt(part, 16)];
    const [a = 0, b = 0, c = 0, d = 0] = part.split(".").map(Number);
    return [a * 256 + b, c * 256 + d];
  }));
  const front = groups(head);
  if (tail === undefined) return front;
  const back = groups(tail);
  return [...front, ...Array.from({ length: 8 - front.length - back.length }, () => 0), ...back];
}

/** RFC 5952: the longest run of zeros is "::". */
function ipv6Text(bits: bigint): string {
  const groups = Array.from({ length: 8 }, (_, i) => Number((bits >> BigInt(16 * (7 - i))) & 0xffffn));
  let best = { at: -1, length: 1 };
  for (let i = 0; i < 8; i++) {
    let end = i;
    while (end < 8 && groups[end] === 0) end++;
    if (end - i > best.length) best = { at: i, length: end - i };
  }
  const hex = (part: readonly number[]): string => part.map((n) => n.toString(16)).join(":");
  return best.at < 0 ? hex(groups) : `${hex(groups.slice(0, best.at))}::${hex(groups.slice(best.at + best.length))}`;
}

function ipOf(family: 4 | 6, bits: bigint): CelIP {
  const text = family === 6 ? ipv6Text(bits) : [24n, 16n, 8n, 0n].map((shift) => String((bits >> shift) & 255n)).join(".");
  return new CelIP(family, bits, text);
}

function parseIP(text: string): CelIP | undefined {
  const family = netIPFamily(text);
  if (family === 0) return undefined;
  const numbers = family === 4 ? text.split(".").map(Number) : ipv6Groups(text);
  const step = family === 4 ? 8n : 16n;
  const parsed = ipOf(family, numbers.reduce((bits, n) => (bits << step) | BigInt(n), 0n));
  // An IPv4 address dressed as IPv6 is refused.
  return family === 6 && parsed.bits >> 32n === 0xffffn ? undefined : parsed;
}

function ip(text: string): CelIP {
  const parsed = parseIP(text);
  if (parsed === undefined) throw new Error(`IP Address ${JSON.stringify(text)} parse error during conversion from string: ParseAddr(${JSON.stringify(text)}): unable to parse IP`);
  return parsed;
}

function parseCIDR(text: string): CelCIDR | undefined {
  if (!isNetCIDR(text)) return undefined;
  const [address = "", bits = ""] = text.split("/");
  const parsed = parseIP(address);
  return parsed === undefined ? undefined : new CelCIDR(parsed, Number(bits));
}

function cidr(text: string): CelCIDR {
  const parsed = parseCIDR(text);
  if (parsed === undefined) throw new Error(`network address parse error during conversion from string: netip.ParsePrefix(${JSON.stringify(text)}): unable to parse`);
  return parsed;
}

const networkBits = (address: CelIP, length: number): bigint => address.bits >> BigInt(widthOf(address.family) - length);
const holds = (net: CelCIDR, address: CelIP): boolean => net.ip.family === address.family && networkBits(net.ip, net.length) === networkBits(address, net.length);
const holdsNet = (net: CelCIDR, other: CelCIDR): boolean => net.length <= other.length && holds(net, other.ip);
const inside = (address: CelIP, ...nets: readonly string[]): boolean => nets.some((net) => holds(cidr(net), address));

function masked(net: CelCIDR): CelCIDR {
  const shift = BigInt(widthOf(net.ip.family) - net.length);
  return new CelCIDR(ipOf(net.ip.family, (net.ip.bits >> shift) << shift), net.length);
}

const isGlobal = (address: CelIP): boolean => address.bits !== 0n && address.text !== "255.255.255.255" && !inside(address, "127.0.0.0/8", "::1/128", "224.0.0.0/4", "ff00::/8", "169.254.0.0/16", "fe80::/10");

const URL_TEXT = /^([A-Za-z][A-Za-z0-9+.-]*):(?:\/\/(?:[^/?#@]*@)?((?:\[[^\]]*\]|[^/?#:]*)(?::(\d*))?))?([^?#]*)(?:\?([^#]*))?(?:#.*)?$/;

function parseURL(text: string): CelURL | undefined {
  if (/[\s\p{Cc}]/u.test(text) || /%(?![0-9A-Fa-f]{2})/.test(text)) return undefined;
  if (text.startsWith("/")) return new CelURL({ scheme: "", host: "", hostname: "", port: "", path: text.split("?")[0] ?? "", query: text.split("?")[1] ?? "" });
  const m = URL_TEXT.exec(text);
  if (m === null) return undefined;
  const host = m[2] ?? "";
  return new CelURL({ scheme: (m[1] ?? "").toLowerCase(), host, hostname: host.replace(/:\d*$/, "").replace(/^\[|\]$/g, ""), port: m[3] ?? "", path: m[4] ?? "", query: m[5] ?? "" });
}

function url(text: string): CelURL {
  const parsed = parseURL(text);
  if (parsed === undefined) throw new Error(`URL parse error during conversion from string: parse ${JSON.stringify(text)}: invalid URI for request`);
  return parsed;
}

const decode = (text: string): string => decodeURIComponent(text.replaceAll("+", " "));

function query(address: CelURL): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const pair of (address.parts["query"] ?? "").split("&")) {
    if (pair === "") continue;
    const [key = "", ...value] = pair.split("=");
    found.set(decode(key), [...(found.get(decode(key)) ?? []), decode(value.join("="))]);
  }
  return found;
}

const urlPart = (name: string) => (address: CelURL): string => address.parts[name] ?? "";

/** Addresses, networks and URLs. */
export const networkLibrary: CelLibrary = {
  classes: [["net.IP", CelIP], ["net.CIDR", CelCIDR], ["kubernetes.URL", CelURL]],
  namespaces: [["ip", "IpNamespace", IpNamespace]],
  functions: [
    ["ip(string): net.IP", ip],
    ["isIP(string): bool", (text: string) => parseIP(text) !== undefined],
    ["string(net.IP): string", String],
    ["IpNamespace.isCanonical(string): bool", (_: unknown, text: string) => ip(text).text === text],
    ["net.IP.family(): int", (a: CelIP) => BigInt(a.family)],
    ["net.IP.isUnspecified(): bool", (a: CelIP) => a.bits === 0n],
    ["net.IP.isLoopback(): bool", (a: CelIP) => inside(a, "127.0.0.0/8", "::1/128")],
    ["net.IP.isLinkLocalMulticast(): bool", (a: CelIP) => inside(a, "224.0.0.0/24") || (a.family === 6 && (a.bits >> 112n) % 0x10n === 2n && a.bits >> 120n === 0xffn)],
    ["net.IP.isLinkLocalUnicast(): bool", (a: CelIP) => inside(a, "169.254.0.0/16", "fe80::/10")],
    ["net.IP.isGlobalUnicast(): bool", isGlobal],
    ["cidr(string): net.CIDR", cidr],
    ["isCIDR(string): bool", (text: string) => parseCIDR(text) !== undefined],
    ["string(net.CIDR): string", String],
    ["net.CIDR.ip(): net.IP", (net: CelCIDR) => net.ip],
    ["net.CIDR.prefixLength(): int", (net: CelCIDR) => BigInt(net.length)],
    ["net.CIDR.masked(): net.CIDR", masked],
    ["net.CIDR.containsIP(net.IP): bool", holds],
    ["net.CIDR.containsIP(string): bool", (net: CelCIDR, text: string) => holds(net, ip(text))],
    ["net.CIDR.containsCIDR(net.CIDR): bool", holdsNet],
    ["net.CIDR.containsCIDR(string): bool", (net: CelCIDR, text: string) => holdsNet(net, cidr(text))],
    ["url(string): kubernetes.URL", url],
    ["isURL(string): bool", (text: string) => parseURL(text) !== undefined],
    ["kubernetes.URL.getScheme(): string", urlPart("scheme")],
    ["kubernetes.URL.getHost(): string", urlPart("host")],
    ["kubernetes.URL.getHostname(): string", urlPart("hostname")],
    ["kubernetes.URL.getPort(): string", urlPart("port")],
    ["kubernetes.URL.getEscapedPath(): string", urlPart("path")],
    ["kubernetes.URL.getQuery(): map<string, list<string>>", query],
  ],
};
