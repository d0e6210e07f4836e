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
