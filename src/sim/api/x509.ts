// Models Go's crypto/x509: what a request asks for, and the certificate that answers it
import { base64DecodeBytes, base64EncodeBytes, utf8Decode } from "./base64.ts";
import { asciiBytes, type Bytes, type Der, hexBytes, inside, readDer, SEQUENCE, SET, toHex, writeDer } from "./der.ts";
import { hexId } from "./ids.ts";
import { type Micros, parseRfc3339, rfc3339 } from "./time.ts";

/** A certificate request, as far as signers look at it. */
export interface CertificateRequest {
  readonly commonName: string;
  readonly organizations: readonly string[];
  readonly dnsNames: readonly string[];
  readonly emails: readonly string[];
  readonly uris: readonly string[];
  readonly addresses: number;
  readonly subject: Bytes;
  readonly publicKey: Bytes;
  /** The subjectAltName extension as it is; empty without one. */
  readonly alternatives: Bytes;
}

const COMMON_NAME = "550403";
const ORGANIZATION = "55040a";
const ALT_NAME = "551d11";
const EXTENSION_REQUEST = "2a864886f70d01090e";
const OID = 0x06;
const OCTETS = 0x04;
const BITS = 0x03;
const INTEGER = 0x02;
const UTF8 = 0x0c;
const UTC_TIME = 0x17;

/** The bytes of the first PEM block of this type; undefined without one. */
export function pemBlock(text: string, type: string): Bytes | undefined {
  const found = new RegExp(`-----BEGIN ${type}-----([A-Za-z0-9+/=\\s]*)-----END ${type}-----`).exec(text);
  return found?.[1] === undefined ? undefined : base64DecodeBytes(found[1]);
}

export const pemText = (type: string, bytes: Bytes): string => `-----BEGIN ${type}-----\n${(base64EncodeBytes(bytes).match(/.{1,64}/g) ?? []).join("\n")}\n-----END ${type}-----\n`;

const textOf = (der: Der | undefined): string => (der === undefined ? "" : utf8Decode(der.content));

const namesOf = (subject: Der | undefined, oid: string): readonly string[] => inside(subject).flatMap((set) => inside(set)).map((pair) => inside(pair)).filter(([id]) => id !== undefined && toHex(id.content) === oid).map(([, value]) => textOf(value));

function alternativesOf(attributes: Der | undefined): Der | undefined {
  const wanted = inside(attributes).map((attribute) => inside(attribute)).find(([id]) => id !== undefined && toHex(id.content) === EXTENSION_REQUEST);
  return inside(wanted?.[1]).flatMap((list) => inside(list)).find((extension) => toHex(inside(extension)[0]?.content ?? []) === ALT_NAME);
}

/** ParseCSR: undefined when it is not a certificate request. */
export function parseRequest(pem: string): CertificateRequest | undefined {
  const [outer] = readDer(pemBlock(pem, "CERTIFICATE REQUEST") ?? []) ?? [];
  const [, subject, publicKey, attributes] = inside(inside(outer)[0]);
  if (subject?.tag !== SEQUENCE || publicKey?.tag !== SEQUENCE) return undefined;
  const alternatives = alternativesOf(attributes);
  const names = inside(readDer(inside(alternatives).at(-1)?.content ?? [])?.[0]);
  const of = (tag: number): readonly string[] => names.filter((name) => name.tag === tag).map(textOf);
  return {
    commonName: namesOf(subject, COMMON_NAME).at(-1) ?? "", organizations: namesOf(subject, ORGANIZATION), emails: of(0x81), dnsNames: of(0x82), uris: of(0x86),
    addresses: names.filter(({ tag }) => tag === 0x87).length, subject: subject.raw, publicKey: publicKey.raw, alternatives: alternatives?.raw ?? [],
  };
}

const RSA_SHA256 = writeDer(SEQUENCE, writeDer(OID, hexBytes("2a864886f70d01010b")), [0x05, 0x00]);
const EXTENDED: Readonly<Record<string, string>> = { "server auth": "2b06010505070301", "client auth": "2b06010505070302", "code signing": "2b06010505070303", "email protection": "2b06010505070304", timestamping: "2b06010505070308", "ocsp signing": "2b06010505070309" };
const PLAIN: Readonly<Record<string, number>> = { signing: 0x80, "digital signature": 0x80, "content commitment": 0x40, "key encipherment": 0x20, "data encipherment": 0x10, "key agreement": 0x08, "cert sign": 0x04, "crl sign": 0x02, "encipher only": 0x01 };

const extension = (oid: string, critical: boolean, value: Bytes): Bytes => writeDer(SEQUENCE, writeDer(OID, hexBytes(oid)), critical ? [0x01, 0x01, 0xff] : [], writeDer(OCTETS, value));

function extensionsOf(request: CertificateRequest, usages: readonly string[]): Bytes {
  const bits = usages.reduce((sum, usage) => sum | (PLAIN[usage] ?? 0), 0);
  const extended = usages.flatMap((usage) => (EXTENDED[usage] === undefined ? [] : [writeDer(OID, hexBytes(EXTENDED[usage]))]));
  return writeDer(SEQUENCE, ...(bits === 0 ? [] : [extension("551d0f", true, writeDer(BITS, [0, bits]))]), ...(extended.length === 0 ? [] : [extension("551d25", false, writeDer(SEQUENCE, ...extended))]), extension("551d13", true, writeDer(SEQUENCE)), request.alternatives);
}

const utcTime = (at: Micros): Bytes => writeDer(UTC_TIME, asciiBytes(`${rfc3339(at).slice(2, -1).replaceAll(/[-:T]/g, "")}Z`));

/** A certificate in PEM. Simplified: a digest stands for the CA's signature. */
export function signCertificate(request: CertificateRequest, { issuer, usages, notBefore, notAfter }: { readonly issuer: string; readonly usages: readonly string[]; readonly notBefore: Micros; readonly notAfter: Micros }): string {
  const name = writeDer(SEQUENCE, writeDer(SET, writeDer(SEQUENCE, writeDer(OID, hexBytes(COMMON_NAME)), writeDer(UTF8, asciiBytes(issuer)))));
  const serial = writeDer(INTEGER, hexBytes(`1${hexId(1, `serial/${toHex(request.subject)}/${notBefore}`, 31)}`));
  const version = writeDer(0xa0, writeDer(INTEGER, [2]));
  const body = writeDer(SEQUENCE, version, serial, RSA_SHA256, name, writeDer(SEQUENCE, utcTime(notBefore), utcTime(notAfter)), request.subject, request.publicKey, writeDer(0xa3, extensionsOf(request, usages)));
  const signature = hexBytes(hexId(1, toHex(body), 512));
  return pemText("CERTIFICATE", writeDer(SEQUENCE, body, RSA_SHA256, writeDer(BITS, [0, ...signature])));
}

/** When a certificate ends; undefined when it cannot be read. */
export function notAfterOf(pem: string): Micros | undefined {
  const [outer] = readDer(pemBlock(pem, "CERTIFICATE") ?? []) ?? [];
  const [, , , , validity] = inside(inside(outer)[0]);
  const text = textOf(inside(validity)[1]);
  const [, year = "", month = "", day = "", hour = "", minute = "", second = ""] = /^(\d\d|\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(text) ?? [];
  const at = parseRfc3339(`${year.length === 2 ? `20${year}` : year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(at) ? undefined : at;
}
