// Models kubernetes/vendor/go.yaml.in/yaml/v2/parserc.go and the composer of decode.go
import { Scanner, type Token, type TokenType } from "./scanner.ts";
import { sourceOf, YamlError } from "./source.ts";

/** A part of a document. An alias has the node it stands for, a mapping keys and values in turn. */
export interface YamlNode {
  readonly kind: "scalar" | "sequence" | "mapping" | "alias";
  /** Offset in the text. */
  readonly pos: number;
  /** The full tag; "" without one. */
  readonly tag: string;
  /** Text of a scalar, name of an alias. */
  readonly value: string;
  /** A scalar without quotes and tag. */
  readonly plain: boolean;
  readonly children: YamlNode[];
  readonly target?: YamlNode;
}

const STANDARD_HANDLES: readonly (readonly [string, string])[] = [["!", "!"], ["!!", "tag:yaml.org,2002:"]];

interface Properties {
  readonly anchor: string;
  readonly tag: string;
}

type State = (p: Parser) => void;

/**
 * Libyaml's grammar as a stack of states, so that depth costs no stack of the platform. Nodes are put together as
 * upstream does it from events: at once, so that what is wrong with an anchor is met before the next token.
 */
class Parser {
  root: YamlNode | undefined;
  done = false;
  readonly scanner: Scanner;
  readonly handles = new Map<string, string>();
  private state: State = implicitDocumentStart;
  private readonly states: State[] = [];
  private readonly open: YamlNode[] = [];
  private readonly anchors = new Map<string, YamlNode>();

  constructor(text: string) {
    this.scanner = new Scanner(sourceOf(text));
  }

  run(): YamlNode | undefined {
    while (!this.done) this.state(this);
    return this.root;
  }

  get type(): TokenType {
    return this.scanner.peek().type;
  }

  is(...types: readonly TokenType[]): boolean {
    return types.includes(this.type);
  }

  take(): Token {
    const token = this.scanner.peek();
    this.scanner.next();
    return token;
  }

  /** Lines are counted from 0 here: upstream says the line before the mistake. */
  fail(problem: string, { line, pos }: Token = this.scanner.peek()): never {
    throw new YamlError(line === 0 ? problem : `line ${line}: ${problem}`, pos);
  }

  go(state: State, back?: State): void {
    if (back !== undefined) this.states.push(back);
    this.state = state;
  }

  back(): void {
    this.state = this.states.pop() ?? documentEnd;
  }

  add(node: YamlNode, anchor = ""): void {
    if (anchor !== "") this.anchors.set(anchor, node);
    const parent = this.open.at(-1);
    if (parent === undefined) this.root = node;
    else parent.children.push(node);
  }

  addAlias({ value, pos }: Token): void {
    const target = this.anchors.get(value);
    if (target === undefined) throw new YamlError(`unknown anchor '${value}' referenced`, pos);
    this.add({ kind: "alias", pos, tag: "", value, plain: false, children: [], target });
  }

  addEmpty(pos: number): void {
    this.add({ kind: "scalar", pos, tag: "", value: "", plain: true, children: [] });
  }

  start(kind: "sequence" | "mapping", pos: number, { anchor, tag }: Properties = { anchor: "", tag: "" }): void {
    const node: YamlNode = { kind, pos, tag, value: "", plain: false, children: [] };
    this.add(node, anchor);
    this.open.push(node);
  }

  end(): void {
    this.open.pop();
  }
}

function implicitDocumentStart(p: Parser): void {
  if (p.is("stream-end")) {
    p.done = true;
  } else if (p.is("version-directive", "tag-directive", "document-start")) {
    processDirectives(p);
    if (!p.is("document-start")) p.fail("did not find expected <document start>");
    p.take();
    p.go(documentContent, documentEnd);
  } else {
    processDirectives(p);
    p.go(blockNode, documentEnd);
  }
}

function processDirectives(p: Parser): void {
  let version = false;
  for (; p.is("version-directive", "tag-directive"); p.take()) {
    const { type, value, extra } = p.scanner.peek();
    if (type === "version-directive") {
      if (version) p.fail("found duplicate %YAML directive");
      if (value !== "1" || extra !== "1") p.fail("found incompatible YAML document");
      version = true;
    } else {
      if (p.handles.has(value)) p.fail("found duplicate %TAG directive");
      p.handles.set(value, extra);
    }
  }
  for (const [handle, prefix] of STANDARD_HANDLES) if (!p.handles.has(handle)) p.handles.set(handle, prefix);
}

function documentContent(p: Parser): void {
  if (!p.is("version-directive", "tag-directive", "document-start", "document-end", "stream-end")) return parseNode(p, true, false);
  p.back();
  p.addEmpty(p.scanner.peek().pos);
}

/** What follows the first document is not looked at, but for the token that shows its end. */
function documentEnd(p: Parser): void {
  p.scanner.peek();
  p.done = true;
}

const blockNode: State = (p) => parseNode(p, true, false);
const blockNodeOrIndentlessSequence: State = (p) => parseNode(p, true, true);
const flowNode: State = (p) => parseNode(p, false, false);

function parseProperties(p: Parser): Properties {
  let anchor = "";
  let tagToken: Token | undefined;
  for (let i = 0; i < 2; i++) {
    if (p.is("anchor") && anchor === "") anchor = p.take().value;
    else if (p.is("tag") && tagToken === undefined) tagToken = p.take();
    else break;
  }
  if (tagToken === undefined) return { anchor, tag: "" };
  const { value: handle, extra: suffix } = tagToken;
  const prefix = handle === "" ? "" : p.handles.get(handle);
  if (prefix === undefined) p.fail("found undefined tag handle", tagToken);
  return { anchor, tag: prefix + suffix };
}

function parseNode(p: Parser, block: boolean, indentless: boolean): void {
  const start = p.scanner.peek();
  if (start.type === "alias") {
    p.back();
    return p.addAlias(p.take());
  }
  const properties = parseProperties(p);
  const { anchor, tag } = properties;
  const token = p.scanner.peek();
  const sequence = (state: State): void => {
    p.go(state);
    p.start("sequence", start.pos, properties);
  };
  const mapping = (state: State): void => {
    p.go(state);
    p.start("mapping", start.pos, properties);
  };
  if (indentless && token.type === "block-entry") return sequence(indentlessSequenceEntry);
  if (token.type === "scalar") {
    p.back();
    p.add({ kind: "scalar", pos: start.pos, tag, value: token.value, plain: (tag === "" && token.extra === "plain") || tag === "!", children: [] }, anchor);
    return p.scanner.next();
  }
  if (token.type === "flow-sequence-start") return sequence(flowSequenceFirstEntry);
  if (token.type === "flow-mapping-start") return mapping(flowMappingFirstKey);
  if (block && token.type === "block-sequence-start") return sequence(blockSequenceFirstEntry);
  if (block && token.type === "block-mapping-start") return mapping(blockMappingFirstKey);
  if (anchor === "" && tag === "") p.fail("did not find expected node content");
  p.back();
  p.add({ kind: "scalar", pos: start.pos, tag, value: "", plain: tag === "", children: [] }, anchor);
}

/** The state in which the opening token is still to be taken. */
const first = (state: State): State => (p) => {
  p.scanner.peek();
  p.scanner.next();
  state(p);
};

function close(p: Parser): void {
  p.back();
  p.end();
  p.take();
}

/** A node, or nothing where one of these tokens stands. */
function nodeUnless(p: Parser, node: State, next: State, pos: number, ends: readonly TokenType[]): void {
  if (!ends.includes(p.type)) {
    p.go(node, next);
    return node(p);
  }
  p.go(next);
  p.addEmpty(pos);
}

function blockSequenceEntry(p: Parser): void {
  if (p.is("block-end")) return close(p);
  if (!p.is("block-entry")) p.fail("did not find expected '-' indicator");
  const { pos } = p.take();
  nodeUnless(p, blockNode, blockSequenceEntry, pos + 1, ["block-entry", "block-end"]);
}
const blockSequenceFirstEntry = first(blockSequenceEntry);

function indentlessSequenceEntry(p: Parser): void {
  if (!p.is("block-entry")) {
    p.back();
    return p.end();
  }
  const { pos } = p.take();
  nodeUnless(p, blockNode, indentlessSequenceEntry, pos + 1, ["block-entry", "key", "value", "block-end"]);
}

function blockMappingKey(p: Parser): void {
  if (p.is("block-end")) return close(p);
  if (!p.is("key")) p.fail("did not find expected key");
  const { pos } = p.take();
  nodeUnless(p, blockNodeOrIndentlessSequence, blockMappingValue, pos, ["key", "value", "block-end"]);
}
const blockMappingFirstKey = first(blockMappingKey);

function blockMappingValue(p: Parser): void {
  if (!p.is("value")) {
    p.go(blockMappingKey);
    return p.addEmpty(p.scanner.peek().pos);
  }
  const { pos } = p.take();
  nodeUnless(p, blockNodeOrIndentlessSequence, blockMappingKey, pos + 1, ["key", "value", "block-end"]);
}

/** An entry behind the first one has a comma in front. */
function takeFlowEntry(p: Parser, end: TokenType, problem: string): void {
  if (p.is(end)) return;
  if (!p.is("flow-entry")) p.fail(problem);
  p.take();
}

function flowSequenceEntry(p: Parser): void {
  takeFlowEntry(p, "flow-sequence-end", "did not find expected ',' or ']'");
  flowSequenceItem(p);
}

function flowSequenceItem(p: Parser): void {
  if (p.is("flow-sequence-end")) return close(p);
  if (p.is("key")) {
    p.start("mapping", p.take().pos);
    return p.go(flowSequenceEntryMappingKey);
  }
  p.go(flowNode, flowSequenceEntry);
  flowNode(p);
}
const flowSequenceFirstEntry = first(flowSequenceItem);

function flowSequenceEntryMappingKey(p: Parser): void {
  if (p.is("value", "flow-entry", "flow-sequence-end")) {
    // Upstream takes the token here, which loses what it says.
    const { pos } = p.take();
    p.go(flowSequenceEntryMappingValue);
    return p.addEmpty(pos);
  }
  p.go(flowNode, flowSequenceEntryMappingValue);
  flowNode(p);
}

function flowSequenceEntryMappingValue(p: Parser): void {
  const { pos } = p.scanner.peek();
  if (p.is("value")) {
    p.take();
    return nodeUnless(p, flowNode, flowSequenceEntryMappingEnd, pos + 1, ["flow-entry", "flow-sequence-end"]);
  }
  p.go(flowSequenceEntryMappingEnd);
  p.addEmpty(pos);
}

function flowSequenceEntryMappingEnd(p: Parser): void {
  p.scanner.peek();
  p.end();
  p.go(flowSequenceEntry);
}

function flowMappingKey(p: Parser): void {
  takeFlowEntry(p, "flow-mapping-end", "did not find expected ',' or '}'");
  flowMappingItem(p);
}

function flowMappingItem(p: Parser): void {
  if (p.is("flow-mapping-end")) return close(p);
  if (p.is("key")) {
    const { pos } = p.take();
    return nodeUnless(p, flowNode, flowMappingValue, pos, ["value", "flow-entry", "flow-mapping-end"]);
  }
  p.go(flowNode, flowMappingEmptyValue);
  flowNode(p);
}
const flowMappingFirstKey = first(flowMappingItem);

function flowMappingEmptyValue(p: Parser): void {
  p.go(flowMappingKey);
  p.addEmpty(p.scanner.peek().pos);
}

function flowMappingValue(p: Parser): void {
  const { pos } = p.scanner.peek();
  if (p.is("value")) {
    p.take();
    return nodeUnless(p, flowNode, flowMappingKey, pos + 1, ["flow-entry", "flow-mapping-end"]);
  }
  p.go(flowMappingKey);
  p.addEmpty(pos);
}

/** The first document of a text; undefined if there is none. Throws YamlError. */
export const composeYaml = (text: string): YamlNode | undefined => new Parser(text).run();
