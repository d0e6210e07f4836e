// Models kubernetes/staging/src/k8s.io/kubectl/pkg/describe/describe.go (times, maps)
import { EPOCH_SECONDS, parseRfc3339, SECOND } from "../api/time.ts";

const DAYS = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** "Mon, 30 Nov 2026 12:07:20 +0000" */
export function rfc1123z(timestamp: string): string {
  const days = Math.floor((EPOCH_SECONDS + Math.floor(parseRfc3339(timestamp) / SECOND)) / 86_400);
  const m = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}:\d{2}:\d{2})/.exec(timestamp);
  return m ? `${DAYS[days % 7] ?? ""}, ${m[3] ?? ""} ${MONTHS[Number(m[2]) - 1] ?? ""} ${m[1] ?? ""} ${m[4] ?? ""} +0000` : timestamp;
}


export const sorted = <T>(map: Readonly<Record<string, T>> | undefined): [string, T][] => Object.entries(map ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));

export function multiline(title: string, pairs: readonly string[]): string {
  return pairs.length === 0 ? `${title}:\t<none>\n` : `${title}:\t${pairs.join("\n\t")}\n`;
}

const MAX_ANNOTATION = 140;
const shorten = (text: string, length: number): string => (text.length > length ? `${text.slice(0, length)}...` : text);

/** Annotations but the one of apply; long ones and ones of several lines below their key. */
export function annotationsText(title: string, map: Readonly<Record<string, string>> | undefined): string {
  const entries = sorted(map).filter(([key]) => key !== "kubectl.kubernetes.io/last-applied-configuration");
  return multiline(title, entries.map(([key, raw]) => {
    const value = raw.replace(/\n$/, "");
    if (value.length + key.length + 2 <= MAX_ANNOTATION && !value.includes("\n")) return `${key}: ${value}`;
    return `${key}:${value.split("\n").map((line) => `\n\t  ${shorten(line, MAX_ANNOTATION - 2)}`).join("")}`;
  }));
}

export const labelsText = (title: string, map: Readonly<Record<string, string>> | undefined): string => multiline(title, sorted(map).map(([key, value]) => `${key}=${value}`));

type Meta = { readonly name?: string; readonly namespace?: string; readonly labels?: Readonly<Record<string, string>>; readonly annotations?: Readonly<Record<string, string>> };
/** Name, namespace, labels, annotations: how most kinds begin. */
export const headText = ({ name = "", namespace, labels, annotations }: Meta): string => `Name:\t${name}\n${namespace === undefined ? "" : `Namespace:\t${namespace}\n`}${labelsText("Labels", labels)}${annotationsText("Annotations", annotations)}`;

/** A line, or nothing for an empty value. */
export const line = (title: string, value: unknown): string => (value === undefined || value === null || value === "" ? "" : `${title}:\t${String(value)}\n`);
export const list = (values: readonly string[] | undefined): string => (values === undefined || values.length === 0 ? "<none>" : values.join(","));
