// Models wget, curl, nslookup and their like: what they ask and how they say what they got
import type { HttpFlags } from "../host.ts";
import { type Command, fail, getopt, joined, ok } from "./command.ts";

const timeoutOf = (text: string | undefined): { readonly timeout?: number } => (text === undefined || !(Number(text) > 0) ? {} : { timeout: Math.round(Number(text) * 1_000_000) });

const wget: Command = (args, env) => {
  const { letters, values, rest } = getopt(args, "OTtPUYo");
  const [url] = rest;
  if (url === undefined) return fail(env.host.shell === "busybox" ? "BusyBox v1.36.1 multi-call binary.\n\nUsage: wget [-cqS] [--spider] [-O FILE] [-T SEC] URL...\n" : "wget: missing URL\n");
  const spider = "spider" in values;
  const out = values["O"] ?? values["output-document"];
  const file = out ?? (/\/([^/?]+)(?:\?.*)?$/.exec(url.replace(/^https?:\/\//, ""))?.[1] || "index.html");
  const flags: HttpFlags = { quiet: letters.includes("q") || "quiet" in values, fail: true, headersOnly: letters.includes("S") || "server-response" in values, head: spider, ...(file === "-" || spider ? {} : { save: file }), ...timeoutOf(values["T"] ?? values["timeout"]) };
  return { block: { t: "http", url, method: spider ? "HEAD" : "post-data" in values ? "POST" : "GET", tool: "wget", flags } };
};

const curl: Command = (args) => {
  const valued = args.map((arg, i) => (/^--(?:max-time|connect-timeout|request|header|data|output|write-out|retry|resolve|user|cacert|cert|key|retry-delay)$/.test(arg) && args[i + 1] !== undefined ? `${arg}=${args[i + 1] ?? ""}` : /^--(?:max-time|connect-timeout|request|header|data|output|write-out|retry|resolve|user|cacert|cert|key|retry-delay)$/.test(args[i - 1] ?? "") ? "" : arg)).filter((arg) => arg !== "");
  const { letters, values, rest } = getopt(valued, "omXHdwubAeFTEr");
  const [url] = rest;
  if (url === undefined) return fail("curl: (2) no URL specified\n", 2);
  const save = values["o"] ?? values["output"];
  const head = letters.includes("I") || "head" in values;
  const format = values["w"] ?? values["write-out"];
  const flags: HttpFlags = {
    quiet: letters.includes("s") || "silent" in values, fail: letters.includes("f") || "fail" in values, headersOnly: letters.includes("i") || "include" in values, head,
    ...(save === undefined || save === "-" ? {} : { save }), ...(format === undefined ? {} : { format }), ...timeoutOf(values["m"] ?? values["max-time"] ?? values["connect-timeout"]),
  };
  return { block: { t: "http", url, method: values["X"] ?? values["request"] ?? (head ? "HEAD" : values["d"] === undefined && values["data"] === undefined ? "GET" : "POST"), tool: "curl", flags } };
};

const QTYPES = ["A", "AAAA", "SRV", "PTR"] as const;

/** The type of record that is asked for, by whatever way the tool is told. */
function qtypeIn(words: readonly string[]): { readonly qtype?: (typeof QTYPES)[number] } {
  const qtype = QTYPES.find((type) => words.some((word) => word.toUpperCase() === type));
  return qtype === undefined ? {} : { qtype };
}

const nslookup: Command = (args) => ({ block: { t: "dns", name: args.find((arg) => !arg.startsWith("-")) ?? "", tool: "nslookup", ...qtypeIn(args.flatMap((arg) => /^-(?:q|query|type|t|querytype)=(\w+)$/.exec(arg)?.[1] ?? [])) } });
const dig: Command = (args) => ({ block: { t: "dns", name: args.find((arg) => !/^[-+@]/.test(arg) && !/^(?:A|AAAA|SRV|PTR|ANY)$/i.test(arg)) ?? "", tool: args.includes("+short") ? "dig +short" : "dig", ...qtypeIn(args) } });

/** A TCP connect; `nc -l` serves. */
const nc: Command = (args, env) => {
  const { letters, values, rest } = getopt(args, "wpse");
  if (letters.includes("l")) return { block: { t: "program", argv: ["nc", "-l", "-p", values["p"] ?? rest.at(-1) ?? "0"], replaces: false } };
  const [host = "", port = ""] = rest;
  if (host === "" || port === "") return fail("nc: missing operand\n");
  return { block: { t: "http", url: `tcp://${host}:${port}`, method: "CONNECT", tool: letters.includes("v") ? "nc -v" : env.host.shell === "busybox" ? "nc" : "nc", flags: { quiet: true, fail: false, headersOnly: false, head: false, ...timeoutOf(values["w"]) } } };
};

const address: Command = (_, env) => ok(joined(["1: lo: <LOOPBACK,UP,LOWER_UP> mtu 65536 qdisc noqueue qlen 1000", "    inet 127.0.0.1/8 scope host lo", "2: eth0@if9: <BROADCAST,MULTICAST,UP,LOWER_UP,M-DOWN> mtu 1500 qdisc noqueue", `    inet ${env.host.ip}/24 scope global eth0`]));

/** Commands that use the network. */
export const NETWORK_COMMANDS: readonly (readonly [string, Command])[] = [
  ["wget", wget], ["curl", curl], ["nslookup", nslookup], ["dig", dig], ["host", (args) => ({ block: { t: "dns", name: args.find((arg) => !arg.startsWith("-")) ?? "", tool: "host" } })], ["getent", (args) => ({ block: { t: "dns", name: args.at(-1) ?? "", tool: "getent" } })],
  ["nc", nc], ["netcat", nc], ["telnet", (args, env) => nc(["-w", "5", ...args], env)], ["ip", address], ["ifconfig", (_, env) => ok(`eth0      Link encap:Ethernet\n          inet addr:${env.host.ip}\n`)], ["ping", (args) => ({ block: { t: "dns", name: args.find((arg, i) => !arg.startsWith("-") && !/^-[cwWi]$/.test(args[i - 1] ?? "")) ?? "", tool: `ping ${/^\d+$/.test(args[args.indexOf("-c") + 1] ?? "") && args.includes("-c") ? (args[args.indexOf("-c") + 1] ?? "0") : "0"}` } })],
];
