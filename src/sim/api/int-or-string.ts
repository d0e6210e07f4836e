// Models kubernetes/staging/src/k8s.io/apimachinery/pkg/util/intstr/intstr.go
import type { IntOrString } from "./types.ts";

/** "25%" of `total`, rounded up or down; plain numbers are themselves; undefined for other texts. */
export function scaledValue(value: IntOrString | undefined, total: number, roundUp: boolean): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value === "number") return value;
  const m = /^(\d+)%$/.exec(value);
  if (!m) return undefined;
  const product = Number(m[1]) * total;
  return roundUp ? Math.ceil(product / 100) : Math.floor(product / 100);
}

/** IntValue(): the number, or the text as one (0 if it is none). */
export function intValue(value: IntOrString | undefined): number {
  if (typeof value === "number") return value;
  return value !== undefined && /^[+-]?\d+$/.test(value) ? Number(value) : 0;
}
