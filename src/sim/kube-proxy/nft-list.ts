// Models `nft list ruleset`: how the kernel's table is printed, which is not how it was written
import type { NftChain, NftRule, NftSet, NftTable } from "./nftables.ts";

const PRIORITIES: Readonly<Record<string, string>> = { "0": "filter", "-110": "dstnat - 10", "-100": "dstnat", "100": "srcnat" };
const UNITS = [["d", 86_400], ["h", 3600], ["m", 60], ["s", 1]] as const;

/** 10800 is "3h". */
function span(seconds: number): string {
  let left = seconds;
  return UNITS.map(([unit, size]) => {
    const count = Math.floor(left / size);
    left -= count * size;
    return count === 0 ? "" : `${count}${unit}`;
  }).join("");
}

const commented = ({ comment }: { readonly comment?: string }): string => (comment === undefined ? "" : ` comment "${comment}"`);
const hex = (value: string): string => `0x${Number(value).toString(16).padStart(8, "0")}`;

/** A rule in the kernel's words: marks as numbers of 32 bits, sets with commas. */
export function listedRule(rule: NftRule): string {
  const text = rule.rule
    .replace(/mark and (\S+) != 0/, (_, mark: string) => `meta mark & ${hex(mark)} != ${hex("0")}`)
    .replace(/mark set mark (or|xor) (\S+)/, (_, how: string, mark: string) => `meta mark set meta mark ${how === "or" ? "|" : "^"} ${hex(mark)}`)
    .replace("dnat ip addr . port to", "dnat ip to")
    .replaceAll(" , ", ", ")
    .replace(/\{ ([\d./]+) \} drop$/, "$1 drop");
  return `${text}${commented(rule)}`;
}

function listedSet(set: NftSet): string[] {
  const elements = set.elements.map((entry) => `${entry.key}${commented(entry)}${entry.value === undefined ? "" : ` : ${entry.value}`}`);
  const filled = set.timeout === undefined ? [] : ["\t\tsize 65535", "\t\tflags dynamic,timeout", `\t\ttimeout ${span(set.timeout)}`];
  return [`\t${set.kind} ${set.name} {`, `\t\ttype ${set.type}`, ...filled, ...(set.comment === undefined ? [] : [`\t\tcomment "${set.comment}"`]), ...(elements.length === 0 ? [] : elements.map((text, i) => `${i === 0 ? "\t\telements = { " : "\t\t\t     "}${text}${i === elements.length - 1 ? " }" : ","}`)), "\t}"];
}

function listedChain(chain: NftChain): string[] {
  const head = chain.base?.replace(/priority (\S+)/, (_, value: string) => `priority ${PRIORITIES[value] ?? value}`);
  return [`\tchain ${chain.name} {`, ...(chain.comment === undefined ? [] : [`\t\tcomment "${chain.comment}"`]), ...(head === undefined ? [] : [`\t\ttype ${head}; policy accept;`]), ...chain.rules.map((rule) => `\t\t${listedRule(rule)}`), "\t}"];
}

/** What `nft list table ip kube-proxy` shows. */
export const nftList = ({ sets, chains }: NftTable): readonly string[] => ["table ip kube-proxy {", '\tcomment "rules for kube-proxy"', ...[...sets.values()].flatMap((set) => ["", ...listedSet(set)]), ...[...chains.values()].flatMap((chain) => ["", ...listedChain(chain)]), "}"];

/** The same as the commands that would make it, one a line: what upstream's tests compare. */
export function nftCommands({ sets, chains }: NftTable): readonly string[] {
  const of = (text: string): string => `add ${text.replace(/^(\S+) /, "$1 ip kube-proxy ")}`;
  const setLines = [...sets.values()].flatMap((set) => [
    of(`${set.kind} ${set.name} { type ${set.type} ; ${set.timeout === undefined ? "" : `flags dynamic,timeout ; timeout ${set.timeout}s ; `}${set.comment === undefined ? "" : `comment "${set.comment}" ; `}}`),
    ...set.elements.map((entry) => of(`element ${set.name} { ${entry.key}${commented(entry)}${entry.value === undefined ? "" : ` : ${entry.value}`} }`)),
  ]);
  const chainLines = [...chains.values()].flatMap((chain) => [
    of(`chain ${chain.name}${chain.base === undefined ? "" : ` { type ${chain.base} ; }`}${chain.comment === undefined ? "" : ` { comment "${chain.comment}" ; }`}`),
    ...chain.rules.map((rule) => of(`rule ${chain.name} ${rule.rule}${commented(rule)}`)),
  ]);
  return ['add table ip kube-proxy { comment "rules for kube-proxy" ; }', ...setLines, ...chainLines];
}
