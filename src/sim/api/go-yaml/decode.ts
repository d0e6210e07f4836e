// Models kubernetes/vendor/go.yaml.in/yaml/v2/decode.go and sigs.k8s.io/yaml (convertToJSONableObject)
import { base64Decode } from "../base64.ts";
import { formatFloat, goSyntax } from "./go-syntax.ts";
import type { YamlNode } from "./parser.ts";
import { isBinary, isMergeKey, resolve, type Resolved, type Words } from "./resolve.ts";
import { YamlError } from "./source.ts";

/** A mistake that is met after YAML was read, when its values are turned into JSON: it has no "yaml: " in front. */
export class JsonError extends YamlError {}

type JsonObject = Record<string, unknown>;
type Frame =
  | { readonly kind: "sequence"; readonly node: YamlNode; next: number; readonly out: unknown[] }
  | { readonly kind: "mapping"; readonly node: YamlNode; next: number; readonly out: JsonObject; key: string | undefined }
  | { readonly kind: "merge"; readonly nodes: readonly YamlNode[]; next: number; readonly out: JsonObject }
  | { readonly kind: "alias"; readonly node: YamlNode };

/** Of all nodes visited, how large a part may come from aliases: 99 % in small documents, 10 % in large ones. */
function allowedAliasRatio(visits: number): number {
  const low = 400_000;
  const high = 4_000_000;
  return visits <= low ? 0.99 : visits >= high ? 0.1 : 0.99 - 0.89 * ((visits - low) / (high - low));
}

const MAX_JSON_DEPTH = 10000;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** The mappings behind "<<": the first one in a list wins, so it comes last. */
function mergedNodes(node: YamlNode): readonly YamlNode[] {
  const nodes = node.kind === "sequence" ? node.children.toReversed() : [node];
  if (nodes.some((item) => (item.target ?? item).kind !== "mapping")) throw new YamlError("map merge requires map or sequence of maps as the value", node.pos);
  return nodes;
}

/** A key as JSON has it; undefined of what cannot be one. */
function keyText({ type, value, digits }: Resolved): string | undefined {
  if (type === "nil" || type === "uint64") return undefined;
  if (type !== "float64") return digits ?? String(value);
  const shown = formatFloat(Number(value), 32);
  return { "+Inf": ".inf", "-Inf": "-.inf", NaN: ".nan" }[shown] ?? shown;
}

function set(out: JsonObject, key: string, value: unknown): void {
  if (key === "__proto__") Object.defineProperty(out, key, { value, enumerable: true, writable: true, configurable: true });
  else out[key] = value;
}

/** Without recursion: neither depth nor aliases can exhaust the platform's stack. */
class Decoder {
  /** What opens the first list or object that is deeper than Go reads JSON. */
  tooDeep: "[" | "{" | undefined;
  private readonly frames: Frame[] = [];
  private readonly aliases = new Set<YamlNode>();
  private visits = 0;
  private aliasVisits = 0;
  private aliasDepth = 0;
  private nesting = 0;
  /** The value that was decoded last, and what it was as a scalar. */
  private value: unknown;
  private scalar: Resolved | undefined;
  /** The first key and the first value that JSON does not have. */
  private wrongKey: { readonly key: YamlNode; readonly value: YamlNode; readonly resolved: Resolved } | undefined;
  private wrongValue: JsonError | undefined;
  private readonly words: Words;

  constructor(words: Words) {
    this.words = words;
  }

  run(root: YamlNode): unknown {
    let arrived = this.visit(root);
    for (let frame = this.frames.at(-1); frame !== undefined; frame = this.frames.at(-1)) {
      if (arrived) this.receive(frame);
      arrived = this.step(frame);
    }
    if (this.wrongKey !== undefined) {
      const { key, value, resolved } = this.wrongKey;
      throw new JsonError(`unsupported map key of type: ${resolved.type === "nil" ? "%!s(<nil>)" : resolved.type}, key: ${goSyntax(key)}, value: ${goSyntax(value)}`, key.pos);
    }
    if (this.wrongValue !== undefined) throw this.wrongValue;
    return this.value;
  }

  /** Goes to a node; true if its value is there already. A mapping can be decoded into another one. */
  private visit(node: YamlNode, into?: JsonObject): boolean {
    this.visits += 1;
    if (this.aliasDepth > 0) this.aliasVisits += 1;
    if (this.aliasVisits > 100 && this.visits > 1000 && this.aliasVisits / this.visits > allowedAliasRatio(this.visits)) throw new YamlError("document contains excessive aliasing", node.pos);
    if (node.target !== undefined) {
      if (this.aliases.has(node)) throw new YamlError(`anchor '${node.value}' value contains itself`, node.pos);
      this.aliases.add(node);
      this.aliasDepth += 1;
      this.frames.push({ kind: "alias", node });
      return this.visit(node.target, into);
    }
    if (node.kind === "scalar") {
      this.decodeScalar(node);
      return true;
    }
    this.nesting += 1;
    if (this.nesting > MAX_JSON_DEPTH) this.tooDeep ??= node.kind === "sequence" ? "[" : "{";
    this.frames.push(node.kind === "sequence" ? { kind: "sequence", node, next: 0, out: [] } : { kind: "mapping", node, next: 0, out: into ?? {}, key: undefined });
    return false;
  }

  private decodeScalar(node: YamlNode): void {
    const resolved = resolve(node, this.words);
    this.scalar = resolved;
    // JSON's "-0" is read as an integer.
    this.value = resolved.value === 0 ? 0 : resolved.value;
    if (isBinary(resolved)) {
      const data = node.value.replaceAll(/[\r\n]/g, "");
      if (!BASE64.test(data)) throw new YamlError("!!binary value contains invalid base64 data", node.pos);
      this.value = base64Decode(data);
      this.scalar = { ...resolved, value: base64Decode(data) };
    }
  }

  /** Takes the value that a part of a frame decoded to. */
  private receive(frame: Frame): void {
    if (frame.kind === "alias" || frame.kind === "merge") return;
    const node = frame.node.children[frame.next - 1];
    if (node === undefined) return;
    if (frame.kind === "mapping" && frame.next % 2 === 1) {
      frame.key = this.receiveKey(frame.node, node, frame.next);
      return;
    }
    const { value } = this;
    if (typeof value === "number" && !Number.isFinite(value)) this.wrongValue ??= new JsonError(`json: unsupported value: ${formatFloat(value, 64)}`, node.pos);
    if (frame.kind === "sequence") frame.out.push(value);
    else if (frame.key !== undefined) set(frame.out, frame.key, value);
  }

  private receiveKey(mapping: YamlNode, node: YamlNode, next: number): string | undefined {
    const key = node.target ?? node;
    if (key.kind !== "scalar" || this.scalar === undefined) throw new YamlError(`invalid map key: ${goSyntax(key)}`, node.pos);
    const found = keyText(this.scalar);
    const value = mapping.children[next];
    if (found === undefined && value !== undefined) this.wrongKey ??= { key, value, resolved: this.scalar };
    return found;
  }

  /** Visits the next part of a frame, or ends it; true if there is a value for the frame below. */
  private step(frame: Frame): boolean {
    if (frame.kind === "alias") {
      this.frames.pop();
      this.aliases.delete(frame.node);
      this.aliasDepth -= 1;
      return true;
    }
    const node = (frame.kind === "merge" ? frame.nodes : frame.node.children)[frame.next];
    if (node === undefined) {
      this.frames.pop();
      if (frame.kind === "merge") return false;
      this.nesting -= 1;
      this.value = frame.out;
      return true;
    }
    frame.next += 1;
    if (frame.kind === "merge") return this.visit(node, frame.out);
    const merged = frame.kind === "mapping" && frame.next % 2 === 1 && isMergeKey(node) ? frame.node.children[frame.next] : undefined;
    if (frame.kind !== "mapping" || merged === undefined) return this.visit(node);
    frame.next += 1;
    this.frames.push({ kind: "merge", nodes: mergedNodes(merged), next: 0, out: frame.out });
    return false;
  }
}

/** The value of a document as JSON has it, and what opens the part of it that is nested too deep. Throws YamlError. */
export function decodeYaml(root: YamlNode | undefined, words: Words = "YAML 1.1"): { readonly value: unknown; readonly tooDeep?: string | undefined } {
  if (root === undefined) return { value: null };
  const decoder = new Decoder(words);
  const value = decoder.run(root);
  if (typeof value === "number" && !Number.isFinite(value)) throw new JsonError(`json: unsupported value: ${formatFloat(value, 64)}`, root.pos);
  return { value, tooDeep: decoder.tooDeep };
}
