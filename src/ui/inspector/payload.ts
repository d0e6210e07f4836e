/** What a message is, for choosing how to show it. */
export interface HttpRequestPayload {
  readonly type: "http.request";
  readonly method: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly credential?: { readonly kind: string; readonly name: string; readonly groups?: readonly string[] };
}

/** One titled part of a message: shown as text, as a table of names and values, or as an object in YAML or JSON. */
export type Part =
  | { readonly title: string; readonly as: "line"; readonly text: string }
  | { readonly title: string; readonly as: "text"; readonly text: string }
  | { readonly title: string; readonly as: "pairs"; readonly pairs: readonly (readonly [string, string])[] }
  | { readonly title: string; readonly as: "object"; readonly value: unknown };

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Fields => (typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {});
const text = (value: unknown): string => (typeof value === "string" ? value : value === undefined || value === null ? "" : typeof value === "object" ? JSON.stringify(value) : String(value));
const pairsOf = (value: unknown): (readonly [string, string])[] => Object.entries(fieldsOf(value)).map(([key, item]) => [key, text(item)] as const);

/** Path and query as they stand on the request line. */
export function requestTarget(path: string, query?: Readonly<Record<string, string>>): string {
  const parts = Object.entries(query ?? {}).map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(value).replaceAll("%3D", "=").replaceAll("%2F", "/").replaceAll("%2C", ",")}`);
  return parts.length === 0 ? path : `${path}?${parts.join("&")}`;
}

function httpRequest(m: Fields): Part[] {
  const credential = fieldsOf(m["credential"]);
  const parts: Part[] = [
    { title: "Request", as: "line", text: `${text(m["method"])} ${requestTarget(text(m["path"]), m["query"] as Readonly<Record<string, string>> | undefined)}` },
    { title: "Headers", as: "pairs", pairs: pairsOf(m["headers"]) },
  ];
  if (credential["kind"] !== undefined) {
    const groups = Array.isArray(credential["groups"]) ? ` (${credential["groups"].map(text).join(", ")})` : "";
    parts.push({ title: "Who asks", as: "line", text: `${text(credential["kind"])}: ${text(credential["name"])}${groups}` });
  }
  if (m["stream"] !== undefined) parts.push({ title: "Stream", as: "line", text: text(m["stream"]) });
  if (m["body"] !== undefined) parts.push({ title: "Body", as: "object", value: m["body"] });
  return parts;
}

function httpResponse(m: Fields): Part[] {
  const parts: Part[] = [{ title: "Status", as: "line", text: `${text(m["status"])} ${REASONS[Number(m["status"])] ?? ""}`.trim() }];
  const headers = pairsOf(m["headers"]);
  if (headers.length > 0) parts.push({ title: "Headers", as: "pairs", pairs: headers });
  if (m["body"] !== undefined) parts.push({ title: "Body", as: "object", value: m["body"] });
  return parts;
}

const REASONS: Readonly<Record<number, string>> = { 200: "OK", 201: "Created", 202: "Accepted", 400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 409: "Conflict", 410: "Gone", 415: "Unsupported Media Type", 422: "Unprocessable Entity", 429: "Too Many Requests", 500: "Internal Server Error", 503: "Service Unavailable", 504: "Gateway Timeout" };

function watchEvent(m: Fields): Part[] {
  const event = fieldsOf(m["event"]);
  return [
    { title: "Event", as: "line", text: text(event["type"]) },
    { title: "Stream", as: "line", text: text(m["stream"]) },
    { title: "Object", as: "object", value: event["object"] },
  ];
}

function cniRequest(m: Fields): Part[] {
  const ports = m["portMappings"];
  return [
    { title: "Environment", as: "pairs", pairs: pairsOf(m["env"]) },
    { title: "Standard input (network configuration)", as: "object", value: Array.isArray(ports) && ports.length > 0 ? { ...fieldsOf(m["config"]), runtimeConfig: { portMappings: ports } } : m["config"] },
  ];
}

function cniResponse(m: Fields): Part[] {
  return [
    { title: "Exit code", as: "line", text: text(m["exitCode"]) },
    { title: "Standard output", as: "object", value: m["result"] ?? m["error"] ?? {} },
  ];
}

function criRequest(m: Fields): Part[] {
  const { call, ...rest } = fieldsOf(m["cri"]);
  return [{ title: "gRPC call", as: "line", text: `runtime.v1.${call === "PullImage" || call === "ImageStatus" ? "ImageService" : "RuntimeService"}/${text(call)}` }, { title: "Message", as: "object", value: rest }];
}

function criResponse(m: Fields): Part[] {
  const { type: _type, request: _request, error, ...rest } = m;
  return error === undefined ? [{ title: "Message", as: "object", value: rest }] : [{ title: "gRPC error", as: "text", text: text(error) }, { title: "Message", as: "object", value: rest }];
}

function etcdTxn(m: Fields): Part[] {
  const key = text(m["key"]);
  const write = m["value"] === undefined ? `delete ${key}` : `put ${key}`;
  const parts: Part[] = [
    { title: "Compare", as: "line", text: `mod_revision(${key}) == ${text(m["modRevision"])}` },
    { title: "Then", as: "line", text: write },
    { title: "Else", as: "line", text: `get ${key}` },
  ];
  if (m["value"] !== undefined) parts.push({ title: "Value (stored as protobuf)", as: "object", value: m["value"] });
  return parts;
}

function entryText(proposal: Fields): string {
  if (proposal["kind"] === "noop") return "the empty entry of a new leader";
  if (proposal["kind"] === "compact") return `compact to ${text(proposal["compact"])}`;
  const txn = fieldsOf(proposal["txn"]);
  return `${txn["value"] === undefined ? "delete" : "put"} ${text(txn["key"])}`;
}

function raft(m: Fields): Part[] {
  const { type: _type, msg, entries, proposal, store, ...rest } = m;
  const parts: Part[] = [
    { title: "Raft message", as: "line", text: text(msg) },
    { title: "Fields", as: "pairs", pairs: pairsOf(rest) },
  ];
  for (const entry of Array.isArray(entries) ? entries.map(fieldsOf) : []) {
    parts.push({ title: `Entry ${text(entry["index"])} of term ${text(entry["term"])}`, as: "line", text: entryText(fieldsOf(entry["proposal"])) });
    const value = fieldsOf(fieldsOf(entry["proposal"])["txn"])["value"];
    if (value !== undefined) parts.push({ title: `Value of entry ${text(entry["index"])}`, as: "object", value });
  }
  if (Array.isArray(entries) && entries.length === 0) parts.push({ title: "Entries", as: "line", text: "none: it only tells the commit index" });
  if (proposal !== undefined) parts.push({ title: "Proposal", as: "line", text: entryText(fieldsOf(proposal)) });
  if (store !== undefined) parts.push({ title: "Snapshot", as: "line", text: "the whole store" });
  return parts;
}

function dnsRequest(m: Fields): Part[] {
  return [{ title: "Question", as: "line", text: `${text(m["name"])} IN ${text(m["qtype"])}` }, ...(m["namespace"] === undefined ? [] : [{ title: "Asked with the resolv.conf of namespace", as: "line" as const, text: text(m["namespace"]) }])];
}

function dnsResponse(m: Fields): Part[] {
  const addresses = Array.isArray(m["addresses"]) ? m["addresses"].map(text) : [];
  return [
    { title: "Answer", as: "line", text: text(m["rcode"]) },
    { title: "Records", as: "pairs", pairs: addresses.map((address) => [`${text(m["name"])} ${text(m["ttl"])} IN A`, address] as const) },
    { title: "Names tried before it was found", as: "line", text: text(m["tried"]) },
  ];
}

function trafficRequest(m: Fields): Part[] {
  return [
    { title: "Request", as: "line", text: `${text(m["method"]) || text(m["protocol"])} ${text(m["path"])}`.trim() },
    { title: "Addresses", as: "pairs", pairs: [["from", text(m["fromIP"])], ["to", `${text(m["toIP"])}:${text(m["toPort"])}`], ["client", text(m["client"])], ["host", text(m["host"])]].filter((pair): pair is [string, string] => pair[1] !== "") },
    { title: "Headers", as: "pairs", pairs: pairsOf(m["headers"]) },
  ];
}

function trafficResponse(m: Fields): Part[] {
  const parts: Part[] = [{ title: "Answer", as: "line", text: m["error"] !== undefined ? text(m["error"]) : `${text(m["status"])} ${REASONS[Number(m["status"])] ?? ""}`.trim() }];
  if (m["servedBy"] !== undefined) parts.push({ title: "Served by", as: "line", text: text(m["servedBy"]) });
  if (m["body"] !== undefined) parts.push({ title: "Body", as: "text", text: text(m["body"]) });
  return parts;
}

function kubectlRun(m: Fields): Part[] {
  const argv = Array.isArray(m["argv"]) ? m["argv"].map(text) : [];
  return [{ title: "Command", as: "line", text: `kubectl ${argv.join(" ")}` }, ...Object.entries(fieldsOf(m["files"])).map(([file, content]): Part => ({ title: file, as: "text", text: text(content) }))];
}

const RENDERERS: Readonly<Record<string, (message: Fields) => Part[]>> = {
  "http.request": httpRequest,
  "http.response": httpResponse,
  "watch.event": watchEvent,
  "cni.request": cniRequest,
  "cni.response": cniResponse,
  "cri.request": criRequest,
  "cri.response": criResponse,
  "etcd.txn.request": etcdTxn,
  raft,
  "dns.request": dnsRequest,
  "dns.response": dnsResponse,
  "traffic.request": trafficRequest,
  "traffic.response": trafficResponse,
  "kubectl.run": kubectlRun,
};

/** A message as the parts a reader knows it by: an HTTP request by its line, headers and body, CNI by its environment and input. */
export function partsOf(payload: unknown): Part[] {
  const message = fieldsOf(payload);
  const render = RENDERERS[text(message["type"])];
  if (render) return render(message).filter((part) => (part.as !== "pairs" || part.pairs.length > 0) && (part.as !== "line" || part.text !== ""));
  const { type: _type, ...rest } = message;
  return payload === undefined ? [] : [{ title: text(message["type"]) || "Message", as: "object", value: typeof payload === "object" && payload !== null && !Array.isArray(payload) ? rest : payload }];
}
