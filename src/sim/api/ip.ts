// Models kubernetes/staging/src/k8s.io/apimachinery/pkg/util/validation/ip.go and the net and netip packages under it

/** An address in bytes: 4 of them for IPv4 and for IPv4-mapped IPv6 alike, as Go's To4 has it. */
export interface Address {
  readonly bytes: readonly number[];
  /** Octets with leading zeros, which old versions took as decimal. */
  readonly zeros: boolean;
  /** "::ffff:10.0.0.1" */
  readonly mapped: boolean;
}

export interface Network {
  readonly address: Address;
  /** The address with the bits beyond the prefix cleared. */
  readonly bytes: readonly number[];
  readonly prefix: number;
  /** Leading zeros in the prefix length. */
  readonly zeros: boolean;
}

function parse4(text: string): Address | undefined {
  const parts = text.split(".");
  if (parts.length !== 4 || !parts.every((part) => /^\d+$/.test(part) && Number(part) <= 255)) return undefined;
  return { bytes: parts.map(Number), zeros: parts.some((part) => /^0\d/.test(part)), mapped: false };
}

/** The groups of one half of an IPv6 address, the dotted tail as two. */
function groupsOf(half: string, last: boolean): number[] | undefined {
  if (half === "") return [];
  const out: number[] = [];
  const parts = half.split(":");
  for (const [i, part] of parts.entries()) {
    if (last && i === parts.length - 1 && part.includes(".")) {
      const tail = parse4(part);
      if (tail === undefined || tail.zeros) return undefined;
      const [a = 0, b = 0, c = 0, d = 0] = tail.bytes;
      out.push(a * 256 + b, c * 256 + d);
    } else if (/^[0-9a-fA-F]{1,4}$/.test(part)) out.push(parseInt(part, 16));
    else return undefined;
  }
  return out;
}

function parse6(text: string): Address | undefined {
  const halves = text.split("::");
  if (halves.length > 2) return undefined;
  const head = groupsOf(halves[0] ?? "", halves.length === 1);
  const tail = halves.length === 2 ? groupsOf(halves[1] ?? "", true) : [];
  if (head === undefined || tail === undefined) return undefined;
  const missing = 8 - head.length - tail.length;
  if (halves.length === 2 ? missing < 1 : missing !== 0) return undefined;
  const groups = [...head, ...Array<number>(missing).fill(0), ...tail];
  const bytes = groups.flatMap((group) => [group >> 8, group & 255]);
  const mapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  return { bytes: mapped ? bytes.slice(12) : bytes, zeros: false, mapped };
}

/** netutils.ParseIPSloppy: undefined for what is no address. */
export const parseIP = (text: string): Address | undefined => (text.includes(":") ? parse6(text) : parse4(text));

/** 4 or 6 for an IP address, 0 for anything else. */
export function ipFamily(text: string): 0 | 4 | 6 {
  const length = parseIP(text)?.bytes.length;
  if (length === undefined) return 0;
  return length === 4 ? 4 : 6;
}

/** net.IP.String: dotted, or RFC 5952. */
export function ipText(bytes: readonly number[]): string {
  if (bytes.length === 4) return bytes.join(".");
  const groups = Array.from({ length: 8 }, (_, i) => (bytes[2 * i] ?? 0) * 256 + (bytes[2 * i + 1] ?? 0));
  let best = { at: -1, length: 1 };
  for (let i = 0; i < 8; i++) {
    let length = 0;
    while (groups[i + length] === 0) length++;
    if (length > best.length) best = { at: i, length };
  }
  const hex = (part: readonly number[]): string => part.map((group) => group.toString(16)).join(":");
  return best.at < 0 ? hex(groups) : `${hex(groups.slice(0, best.at))}::${hex(groups.slice(best.at + best.length))}`;
}

function clearHostBits(bytes: readonly number[], prefix: number): readonly number[] {
  return bytes.map((byte, i) => {
    const kept = Math.min(8, Math.max(0, prefix - 8 * i));
    return byte & (0xff00 >> kept) & 0xff;
  });
}

/** netutils.ParseCIDRSloppy. */
export function parseCIDR(text: string): Network | undefined {
  const [ip = "", bits = "", ...rest] = text.split("/");
  const address = parseIP(ip);
  if (address === undefined || rest.length > 0 || !/^\d{1,8}$/.test(bits)) return undefined;
  // A mapped address is written with the prefix of IPv6.
  const prefix = Number(bits) - (address.mapped ? 96 : 0);
  if (prefix < 0 || prefix > 8 * address.bytes.length) return undefined;
  return { address, bytes: clearHostBits(address.bytes, prefix), prefix, zeros: /^0\d/.test(bits) };
}

const networkText = ({ bytes, prefix }: Network): string => `${ipText(bytes)}/${prefix}`;
const same = (a: readonly number[], b: readonly number[]): boolean => a.length === b.length && a.every((byte, i) => byte === b[i]);

/** Whether `inner` lies in `outer` and is smaller. */
export const isStrictSubset = (inner: Network, outer: Network): boolean =>
  inner.prefix > outer.prefix && inner.bytes.length === outer.bytes.length && same(clearHostBits(inner.bytes, outer.prefix), outer.bytes);

/** net.ParseIP: without leading zeros. */
export const netIPFamily = (text: string): 0 | 4 | 6 => (parseIP(text)?.zeros === false ? ipFamily(text) : 0);

/** net.ParseCIDR: bits beyond the prefix are fine, leading zeros are not. */
export function isNetCIDR(text: string): boolean {
  const network = parseCIDR(text);
  return network !== undefined && !network.zeros && !network.address.zeros;
}

/** IsValidIPForLegacyField with StrictIPCIDRValidation, on since 1.36. */
export function isValidIP(text: string): string[] {
  const address = parseIP(text);
  if (address === undefined) return ["must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"];
  return [...(address.zeros ? ["must not have leading 0s"] : []), ...(address.mapped ? ["must not be an IPv4-mapped IPv6 address"] : [])];
}

/** IsValidIP of newer fields: also in canonical form. */
export function isCanonicalIP(text: string): string[] {
  const errors = isValidIP(text);
  const canonical = ipText(parseIP(text)?.bytes ?? []);
  return errors.length > 0 || canonical === text ? errors : [`must be in canonical form (${JSON.stringify(canonical)})`];
}

/** IsValidCIDRForLegacyField with StrictIPCIDRValidation. */
export function isValidCIDR(text: string): string[] {
  const network = parseCIDR(text);
  if (network === undefined) return ["must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)"];
  if (network.zeros || network.address.zeros) return ["must not have leading 0s in IP or prefix length"];
  if (network.address.mapped) return ["must not have an IPv4-mapped IPv6 address"];
  return same(network.bytes, network.address.bytes) ? [] : ["must not have bits set beyond the prefix length"];
}

/** IsValidCIDR of newer fields. */
export function isCanonicalCIDR(text: string): string[] {
  const errors = isValidCIDR(text);
  const network = parseCIDR(text);
  if (errors.length > 0 || network === undefined || networkText(network) === text) return errors;
  return [`must be in canonical form (${JSON.stringify(networkText(network))})`];
}

/** ValidateEndpointIP: addresses that no other machine can reach. */
export function endpointIPErrors(text: string): string[] {
  const bytes = parseIP(text)?.bytes;
  if (bytes === undefined) return ["must be a valid IP address"];
  const [a = 0, b = 0, c = 0] = bytes;
  const v4 = bytes.length === 4;
  const zero = bytes.slice(0, -1).every((byte) => byte === 0);
  const errors: string[] = [];
  if (zero && bytes.at(-1) === 0) errors.push(`may not be unspecified (${text})`);
  if (v4 ? a === 127 : zero && bytes.at(-1) === 1) errors.push("may not be in the loopback range (127.0.0.0/8, ::1/128)");
  if (v4 ? a === 169 && b === 254 : a === 0xfe && (b & 0xc0) === 0x80) errors.push("may not be in the link-local range (169.254.0.0/16, fe80::/10)");
  if (v4 ? a === 224 && b === 0 && c === 0 : a === 0xff && (b & 0x0f) === 2) errors.push("may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)");
  return errors;
}

/** GetWarningsForIP. */
export function ipWarnings(path: string, text: string): string[] {
  const address = parseIP(text);
  if (address === undefined) return [];
  const canonical = ipText(address.bytes);
  if (address.zeros || address.mapped) return [`${path}: non-standard IP address ${JSON.stringify(text)} is invalid: use ${JSON.stringify(canonical)}`];
  return address.bytes.length === 16 && canonical !== text ? [`${path}: IPv6 address ${JSON.stringify(text)} should be in RFC 5952 canonical format (${JSON.stringify(canonical)})`] : [];
}

/** GetWarningsForCIDR. Those about host bits and leading zeros can only come for values stored before 1.36. */
export function cidrWarnings(path: string, text: string): string[] {
  const network = parseCIDR(text);
  if (network === undefined) return [];
  const canonical = networkText(network);
  const warnings: string[] = [];
  const single = `${ipText(network.address.bytes)}/${8 * network.bytes.length}`;
  if (!same(network.bytes, network.address.bytes)) warnings.push(`${path}: CIDR value ${JSON.stringify(text)} is ambiguous in this context (should be ${JSON.stringify(canonical)} or ${JSON.stringify(single)}?)`);
  if (network.zeros || network.address.zeros || network.address.mapped) warnings.push(`${path}: non-standard CIDR value ${JSON.stringify(text)} is invalid: use ${JSON.stringify(canonical)}`);
  const long = warnings.length === 0 && network.bytes.length === 16 && canonical !== text;
  return long ? [`${path}: IPv6 CIDR value ${JSON.stringify(text)} should be in RFC 5952 canonical format (${JSON.stringify(canonical)})`] : warnings;
}
