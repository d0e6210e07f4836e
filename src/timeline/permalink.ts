import { LEVELS, type Level } from "../trace/model.ts";
import type { RunInput, RunRecipe } from "../worker/protocol.ts";
import { AXES, type AxisKind } from "./axis.ts";
import { type Bookmark, type Loop, readBookmarks, readLoop, writeBookmarks, writeLoop } from "./bookmarks.ts";
import { parseTime } from "./format.ts";

/** What a link says: a run and a view of it. */
export interface Link {
  /** A built-in sample's id, or undefined if `manifest` is the user's own. */
  readonly sample?: string;
  readonly manifest?: { readonly file: string; readonly text: string };
  readonly world?: string;
  readonly seed?: number;
  readonly profile?: "quiet" | "busy";
  readonly schedulerConfig?: string;
  readonly slowdowns?: NonNullable<RunRecipe["slowdowns"]>;
  /** Inputs besides the first apply. */
  readonly inputs: readonly RunInput[];
  readonly fork?: number;
  readonly t?: number;
  readonly axis?: AxisKind;
  readonly detail?: Level;
  readonly text?: boolean;
  /** Breakpoints that are on. */
  readonly stops?: readonly string[];
  readonly bookmarks?: readonly Bookmark[];
  readonly loop?: Loop;
  readonly exercise?: NonNullable<RunRecipe["exercise"]>;
}

export const DEFAULTS = { sample: "nginx", world: "ten-nodes", seed: 1, profile: "quiet", axis: "story", detail: "basic" } as const;

/** The input that applies a manifest at the beginning of a run. */
export function applyInput(at: number, file: string, text: string): RunInput {
  return { at, type: "command", argv: ["apply", "-f", file], files: { [file]: text } };
}

/** The recipe's manifest and its other inputs, if it begins as the editor's Apply does. */
export function splitRecipe(recipe: RunRecipe): { file: string; text: string; rest: readonly RunInput[] } | undefined {
  const [first, ...rest] = recipe.inputs;
  if (first?.type !== "command" || first.at !== 0 || first.argv[0] !== "apply" || first.argv[1] !== "-f") return undefined;
  const file = first.argv[2];
  const text = file === undefined ? undefined : first.files[file];
  return file === undefined || text === undefined ? undefined : { file, text, rest };
}

/** Writes a link's hash: the same view always gives the same text. `usualWorld`: the cluster that the sample brings. */
export async function writeHash(link: Link, usualWorld: string = DEFAULTS.world): Promise<string> {
  const source = link.sample !== undefined ? `s/${encodeURIComponent(link.sample)}` : `m/${await pack(link.manifest?.text ?? "")}`;
  const params: string[] = [];
  const add = (name: string, value: string | number | undefined, standard?: string | number): void => {
    if (value !== undefined && value !== standard) params.push(`${name}=${encodeURIComponent(value)}`);
  };
  if (link.sample === undefined) add("f", link.manifest?.file, "manifest.yaml");
  add("w", link.world, usualWorld);
  add("seed", link.seed, DEFAULTS.seed);
  add("p", link.profile, DEFAULTS.profile);
  if (link.schedulerConfig !== undefined) params.push(`sc=${await pack(link.schedulerConfig)}`);
  const slow = Object.entries(link.slowdowns ?? {});
  if (slow.length > 0) params.push(`sl=${slow.map(([id, percent]) => `${id}-${percent}`).join(",")}`);
  const faults = link.inputs.filter((input) => input.type === "fault");
  const commands = link.inputs.filter((input) => input.type === "command");
  if (faults.length > 0) params.push(`i=${faults.map(writeFault).join(";")}`);
  const edits = link.inputs.filter((input) => input.type === "edited");
  if (commands.length > 0) params.push(`c=${await pack(JSON.stringify(commands.map(({ at, argv, files, env = {} }) => (Object.keys(env).length === 0 ? [at, argv, files] : [at, argv, files, env]))))}`);
  if (edits.length > 0) params.push(`e=${await pack(JSON.stringify(edits.map(({ at, session, text }) => [at, session, text])))}`);
  add("fork", link.fork);
  add("ax", link.axis, DEFAULTS.axis);
  add("d", link.detail, DEFAULTS.detail);
  if (link.text === true) params.push("view=text");
  if (link.stops !== undefined && link.stops.length > 0) params.push(`bp=${link.stops.map(encodeURIComponent).join(";")}`);
  if (link.bookmarks !== undefined && link.bookmarks.length > 0) params.push(`b=${writeBookmarks(link.bookmarks)}`);
  if (link.loop !== undefined) params.push(`lp=${writeLoop(link.loop)}`);
  if (link.exercise !== undefined) params.push(`x=${await pack(JSON.stringify(link.exercise))}`);
  params.push(`t=${link.t ?? 0}`);
  return `#/v1/${source}?${params.join("&")}`;
}

/** Reads a hash leniently: what it does not know it leaves out. Undefined if it says nothing at all. */
export async function readHash(hash: string): Promise<Link | undefined> {
  const body = hash.replace(/^#\/?/, "");
  if (body === "") return undefined;
  const mark = body.indexOf("?");
  const path = mark >= 0 ? body.slice(0, mark) : body.includes("=") && !body.startsWith("v1/") ? "" : body;
  const params = new Map(
    (mark >= 0 ? body.slice(mark + 1) : path === "" ? body : "").split("&").flatMap((part): [string, string][] => {
      const at = part.indexOf("=");
      return at > 0 ? [[part.slice(0, at), part.slice(at + 1)]] : [];
    }),
  );
  const text = (name: string): string | undefined => {
    const value = params.get(name);
    return value === undefined ? undefined : decodeURIComponent(value);
  };
  const [, kind, source] = /^v1\/([sm])\/(.*)$/.exec(path) ?? [];
  const faults = (params.get("i") ?? "").split(";").flatMap((part) => readFault(part) ?? []);
  const commands = await readRows<[number, string[], Record<string, string>, Record<string, string>?]>(params.get("c"));
  const edits = await readRows<[number, number, string?]>(params.get("e"));
  const axis = text("ax");
  const detail = text("d");
  const seed = Number(text("seed"));
  const manifest = kind === "m" && source !== undefined ? await unpack(source) : undefined;
  const schedulerConfig = params.has("sc") ? await unpack(params.get("sc") ?? "") : undefined;
  const slowdowns = readSlowdowns(params.get("sl") ?? "");
  const exercise = await readExercise(params.get("x"));
  const loop = readLoop(params.get("lp") ?? "");
  return {
    ...(schedulerConfig === undefined ? {} : { schedulerConfig }),
    ...(Object.keys(slowdowns).length === 0 ? {} : { slowdowns }),
    ...(kind === "s" && source ? { sample: decodeURIComponent(source) } : {}),
    ...(manifest === undefined ? {} : { manifest: { file: text("f") ?? "manifest.yaml", text: manifest } }),
    ...(params.has("w") ? { world: text("w") ?? DEFAULTS.world } : {}),
    ...(Number.isInteger(seed) && params.has("seed") ? { seed } : {}),
    ...(text("p") === "busy" ? { profile: "busy" } : {}),
    inputs: [
      ...faults,
      ...commands.map(([at, argv, files, env]): RunInput => ({ at, type: "command", argv, files, ...(env === undefined ? {} : { env }) })),
      ...edits.map(([at, session, text]): RunInput => ({ at, type: "edited", session, ...(typeof text === "string" ? { text } : {}) })),
    ].sort((a, b) => a.at - b.at),
    ...optional("fork", micros(text("fork"))),
    ...optional("t", micros(text("t"))),
    ...(AXES.some((one) => one === axis) ? { axis: axis as AxisKind } : {}),
    ...(LEVELS.some((one) => one === detail) ? { detail: detail as Level } : {}),
    ...(text("view") === "text" ? { text: true } : {}),
    ...(params.has("b") ? { bookmarks: readBookmarks(params.get("b") ?? "") } : {}),
    ...(exercise === undefined ? {} : { exercise }),
    ...(loop === undefined ? {} : { loop }),
    ...(params.has("bp") ? { stops: (params.get("bp") ?? "").split(";").map(decodeURIComponent) } : {}),
  };
}

/** What an open exercise hides: packed, so that the link does not say it either. */
async function readExercise(packed: string | undefined): Promise<Link["exercise"]> {
  const text = packed === undefined ? undefined : await unpack(packed);
  try {
    const found = JSON.parse(text ?? "null") as Partial<NonNullable<Link["exercise"]>> | null;
    const hidden = (found?.hidden ?? []).filter((input) => input.type === "fault" && typeof input.id === "string" && Number.isInteger(input.at));
    return typeof found?.slug === "string" ? { slug: found.slug, hidden } : undefined;
  } catch {
    return undefined;
  }
}

/** "etcd-500,registry-50": percent of the usual durations. */
function readSlowdowns(text: string): NonNullable<Link["slowdowns"]> {
  return Object.fromEntries(text.split(",").flatMap((part) => {
    const [, id = "", percent = ""] = /^([a-z]+)-(\d{1,6})$/.exec(part) ?? [];
    return id === "" || Number(percent) < 1 ? [] : [[id, Number(percent)]];
  }));
}

const optional = <K extends string, V>(name: K, value: V | undefined): { [P in K]?: V } => (value === undefined ? {} : ({ [name]: value } as { [P in K]?: V }));

/** A bare number is microseconds; "2.114s" and "50ms" are read too. */
function micros(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  return /^\d+$/.test(value) ? Number(value) : parseTime(value);
}

/** "image.not-found@2114388-9000000~image=nginx%3A1.27": id, start, optional end, parameters. */
function writeFault(input: Extract<RunInput, { type: "fault" }>): string {
  const params = Object.entries(input.params).map(([name, value]) => `~${encodeURIComponent(name)}:${typeof value === "string" ? "s" : typeof value === "number" ? "n" : "b"}:${encodeURIComponent(value)}`);
  return `${input.id}@${input.at}${input.until === undefined ? "" : `-${input.until}`}${params.join("")}`;
}

function readFault(part: string): RunInput[] | undefined {
  const [head = "", ...pairs] = part.split("~");
  const [, id, from, , until] = /^([a-z0-9.-]+)@([0-9a-zµ.]+)(-([0-9a-zµ.]+))?$/i.exec(head) ?? [];
  const at = micros(from);
  if (id === undefined || at === undefined) return undefined;
  const end = micros(until);
  const params: Record<string, string | number | boolean> = {};
  for (const pair of pairs) {
    const [name = "", type, value = ""] = pair.split(":");
    const text = decodeURIComponent(value);
    params[decodeURIComponent(name)] = type === "n" ? Number(text) : type === "b" ? text === "true" : text;
  }
  return [{ at, type: "fault", id, params, ...(end === undefined ? {} : { until: end }) }];
}

/** A list of inputs, one array each; empty if it cannot be read. */
async function readRows<T>(packed: string | undefined): Promise<T[]> {
  const text = packed === undefined ? undefined : await unpack(packed);
  try {
    return text === undefined ? [] : (JSON.parse(text) as T[]);
  } catch {
    return [];
  }
}

async function pack(text: string): Promise<string> {
  const bytes = await pipe(new TextEncoder().encode(text), new CompressionStream("deflate-raw"));
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

async function unpack(packed: string): Promise<string | undefined> {
  try {
    const binary = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (c) => c.charCodeAt(0));
    return new TextDecoder().decode(await pipe(bytes, new DecompressionStream("deflate-raw")));
  } catch {
    return undefined;
  }
}

async function pipe(bytes: Uint8Array<ArrayBuffer>, through: CompressionStream | DecompressionStream): Promise<Uint8Array> {
  const stream = new Blob([bytes]).stream().pipeThrough(through);
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
