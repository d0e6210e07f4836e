// Models kubernetes/staging/src/k8s.io/apiserver/pkg/endpoints/request/requestinfo.go
import type { HttpRequest } from "../api/http.ts";
import { type ApiResource, resourceForPath } from "../api/schema/resources.ts";

export type Verb = "get" | "list" | "watch" | "create" | "update" | "patch" | "delete" | "deletecollection";

/** What a request is about, read from its method and path. */
export interface RequestInfo {
  readonly verb: Verb;
  readonly path: string;
  readonly group: string;
  readonly version: string;
  /** Plural; "" for requests that are not about an object ("/openapi/v3"). */
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** Undefined when the server does not serve such a resource. */
  readonly api: ApiResource | undefined;
}

const VERBS: Readonly<Record<HttpRequest["method"], Verb>> = { GET: "get", POST: "create", PUT: "update", PATCH: "patch", DELETE: "delete" };
/** Parts under /namespaces/NAME that belong to the namespace object itself. */
const NAMESPACE_SUBRESOURCES = new Set(["status", "finalize"]);

/** Infos by method and path: the paths of one Pod are asked for half a dozen times, a collection's hundreds of times. */
const known = new Map<string, RequestInfo>();
const REMEMBERED = 2_000;

export function requestInfo(request: HttpRequest): RequestInfo {
  const watch = request.query?.["watch"];
  const key = `${watch === "true" || watch === "1" ? "WATCH" : request.method} ${request.path}`;
  let info = known.get(key);
  if (info === undefined) {
    info = readInfo(request);
    if (known.size >= REMEMBERED) known.clear();
    known.set(key, info);
  }
  return info;
}

/** What is no escape stands for itself: such a name is found nowhere. */
function unescaped(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function readInfo(request: HttpRequest): RequestInfo {
  const whole = request.path.split("/").filter((part) => part !== "");
  const parts = request.path.includes("%") ? whole.map(unescaped) : whole;
  const base = { verb: VERBS[request.method], path: request.path };
  const isCore = parts[0] === "api" && parts.length >= 3;
  const isGroup = parts[0] === "apis" && parts.length >= 4;
  if (!isCore && !isGroup) return { ...base, group: "", version: "", resource: "", subresource: "", namespace: "", name: "", api: undefined };
  const group = isCore ? "" : (parts[1] ?? "");
  const version = (isCore ? parts[1] : parts[2]) ?? "";
  let rest = parts.slice(isCore ? 2 : 3);
  let namespace = "";
  if (rest[0] === "namespaces" && rest.length >= 3 && !NAMESPACE_SUBRESOURCES.has(rest[2] ?? "")) {
    namespace = rest[1] ?? "";
    rest = rest.slice(2);
  }
  const [resource = "", name = "", subresource = ""] = rest;
  if (resource === "namespaces" && name !== "") namespace = name;
  const apiVersion = group === "" ? version : `${group}/${version}`;
  const info = { ...base, group, version, resource, subresource, namespace, name, api: resourceForPath(apiVersion, resource) };
  if (name !== "") return info;
  if (base.verb === "get") return { ...info, verb: request.query?.["watch"] === "true" || request.query?.["watch"] === "1" ? "watch" : "list" };
  return base.verb === "delete" ? { ...info, verb: "deletecollection" } : info;
}

/** "pods/binding" as RBAC, errors and readers name it. */
export const resourceText = (info: RequestInfo): string => (info.subresource === "" ? info.resource : `${info.resource}/${info.subresource}`);
