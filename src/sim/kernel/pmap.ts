import { fnv1a } from "./random.ts";

const BITS = 5;
const WIDTH = 1 << BITS;
const MASK = WIDTH - 1;

/** One entry; `next` are those of other keys with the same hash, in the order of their insertion. */
interface Leaf<V> {
  readonly children: undefined;
  readonly hash: number;
  readonly key: string;
  readonly value: V;
  readonly next: Leaf<V> | undefined;
}
interface Branch<V> {
  readonly children: readonly (Leaf<V> | Branch<V>)[];
  readonly bitmap: number;
}
type Tree<V> = Leaf<V> | Branch<V>;

const leaf = <V>(hash: number, key: string, value: V, next: Leaf<V> | undefined): Leaf<V> => ({ children: undefined, hash, key, value, next });
const branch = <V>(bitmap: number, children: readonly Tree<V>[]): Branch<V> => ({ children, bitmap });

function popcount(x: number): number {
  let v = x - ((x >>> 1) & 0x55555555);
  v = (v & 0x33333333) + ((v >>> 2) & 0x33333333);
  return Math.imul((v + (v >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

function find<V>(tree: Tree<V> | undefined, key: string, hash: number): V | undefined {
  let node = tree;
  let shift = 0;
  while (node !== undefined) {
    if (node.children === undefined) {
      for (let entry: Leaf<V> | undefined = node; entry !== undefined; entry = entry.next) if (entry.key === key) return entry.value;
      return undefined;
    }
    const bit = 1 << ((hash >>> shift) & MASK);
    if ((node.bitmap & bit) === 0) return undefined;
    node = node.children[popcount(node.bitmap & (bit - 1))];
    shift += BITS;
  }
  return undefined;
}

function join<V>(a: Leaf<V>, b: Leaf<V>, shift: number): Branch<V> {
  const ia = (a.hash >>> shift) & MASK;
  const ib = (b.hash >>> shift) & MASK;
  if (ia === ib) return branch(1 << ia, [join(a, b, shift + BITS)]);
  return branch((1 << ia) | (1 << ib), ia < ib ? [a, b] : [b, a]);
}

// Copies by `slice` and one assignment: `with` and `toSpliced` are several times as slow, and this is the hottest code there is.
function replaced<T>(list: readonly T[], at: number, value: T): T[] {
  const copy = list.slice();
  copy[at] = value;
  return copy;
}

function inserted<T>(list: readonly T[], at: number, value: T): T[] {
  const copy: T[] = [];
  for (let i = 0; i < at; i++) copy.push(list[i] as T);
  copy.push(value);
  for (let i = at; i < list.length; i++) copy.push(list[i] as T);
  return copy;
}

/** The same chain with the key's value replaced, or appended at its end. */
function chained<V>(entry: Leaf<V> | undefined, hash: number, key: string, value: V): Leaf<V> {
  if (entry === undefined) return leaf(hash, key, value, undefined);
  if (entry.key === key) return leaf(hash, key, value, entry.next);
  return leaf(hash, entry.key, entry.value, chained(entry.next, hash, key, value));
}

function unchained<V>(entry: Leaf<V> | undefined, key: string): Leaf<V> | undefined {
  if (entry === undefined) return undefined;
  if (entry.key === key) return entry.next;
  const next = unchained(entry.next, key);
  return next === entry.next ? entry : leaf(entry.hash, entry.key, entry.value, next);
}

function insert<V>(tree: Tree<V> | undefined, key: string, hash: number, value: V, shift: number): Tree<V> {
  if (tree === undefined) return leaf(hash, key, value, undefined);
  if (tree.children === undefined) return tree.hash === hash ? chained(tree, hash, key, value) : join(tree, leaf(hash, key, value, undefined), shift);
  const bit = 1 << ((hash >>> shift) & MASK);
  const at = popcount(tree.bitmap & (bit - 1));
  if ((tree.bitmap & bit) === 0) return branch(tree.bitmap | bit, inserted<Tree<V>>(tree.children, at, leaf(hash, key, value, undefined)));
  return branch(tree.bitmap, replaced(tree.children, at, insert(tree.children[at], key, hash, value, shift + BITS)));
}

function remove<V>(tree: Tree<V>, key: string, hash: number, shift: number): Tree<V> | undefined {
  if (tree.children === undefined) return unchained(tree, key);
  const bit = 1 << ((hash >>> shift) & MASK);
  const at = popcount(tree.bitmap & (bit - 1));
  const child = (tree.bitmap & bit) === 0 ? undefined : tree.children[at];
  if (child === undefined) return tree;
  const next = remove(child, key, hash, shift + BITS);
  if (next === child) return tree;
  if (next !== undefined) return branch(tree.bitmap, replaced(tree.children, at, next));
  return tree.children.length === 1 ? undefined : branch(tree.bitmap & ~bit, tree.children.toSpliced(at, 1));
}

function leaves<V>(tree: Tree<V> | undefined, into: Leaf<V>[]): Leaf<V>[] {
  if (tree === undefined) return into;
  if (tree.children === undefined) for (let entry: Leaf<V> | undefined = tree; entry !== undefined; entry = entry.next) into.push(entry);
  else for (const child of tree.children) leaves(child, into);
  return into;
}

const byKey = (a: { readonly key: string }, b: { readonly key: string }): number => (a.key < b.key ? -1 : 1);

/** One change that was made lately: `before` with `value` under the key is `after`; `value` undefined for a deletion. */
interface Recent {
  before: unknown;
  key: string;
  value: unknown;
  after: unknown;
}
const REMEMBERED = 256;
const recent: Recent[] = Array.from({ length: REMEMBERED }, () => ({ before: undefined, key: "", value: undefined, after: undefined }));

function remembered(before: unknown, key: string, hash: number, value: unknown): unknown {
  const slot = recent[hash & (REMEMBERED - 1)];
  return slot !== undefined && slot.before === before && slot.value === value && slot.key === key ? slot.after : undefined;
}

function remember(before: unknown, key: string, hash: number, value: unknown, after: unknown): void {
  const slot = recent[hash & (REMEMBERED - 1)];
  if (slot === undefined) return;
  slot.before = before;
  slot.key = key;
  slot.value = value;
  slot.after = after;
}

/**
 * A persistent map with string keys (a hash array mapped trie): a changed copy shares all but a path with its parent,
 * so histories of etcd, watch caches and informers stay small. Iteration order is by hash: sort where order matters.
 */
export class PMap<V> {
  private readonly tree: Tree<V> | undefined;
  readonly size: number;

  private constructor(tree: Tree<V> | undefined, size: number) {
    this.tree = tree;
    this.size = size;
  }

  private static readonly none = new PMap<never>(undefined, 0);

  static empty<V>(): PMap<V> {
    return PMap.none as PMap<unknown> as PMap<V>;
  }

  static from<V>(entries: Iterable<readonly [string, V]>): PMap<V> {
    let map = PMap.empty<V>();
    for (const [key, value] of entries) map = map.set(key, value);
    return map;
  }

  get(key: string): V | undefined {
    return find(this.tree, key, fnv1a(key));
  }

  has(key: string): boolean {
    return this.get(key) !== undefined;
  }

  set(key: string, value: V): PMap<V> {
    return this.setHashed(key, fnv1a(key), value);
  }

  private setHashed(key: string, hash: number, value: V): PMap<V> {
    const old = find(this.tree, key, hash);
    if (old === value) return this;
    return new PMap(insert(this.tree, key, hash, value, 0), old === undefined ? this.size + 1 : this.size);
  }

  delete(key: string): PMap<V> {
    const tree = this.tree === undefined ? undefined : remove(this.tree, key, fnv1a(key), 0);
    return tree === this.tree ? this : new PMap(tree, this.size - 1);
  }

  /**
   * `set` for a map that several components hold alike and change alike, as ten informers of Pods or the stores of three
   * etcd members: who comes second gets the first one's map, which saves the work and the memory of its own.
   */
  setShared(key: string, value: V): PMap<V> {
    const hash = fnv1a(key);
    const known = remembered(this, key, hash, value);
    if (known !== undefined) return known as PMap<V>;
    const after = this.setHashed(key, hash, value);
    remember(this, key, hash, value, after);
    return after;
  }

  deleteShared(key: string): PMap<V> {
    const hash = fnv1a(key);
    const known = remembered(this, key, hash, undefined);
    if (known !== undefined) return known as PMap<V>;
    const after = this.delete(key);
    remember(this, key, hash, undefined, after);
    return after;
  }

  /** Entries in hash order: deterministic, but of no meaning. */
  entries(): (readonly [string, V])[] {
    return leaves(this.tree, []).map((entry) => [entry.key, entry.value] as const);
  }

  keys(): string[] {
    return leaves(this.tree, []).map((entry) => entry.key);
  }

  values(): V[] {
    return leaves(this.tree, []).map((entry) => entry.value);
  }

  /** Entries in ascending key order. */
  sorted(): (readonly [string, V])[] {
    return leaves(this.tree, []).sort(byKey).map((entry) => [entry.key, entry.value] as const);
  }

  /** Values in ascending order of their keys. */
  sortedValues(): V[] {
    return leaves(this.tree, []).sort(byKey).map((entry) => entry.value);
  }
}
