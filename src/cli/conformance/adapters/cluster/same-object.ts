import { show } from "../../difference.ts";
import { atMoment, type Span } from "./same-output.ts";

/** What is drawn anew by every server: a record names the kinds of values, and new ones are told from old ones by the dump. */
const UID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const ALLOCATED_IP = /^10\.96\.\d+\.\d+$/;
const NODE_PORT = 30_000;
const TOKEN_VOLUME = /^kube-api-access-[bcdfghjklmnpqrstvwxz2456789]{5}$/;

type Fields = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Fields => typeof value === "object" && value !== null && !Array.isArray(value);

/** One comparison: values of the recording that are drawn there, and what they are here; each stands for one other. */
class Sameness {
  private readonly drawn = new Map<string, string>();
  private readonly moment: Span;
  private readonly known: (value: string) => boolean;

  constructor(moment: Span, known: (value: string) => boolean) {
    this.moment = moment;
    this.known = known;
  }

  difference(want: unknown, got: unknown, path: string): string | undefined {
    if (Array.isArray(want) && Array.isArray(got) && want.length === got.length) return this.first(want.map((item, i) => [item, got[i], `${path}[${i}]`]));
    if (isObject(want) && isObject(got)) {
      const keys = [...new Set([...Object.keys(want), ...Object.keys(got)])].sort();
      return this.first(keys.map((key) => [want[key], got[key], path === "" ? key : `${path}.${key}`]));
    }
    const same = typeof want === "string" && typeof got === "string" ? this.sameText(want, got, path) : typeof want === "number" && typeof got === "number" ? this.sameNumber(want, got, path) : want === got;
    return same ? undefined : `${path}: expected ${show(want)}, got ${show(got)}`;
  }

  private first(pairs: readonly (readonly [unknown, unknown, string])[]): string | undefined {
    for (const [want, got, path] of pairs) {
      const found = this.difference(want, got, path);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  private sameText(want: string, got: string, path: string): boolean {
    // The recorded server's store went on counting from block to block.
    if (path === "metadata.resourceVersion") return true;
    if (/(^|\.)clusterIPs?(\[0\])?$/.test(path) && ALLOCATED_IP.test(want) && ALLOCATED_IP.test(got)) return this.paired(want, got);
    if (TOKEN_VOLUME.test(want) && TOKEN_VOLUME.test(got)) return this.paired(want, got);
    const [wantIds, gotIds] = [want.match(UID) ?? [], got.match(UID) ?? []];
    if (wantIds.length !== gotIds.length || !wantIds.every((id, i) => this.paired(id, gotIds[i] ?? ""))) return false;
    const [there, here] = [want.replaceAll(UID, "<uid>"), got.replaceAll(UID, "<uid>")];
    return atMoment(there, here, this.moment) === there;
  }

  private sameNumber(want: number, got: number, path: string): boolean {
    const allocated = /(\.nodePort|healthCheckNodePort)$/.test(path) && want >= NODE_PORT && got >= NODE_PORT;
    return allocated ? this.paired(String(want), String(got)) : want === got;
  }

  /** A value that the dump knows is the same here; a new one always stands for the same other new one. */
  private paired(want: string, got: string): boolean {
    if (this.known(want) || this.known(got)) return want === got;
    const [there, back] = [this.drawn.get(`>${want}`), this.drawn.get(`<${got}`)];
    this.drawn.set(`>${want}`, got).set(`<${got}`, want);
    return (there ?? got) === got && (back ?? want) === want;
  }
}

/**
 * Where a stored object differs from the recorded one, or undefined. managedFields are compared where they were recorded; times within
 * `moment` may be a second apart; `known` tells the values that both clusters began with.
 */
export function differentObject(expected: unknown, actual: unknown, withManagedFields: boolean, moment: Span, known: (value: string) => boolean): string | undefined {
  if (!isObject(actual) || !isObject(actual["metadata"])) return `expected an object, got ${show(actual)}`;
  const { managedFields, ...metadata } = actual["metadata"];
  const got = withManagedFields && managedFields !== undefined ? actual : { ...actual, metadata };
  return new Sameness(moment, known).difference(expected, got, "");
}
