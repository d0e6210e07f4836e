// Models sigs.k8s.io/structured-merge-diff/v6/fieldpath/{set,serialize}.go
import { comparePathElements, type PathElement } from "./path-element.ts";

/**
 * A set of paths, in the form FieldsV1 stores: an empty object is a member without children, "." marks a member that has
 * some. Work on sets shares what does not change, so that stored sets need no decoding and unchanged ones stay the same object.
 * The root "{}" is the empty set.
 */
export interface FieldSet {
  readonly [element: PathElement]: FieldSet;
}

const SELF = ".";
export const LEAF: FieldSet = Object.freeze({});
export const EMPTY: FieldSet = LEAF;

export function isEmptySet(set: FieldSet): boolean {
  for (const _ in set) return false;
  return true;
}

const isMember = (node: FieldSet): boolean => node[SELF] !== undefined || isEmptySet(node);

/** A node from its own membership and its children; undefined when nothing is left of it. */
function nodeOf(member: boolean, children: FieldSet): FieldSet | undefined {
  if (isEmptySet(children)) return member ? LEAF : undefined;
  return member ? { [SELF]: LEAF, ...children } : children;
}

/** The children alone, as a root. */
function childrenOf(node: FieldSet): FieldSet {
  if (node[SELF] === undefined) return node;
  const { [SELF]: _, ...children } = node;
  return children;
}

/** The same children as a member of its parent's set. */
export const asMember = (children: FieldSet): FieldSet => (isEmptySet(children) ? LEAF : { [SELF]: LEAF, ...children });

export function setOf(...paths: readonly (readonly PathElement[])[]): FieldSet {
  let out = EMPTY;
  for (const path of paths) out = union(out, path.reduceRight<FieldSet>((child, element) => ({ [element]: child }), LEAF));
  return out;
}

function unionNodes(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b) return a;
  const member = isMember(a) || isMember(b);
  const [left, right] = [childrenOf(a), childrenOf(b)];
  const children = union(left, right);
  if (children === left && member === isMember(a)) return a;
  return nodeOf(member, children) ?? LEAF;
}

/** All paths of both; `a` itself when `b` adds nothing. */
export function union(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b) return a;
  let out: Record<PathElement, FieldSet> | undefined;
  for (const element in b) {
    const [mine, theirs] = [a[element], b[element] as FieldSet];
    const next = mine === undefined ? theirs : unionNodes(mine, theirs);
    if (next !== mine) (out ??= { ...a })[element] = next;
  }
  return out ?? a;
}

/** Rebuilds a set child by child; the set itself when no child changes, and without the children that vanish. */
function rebuilt(set: FieldSet, change: (node: FieldSet, element: PathElement) => FieldSet | undefined): FieldSet {
  let out: Record<PathElement, FieldSet> | undefined;
  for (const element in set) {
    const node = set[element] as FieldSet;
    const next = change(node, element);
    if (next === node) continue;
    out ??= { ...set };
    if (next === undefined) delete out[element];
    else out[element] = next;
  }
  return out ?? set;
}

export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  const out: Record<PathElement, FieldSet> = {};
  for (const element in a) {
    const [mine, theirs] = [a[element] as FieldSet, b[element]];
    if (theirs === undefined) continue;
    const next = nodeOf(isMember(mine) && isMember(theirs), intersection(childrenOf(mine), childrenOf(theirs)));
    if (next !== undefined) out[element] = next;
  }
  return out;
}

/** The paths of `a` that `b` does not have; what lies under a path of `b` stays. */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  if (isEmptySet(b)) return a;
  return rebuilt(a, (node, element) => {
    const other = b[element];
    if (other === undefined) return node;
    const member = isMember(node);
    const own = childrenOf(node);
    const children = difference(own, childrenOf(other));
    return children === own && !(member && isMember(other)) ? node : nodeOf(member && !isMember(other), children);
  });
}

/** As `difference`, and what lies under a path of `b` goes with it. */
export function recursiveDifference(a: FieldSet, b: FieldSet): FieldSet {
  return rebuilt(a, (node, element) => {
    const other = b[element];
    if (other === undefined) return node;
    if (isMember(other)) return undefined;
    const own = childrenOf(node);
    const children = recursiveDifference(own, childrenOf(other));
    return children === own ? node : nodeOf(isMember(node), children);
  });
}

/** What lies on or under one of the patterns; "*" stands for any element. */
export function includeMatches(set: FieldSet, patterns: readonly (readonly PathElement[])[]): FieldSet {
  if (patterns.some((pattern) => pattern.length === 0)) return set;
  return rebuilt(set, (node, element) => {
    const rest = patterns.filter(([first]) => first === "*" || first === element).map((pattern) => pattern.slice(1));
    if (rest.length === 0) return undefined;
    return nodeOf(isMember(node), includeMatches(childrenOf(node), rest));
  });
}

export function has(set: FieldSet, path: readonly PathElement[]): boolean {
  let node = set;
  for (const element of path) {
    const next = node[element];
    if (next === undefined) return false;
    node = next;
  }
  return path.length > 0 && isMember(node);
}

/** Whether the element itself is in the set. */
export const hasElement = (set: FieldSet, element: PathElement): boolean => {
  const node = set[element];
  return node !== undefined && isMember(node);
};

/** What lies under an element. */
export const withPrefix = (set: FieldSet, element: PathElement): FieldSet => {
  const node = set[element];
  return node === undefined ? EMPTY : childrenOf(node);
};

/** Every path in order: the members of a level first, then what is under them. */
export function pathsOf(set: FieldSet, prefix: readonly PathElement[] = []): readonly (readonly PathElement[])[] {
  const elements = Object.keys(set).filter((element) => element !== SELF).sort(comparePathElements);
  const members = elements.filter((element) => isMember(set[element] as FieldSet)).map((element) => [...prefix, element]);
  return [...members, ...elements.flatMap((element) => pathsOf(childrenOf(set[element] as FieldSet), [...prefix, element]))];
}

export function equalSets(a: FieldSet, b: FieldSet): boolean {
  if (a === b) return true;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => b[key] !== undefined && equalSets(a[key] as FieldSet, b[key]));
}

/** Rebuilds every node from its membership and its children. */
export function mapNodes(set: FieldSet, change: (element: PathElement, member: boolean, children: FieldSet) => { readonly member: boolean; readonly children: FieldSet }): FieldSet {
  return rebuilt(set, (node, element) => {
    const member = isMember(node);
    const own = childrenOf(node);
    const next = change(element, member, own);
    return next.member === member && next.children === own ? node : nodeOf(next.member, next.children);
  });
}
