// Models kubernetes/staging/src/k8s.io/apiserver/pkg/endpoints/filters/impersonation (ConstrainedImpersonation, on in v1.36)
import type { Attributes } from "../../api/rbac.ts";
import { quoted } from "../../api/rbac.ts";
import { newBadRequest } from "../../api/status-errors.ts";
import type { Status } from "../../api/types.ts";
import type { ApiServerState } from "../state.ts";
import type { User } from "./authentication.ts";
import { authorize, forbiddenStatus } from "./authorization.ts";

/** As the headers say it; nothing is added. */
interface Wanted {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

export interface Impersonated {
  readonly user: User;
  /** The verb that allowed it, for the audit; "" for the mode of old. */
  readonly constraint: string;
}

const EXTRA = "Impersonate-Extra-";
const NODE = /^system:node:([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*)$/;
const ACCOUNT = /^system:serviceaccount:([^:]+):([^:]+)$/;
/** From so many groups or extras on, one wildcard is asked for first. */
const MANY = 4;

/** Several values of one header stand on lines of their own. */
const values = (text: string | undefined): readonly string[] => (text === undefined ? [] : text.split("\n"));

/** What the request's headers ask for; undefined when they ask for nothing. */
export function wantedUser(headers: Readonly<Record<string, string>>): Wanted | Status | undefined {
  const name = headers["Impersonate-User"] ?? "";
  const uid = headers["Impersonate-Uid"] ?? "";
  const groups = values(headers["Impersonate-Group"]);
  const extra: Record<string, readonly string[]> = {};
  for (const header of Object.keys(headers)) if (header.startsWith(EXTRA)) extra[decodeURIComponent(header.slice(EXTRA.length).toLowerCase())] = values(headers[header]);
  if (name !== "") return { name, uid, groups, extra };
  const keys = Object.keys(extra).sort();
  if (uid === "" && groups.length === 0 && keys.length === 0) return undefined;
  const goGroups = groups.length === 0 ? "[]string(nil)" : `[]string{${groups.map((group) => JSON.stringify(group)).join(", ")}}`;
  const goExtra = keys.length === 0 ? "map[string][]string(nil)" : `map[string][]string{${keys.map((key) => `${JSON.stringify(key)}:[]string{${(extra[key] ?? []).map((value) => JSON.stringify(value)).join(", ")}}`).join(", ")}}`;
  return newBadRequest(`requested &user.DefaultInfo{Name:"", UID:${JSON.stringify(uid)}, Groups:${goGroups}, Extra:${goExtra}} without impersonating a user name`);
}

type Mode = "associated-node" | "arbitrary-node" | "serviceaccount" | "user-info";

const onlyName = ({ uid, groups, extra }: Wanted): boolean => uid === "" && groups.length === 0 && Object.keys(extra).length === 0;

function fits(mode: Mode, wanted: Wanted, requestor: User): boolean {
  const node = NODE.exec(wanted.name)?.[1];
  switch (mode) {
    case "associated-node": {
      const own = requestor.extra?.["authentication.kubernetes.io/node-name"] ?? [];
      return onlyName(wanted) && node !== undefined && ACCOUNT.test(requestor.name) && own.length === 1 && own[0] === node;
    }
    case "arbitrary-node":
      return onlyName(wanted) && node !== undefined;
    case "serviceaccount":
      return onlyName(wanted) && ACCOUNT.test(wanted.name);
    case "user-info":
      return node === undefined && !ACCOUNT.test(wanted.name);
  }
}

/** One permission to hold: undefined when it is held, else the 403. */
type Check = (asked: Attributes) => Status | undefined;

interface Asking {
  readonly wanted: Wanted;
  readonly requestor: User;
  readonly verb: string;
  readonly constrained: boolean;
  /** Group of users and groups: the core group in the mode of old. */
  readonly group: string;
  readonly check: Check;
}

const AUTHENTICATION_GROUP = "authentication.k8s.io";

const about = ({ verb }: Asking, group: string, resource: string, name: string, more: Partial<Attributes> = {}): Attributes => ({ verb, group, resource, subresource: "", namespace: "", name, path: "", ...more });

function checkName(asking: Asking, mode: Mode | undefined): Status | undefined {
  const { wanted, group, check, constrained } = asking;
  const [, namespace, account = ""] = ACCOUNT.exec(wanted.name) ?? [];
  if (namespace !== undefined) return check(about(asking, group, "serviceaccounts", account, { namespace }));
  const node = constrained ? NODE.exec(wanted.name)?.[1] : undefined;
  if (node === undefined) return check(about(asking, group, "users", wanted.name));
  return check(about(asking, group, "nodes", mode === "associated-node" ? "*" : node));
}

function checkGroups(asking: Asking): Status | undefined {
  const { wanted: { groups }, requestor, group, check, constrained } = asking;
  const asked = (name: string): Attributes => about(asking, group, "groups", name);
  if (constrained && groups.includes("")) return forbiddenStatus(requestor, asked(""), "impersonating the empty string group is not allowed");
  if (constrained && groups.includes("system:masters")) return forbiddenStatus(requestor, asked("system:masters"), "impersonating the system:masters group is not allowed");
  if (constrained && groups.length >= MANY && check(asked("*")) === undefined) return undefined;
  return first(groups, (name) => check(asked(name)));
}

function badExtra(extra: Wanted["extra"]): string | undefined {
  for (const [key, list] of Object.entries(extra)) {
    if (key === "") return "impersonating the empty string key in extra is not allowed";
    if (list.length === 0) return "impersonating empty values in extra is not allowed";
    if (list.includes("")) return "impersonating the empty string value in extra is not allowed";
  }
  return undefined;
}

function checkExtra(asking: Asking): Status | undefined {
  const { wanted: { extra }, requestor, check, constrained } = asking;
  const keys = Object.keys(extra).sort();
  if (keys.length === 0) return undefined;
  const asked = (subresource: string, name: string): Attributes => about(asking, AUTHENTICATION_GROUP, "userextras", name, { subresource });
  const bad = constrained ? badExtra(extra) : undefined;
  if (bad !== undefined) return forbiddenStatus(requestor, asked("", ""), bad);
  const count = Object.values(extra).flat().length;
  if (constrained && (keys.length >= MANY || count >= MANY) && check(asked("*", "*")) === undefined) return undefined;
  return first(keys, (key) => first(extra[key] ?? [], (value) => check(asked(key, value))));
}

function first<T>(list: readonly T[], check: (item: T) => Status | undefined): Status | undefined {
  for (const item of list) {
    const refused = check(item);
    if (refused !== undefined) return refused;
  }
  return undefined;
}

/** The user that the request goes on as: upstream adds the groups that everybody has. */
function becomes({ wanted }: Asking, mode: Mode | undefined): User {
  let groups = wanted.groups;
  const [, namespace] = ACCOUNT.exec(wanted.name) ?? [];
  if (groups.length === 0 && namespace !== undefined) groups = ["system:serviceaccounts", `system:serviceaccounts:${namespace}`];
  if (mode === "associated-node" || mode === "arbitrary-node") groups = ["system:nodes"];
  const everybody = wanted.name === "system:anonymous" ? "system:unauthenticated" : "system:authenticated";
  if (!groups.includes(everybody) && !(everybody === "system:authenticated" && groups.includes("system:unauthenticated"))) groups = [...groups, everybody];
  return { name: wanted.name, ...(wanted.uid === "" ? {} : { uid: wanted.uid }), groups, ...(Object.keys(wanted.extra).length === 0 ? {} : { extra: wanted.extra }) };
}

const MODES: readonly Mode[] = ["associated-node", "arbitrary-node", "serviceaccount", "user-info"];

/** Tries the constrained modes, then the mode of old. The first refusal is the one that is answered. */
export function impersonate(state: ApiServerState, requestor: User, wanted: Wanted, request: Attributes): Impersonated | Status {
  const check: Check = (asked) => {
    const { allowed, reason } = authorize(state, requestor, asked);
    return allowed ? undefined : forbiddenStatus(requestor, asked, reason);
  };
  let refused: Status | undefined;
  for (const mode of [...MODES, undefined]) {
    if (mode !== undefined && !fits(mode, wanted, requestor)) continue;
    const verb = mode === undefined ? "impersonate" : `impersonate:${mode}`;
    const asking: Asking = { wanted, requestor, verb, constrained: mode !== undefined, group: mode === undefined ? "" : AUTHENTICATION_GROUP, check };
    const status = (mode === undefined ? undefined : check({ ...request, verb: `impersonate-on:${mode}:${request.verb}` })) ?? checkName(asking, mode) ?? checkUid(asking) ?? checkGroups(asking) ?? checkExtra(asking);
    if (status === undefined) return { user: becomes(asking, mode), constraint: mode === undefined ? "" : verb };
    refused ??= status;
  }
  return refused ?? newBadRequest(`all impersonation modes failed for ${quoted([wanted.name])}`);
}

const checkUid = (asking: Asking): Status | undefined => (asking.wanted.uid === "" ? undefined : asking.check(about(asking, AUTHENTICATION_GROUP, "uids", asking.wanted.uid)));
