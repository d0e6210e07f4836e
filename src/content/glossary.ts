/** A word that the story uses, explained in one or two sentences where it is first met. */
export interface Term {
  readonly id: string;
  /** Other spellings found in text. */
  readonly also?: readonly string[];
  readonly text: string;
}

export const GLOSSARY: readonly Term[] = [
  { id: "Pod", also: ["Pods"], text: "One or more containers that share a network address and are placed on a node together. It is never moved: it is replaced." },
  { id: "watch", also: ["watches"], text: "A request that stays open: the API server sends a line for each change from a given resourceVersion on." },
  { id: "resourceVersion", text: "A number of the store as a whole, not of one object: each write raises it. A watch starts after one." },
  { id: "admission", text: "The last checks inside the API server before an object is stored. Mutating ones may change it, validating ones may only refuse." },
  { id: "RBAC", text: "Role-based access control: rules that allow a user a verb on a resource. What no rule allows is refused." },
  { id: "revision", text: "etcd's counter of writes. The resourceVersion of an object is the revision at which it was last written." },
  { id: "quorum", text: "More than half of the members. With three, two are enough; with one, nothing can be written." },
  { id: "informer", also: ["informers"], text: "A client's local copy of the objects it watches. It is as old as the last event that reached it." },
  { id: "controller", also: ["controllers"], text: "A loop that compares what is wanted with what is, and takes one step to close the gap." },
  { id: "binding", text: "The small object that sets a Pod's nodeName. It can be set once and never changed." },
  { id: "filter", also: ["filters", "filtering"], text: "A plugin that says whether a Pod can run on a node. The first that refuses a node ends it. Formerly called a predicate." },
  { id: "score", also: ["scores", "scoring"], text: "A plugin's number from 0 to 100 for a node, times the plugin's weight. Formerly called a priority." },
  { id: "taint", also: ["taints"], text: "A mark on a node that keeps away, or drives away, Pods that do not tolerate it." },
  { id: "sandbox", text: "What a Pod's containers share: network, host name, IPC, and a pause process that holds them open." },
  { id: "CRI", text: "Container Runtime Interface: the gRPC calls by which a kubelet tells a runtime what to make." },
  { id: "CNI", text: "Container Network Interface: a program, its environment variables and JSON on its standard input. It is not a service." },
  { id: "CSI", text: "Container Storage Interface: the calls by which disks are made, attached to a node and mounted." },
  { id: "cgroup", also: ["cgroups"], text: "The kernel's group of processes with a share of CPU and a ceiling of memory. Requests and limits end up as its values." },
  { id: "namespace", also: ["namespaces"], text: "Two things share this word: a folder of API objects, and the kernel's way to show a process its own network, mounts or process list." },
  { id: "pause", text: "A tiny process that does nothing but keep a Pod's namespaces alive while containers come and go." },
  { id: "PLEG", text: "Pod lifecycle event generator: the kubelet's look at what the runtime really runs, each second and after each good sync." },
  { id: "probe", also: ["probes"], text: "A question the kubelet asks a container again and again: an HTTP request, a TCP connect, a command, or gRPC." },
  { id: "EndpointSlice", also: ["EndpointSlices"], text: "The list of addresses behind a Service, each with ready, serving and terminating. Not-ready ones are in it too." },
  { id: "condition", also: ["conditions"], text: "A named True, False or Unknown in an object's status, with a reason and the time it last changed." },
  { id: "phase", text: "One of five words for a Pod's life: Pending, Running, Succeeded, Failed, Unknown. The STATUS column of kubectl shows more than that." },
  { id: "lease", also: ["leases"], text: "A small object that a node renews every 10 s or so to show that it lives." },
  { id: "back-off", text: "A wait that doubles after each failure, up to a ceiling." },
  { id: "finalizer", also: ["finalizers"], text: "A name on an object that keeps it in the store, marked as being deleted, until someone takes the name off." },
];

const BY_WORD = new Map<string, Term>(GLOSSARY.flatMap((term) => [term.id, ...(term.also ?? [])].map((word) => [word, term] as const)));

/** The term a word stands for. */
export function termOf(word: string): Term | undefined {
  return BY_WORD.get(word);
}

/** One piece of prose: plain text, or a term to be explained. */
export type Piece = string | { readonly word: string; readonly term: Term };

/** Splits prose at "[word]" marks: the terms a chapter wants explained. A mark that is no term stays plain text. */
export function prose(text: string): Piece[] {
  const pieces: Piece[] = [];
  let last = 0;
  for (const match of text.matchAll(/\[([^\]]+)\]/g)) {
    const word = match[1] ?? "";
    const term = termOf(word);
    if (match.index > last) pieces.push(text.slice(last, match.index));
    pieces.push(term ? { word, term } : word);
    last = match.index + match[0].length;
  }
  if (last < text.length) pieces.push(text.slice(last));
  return pieces;
}
