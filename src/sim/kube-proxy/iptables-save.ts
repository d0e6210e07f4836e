// Models iptables-save: how the kernel's rules are printed, which is not how they were written
import type { IptablesTable } from "./iptables.ts";

/** Jumps from the kernel's own chains, which a full sync makes sure of (the health check's and the load balancer's among them). */
const NEW = "-m conntrack --ctstate NEW ";
const JUMPS: Readonly<Record<string, readonly (readonly [string, string, string, string])[]>> = {
  filter: [
    ["INPUT", NEW, "kubernetes load balancer firewall", "KUBE-PROXY-FIREWALL"], ["INPUT", "", "kubernetes health check service ports", "KUBE-NODEPORTS"], ["INPUT", NEW, "kubernetes externally-visible service portals", "KUBE-EXTERNAL-SERVICES"], ["INPUT", "", "", "KUBE-FIREWALL"],
    ["FORWARD", NEW, "kubernetes load balancer firewall", "KUBE-PROXY-FIREWALL"], ["FORWARD", "", "kubernetes forwarding rules", "KUBE-FORWARD"], ["FORWARD", NEW, "kubernetes service portals", "KUBE-SERVICES"], ["FORWARD", NEW, "kubernetes externally-visible service portals", "KUBE-EXTERNAL-SERVICES"],
    ["OUTPUT", NEW, "kubernetes load balancer firewall", "KUBE-PROXY-FIREWALL"], ["OUTPUT", NEW, "kubernetes service portals", "KUBE-SERVICES"], ["OUTPUT", "", "", "KUBE-FIREWALL"],
  ],
  nat: [["PREROUTING", "", "kubernetes service portals", "KUBE-SERVICES"], ["OUTPUT", "", "kubernetes service portals", "KUBE-SERVICES"], ["POSTROUTING", "", "kubernetes postrouting rules", "KUBE-POSTROUTING"]],
};
const BUILT_IN: Readonly<Record<string, readonly string[]>> = { filter: ["INPUT", "FORWARD", "OUTPUT"], nat: ["PREROUTING", "INPUT", "OUTPUT", "POSTROUTING"] };
const FIRST = ["KUBE-NODEPORTS", "KUBE-SERVICES", "KUBE-EXTERNAL-SERVICES"];
const TWO_POW_31 = 2_147_483_648;
const RECENT = "--mask 255.255.255.255 --rsource";

/** The order of chains in which upstream's tests compare tables: those where packets come in, then by name. */
export function byChain(a: string, b: string): number {
  const rank = (chain: string): number => (FIRST.includes(chain) ? FIRST.indexOf(chain) : FIRST.length);
  return rank(a) - rank(b) || (a < b ? -1 : a > b ? 1 : 0);
}

const chainOf = (rule: string): string => rule.split(" ", 2)[1] ?? "";

/** Rules by chain, each chain's in the order in which they were written. */
export const sortedRules = (rules: readonly string[]): readonly string[] => rules.map((rule, i) => [rule, i] as const).sort((a, b) => byChain(chainOf(a[0]), chainOf(b[0])) || a[1] - b[1]).map(([rule]) => rule);

const cidr = (address: string): string => (address.includes("/") ? address : `${address}/32`);

/** A probability is kept in 31 bits, and printed with eleven digits. */
const asKept = (value: string): string => (Math.round(Number(value) * TWO_POW_31) / TWO_POW_31).toFixed(11);

function rest(words: readonly string[]): string {
  return words
    .join(" ")
    .replace(/--xor-mark (\S+)/, "--set-xmark $1/0x0")
    .replace(/--or-mark (\S+)/, "--set-xmark $1/$1")
    .replace(/-j REJECT$/, "-j REJECT --reject-with icmp-port-unreachable")
    .replace(/--probability (\S+)/, (_, value: string) => `--probability ${asKept(value)}`)
    .replace(/-m recent --name (\S+) (--rcheck --seconds \d+ --reap|--set)/, `-m recent $2 --name $1 ${RECENT}`)
    .replace(/--nfacct-name (\S+)/, "--nfacct-name  $1")
    .replace(/--comment ([^"\s]\S*)/, '--comment "$1"');
}

/** One rule as iptables-save prints it: addresses and protocol first, then the matches, each value in the kernel's form. */
export function savedRule(rule: string): string {
  const words = rule.match(/"[^"]*"|\S+/g) ?? [];
  const head: Record<string, string> = {};
  const others: string[] = [];
  for (let i = 2; i < words.length; i++) {
    const word = words[i] ?? "";
    const inverted = word === "!" && /^-[sd]$/.test(words[i + 1] ?? "");
    const flag = inverted ? (words[i + 1] ?? "") : word;
    if (!/^-[sdp]$/.test(flag)) {
      others.push(word);
      continue;
    }
    const value = words[i + (inverted ? 2 : 1)] ?? "";
    head[flag] = `${inverted ? "! " : ""}${flag} ${flag === "-p" ? value : cidr(value)}`;
    i += inverted ? 2 : 1;
  }
  return ["-A", words[1], ...["-s", "-d", "-p"].flatMap((flag) => head[flag] ?? []), rest(others)].join(" ");
}

function table(name: string, { chains, rules }: IptablesTable): string[] {
  const jumps = (JUMPS[name] ?? []).map(([from, extra, about, to]) => `-A ${from} ${extra}${about === "" ? "" : `-m comment --comment "${about}" `}-j ${to}`);
  return [
    `*${name}`,
    ...(BUILT_IN[name] ?? []).map((chain) => `:${chain} ACCEPT [0:0]`),
    ...[...new Set(chains)].sort(byChain).map((chain) => `:${chain} - [0:0]`),
    ...jumps,
    ...sortedRules(rules).map(savedRule),
    "COMMIT",
  ];
}

/** What `iptables-save -t filter -t nat` shows of kube-proxy's rules. */
export const iptablesSave = (tables: { readonly filter: IptablesTable; readonly nat: IptablesTable }): readonly string[] => [...table("filter", tables.filter), ...table("nat", tables.nat)];
