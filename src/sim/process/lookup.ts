// Models how a program in a container learns an address: /etc/hosts, then the servers of /etc/resolv.conf over the Pod's own network
import { answered, beginLookup, parseResolvConf, type ResolvConf, type Resolved, type Step, unanswered } from "../api/resolver.ts";
import type { DnsQuestion, TrafficRequest, TrafficResponse } from "../api/traffic.ts";
import type { MailId } from "../kernel/types.ts";
import { readFile } from "./files.ts";
import type { Lookup, LookupTimer, Proc, Turn } from "./turn.ts";

const file = (turn: Turn, proc: Proc, path: string): string => readFile(turn.view(proc), path) ?? "";

const isAddress = (name: string): boolean => /^\d+\.\d+\.\d+\.\d+$/.test(name) || name.includes(":");

/** The container's resolver settings; a container from before the story begins has what the kubelet gives by default. */
export function resolvConf(turn: Turn, proc: Proc): ResolvConf {
  const { clusterDomain, dnsServiceIP } = turn.config.world;
  const text = file(turn, proc, "/etc/resolv.conf");
  return parseResolvConf(text === "" ? `search ${proc.spec.namespace}.svc.${clusterDomain} svc.${clusterDomain} ${clusterDomain}\nnameserver ${dnsServiceIP}\noptions ndots:5\n` : text);
}

/** What is known without asking anybody: addresses, localhost, and lines of /etc/hosts. */
export function knownAddress(turn: Turn, proc: Proc, name: string): string | undefined {
  if (isAddress(name)) return name;
  if (name === "localhost") return "127.0.0.1";
  for (const line of file(turn, proc, "/etc/hosts").split("\n")) {
    const [address = "", ...names] = (line.split("#")[0] ?? "").trim().split(/\s+/);
    if (names.includes(name) && !address.includes(":")) return address;
  }
  return undefined;
}

function sender(turn: Turn, proc: Proc, lookup: string): (question: DnsQuestion, server: string) => MailId {
  const { ctx, config } = turn;
  return (dns, server) => {
    const request: TrafficRequest = { type: "traffic.request", protocol: "UDP", fromIP: proc.spec.ip, toIP: server, toPort: 53, client: `process@${config.node.name}`, dns };
    return ctx.send(`netfilter@${config.node.name}`, request, { protocol: "DNS", latency: ctx.latency("link.host", `dns ${lookup} ${dns.qtype} ${dns.name} ${ctx.now}`), verb: `${dns.qtype} ${dns.name}`, subject: `pod/${proc.spec.namespace}/${proc.spec.podName}`, level: "source" });
  };
}

/** A lookup's next state, and its timer: one for all questions about a name. */
function keep(turn: Turn, at: Pick<Lookup, "containerId" | "task">, step: Step, before: Lookup | undefined): Resolved | undefined {
  const others = turn.state.lookups.filter((entry) => entry !== before);
  const asked = "going" in step && step.going.pending !== before?.resolving.pending;
  if (before && ("done" in step || asked)) turn.ctx.cancel(before.timer);
  if ("done" in step) {
    turn.state = { ...turn.state, lookups: others };
    return step.done;
  }
  const timer = asked || before === undefined ? turn.ctx.after(step.going.conf.timeout, { type: "process.dns-timeout", ...at } satisfies LookupTimer) : before.timer;
  turn.state = { ...turn.state, lookups: [...others, { ...at, resolving: step.going, timer }] };
  return undefined;
}

export function lookUp(turn: Turn, containerId: string, task: string, name: string, qtypes?: readonly DnsQuestion["qtype"][]): void {
  const proc = turn.state.containers.get(containerId);
  if (proc) keep(turn, { containerId, task }, beginLookup(name, resolvConf(turn, proc), sender(turn, proc, containerId), qtypes), undefined);
}

/** The task whose lookup a packet or a timer ends, and with what; `mine` when it belonged to a lookup at all. */
export interface Progress {
  readonly mine: boolean;
  readonly lookup?: Lookup;
  readonly resolved?: Resolved;
}

function progress(turn: Turn, lookup: Lookup | undefined, next: (proc: Proc) => Step): Progress {
  if (!lookup) return { mine: false };
  const proc = turn.state.containers.get(lookup.containerId);
  if (!proc) return { mine: true };
  const resolved = keep(turn, { containerId: lookup.containerId, task: lookup.task }, next(proc), lookup);
  return resolved === undefined ? { mine: true } : { mine: true, lookup, resolved };
}

export const onDnsAnswer = (turn: Turn, response: TrafficResponse): Progress => {
  const lookup = turn.state.lookups.find((entry) => entry.resolving.pending.includes(response.request));
  return progress(turn, lookup, (proc) => answered((lookup as Lookup).resolving, response.request, response, sender(turn, proc, lookup?.containerId ?? "")));
};

export const onDnsTimeout = (turn: Turn, { containerId, task }: LookupTimer): Progress => {
  const lookup = turn.state.lookups.find((entry) => entry.containerId === containerId && entry.task === task);
  return progress(turn, lookup, (proc) => unanswered((lookup as Lookup).resolving, sender(turn, proc, containerId)));
};

/** The task waits no longer: its time is up, or it was killed. */
export function forgetLookup(turn: Turn, containerId: string, task?: string): void {
  const mine = turn.state.lookups.filter((entry) => entry.containerId === containerId && (task === undefined || entry.task === task));
  if (mine.length === 0) return;
  for (const { timer } of mine) turn.ctx.cancel(timer);
  turn.state = { ...turn.state, lookups: turn.state.lookups.filter((entry) => !mine.includes(entry)) };
}
