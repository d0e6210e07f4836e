// Models kubernetes/staging/src/k8s.io/apiserver/pkg/util/flowcontrol/{apf_controller,rule}.go: which flow and level a request belongs to
import type { Attributes } from "../../api/rbac.ts";
import type { KubeObject } from "../../api/types.ts";
import type { PMap } from "../../kernel/pmap.ts";
import type { User } from "../filters/authentication.ts";
import type { ApiServerState } from "../state.ts";
import { objectsIn } from "../watch-cache/lookup.ts";
import { MANDATORY_LEVELS, MANDATORY_SCHEMAS } from "./bootstrap.ts";
import type { FlowSchema, FlowSubject, PriorityLevelConfiguration, ResourceRule } from "./types.ts";

export interface Level {
  readonly name: string;
  readonly uid: string;
  /** Undefined: exempt, without a limit. */
  readonly seats: number | undefined;
  /** Most seats that one request may ask for. */
  readonly maxSeats: number;
  /** Undefined: a request that finds no seat is refused at once. */
  readonly queuing: { readonly queues: number; readonly handSize: number; readonly queueLengthLimit: number } | undefined;
}

/** What the objects say, digested; of one moment. */
export interface FlowConfig {
  readonly schemaObjects: PMap<KubeObject>;
  readonly levelObjects: PMap<KubeObject>;
  /** In order of precedence, then by name. */
  readonly schemas: readonly FlowSchema[];
  readonly levels: ReadonlyMap<string, Level>;
  /** Found once for a user and a path. */
  readonly found: WeakMap<User, WeakMap<Attributes, FlowSchema>>;
}

/** --max-requests-inflight 400 and --max-mutating-requests-inflight 200. */
const SERVER_SEATS = 600;
const MAX_SEATS_PERCENT = 15;

function levelsOf(objects: readonly PriorityLevelConfiguration[]): ReadonlyMap<string, Level> {
  const shares = ({ spec }: PriorityLevelConfiguration): number => (spec.type === "Exempt" ? (spec.exempt?.nominalConcurrencyShares ?? 0) : (spec.limited?.nominalConcurrencyShares ?? 30));
  const total = objects.reduce((sum, object) => sum + shares(object), 0);
  return new Map(objects.map((object): [string, Level] => {
    const { name = "", uid = "" } = object.metadata;
    const { limitResponse } = object.spec.limited ?? {};
    const nominal = total === 0 ? 0 : Math.ceil((SERVER_SEATS * shares(object)) / total);
    const queuing = limitResponse?.type === "Queue" ? (limitResponse.queuing ?? { queues: 64, handSize: 8, queueLengthLimit: 50 }) : undefined;
    // Simplified: upstream lends the seats that a level does not use to those that need them, every 10 s anew; here a level has its nominal seats.
    return [name, { name, uid, seats: object.spec.type === "Exempt" ? undefined : nominal, maxSeats: Math.max(1, Math.min(Math.ceil((nominal * MAX_SEATS_PERCENT) / 100), Math.floor(nominal / (queuing?.handSize ?? 1)))), queuing }];
  }));
}

const configs = new WeakMap<PMap<KubeObject>, FlowConfig>();

/** What is mandatory is there even when nobody has stored it. */
const withMandatory = <T extends KubeObject>(stored: readonly T[], mandatory: readonly T[]): readonly T[] => [...mandatory.filter(({ metadata }) => !stored.some((object) => object.metadata.name === metadata.name)), ...stored];

export function flowConfig(state: ApiServerState): FlowConfig {
  const schemaObjects = objectsIn(state, "flowschemas");
  const levelObjects = objectsIn(state, "prioritylevelconfigurations");
  const known = configs.get(schemaObjects);
  if (known !== undefined && known.levelObjects === levelObjects) return known;
  const levels = levelsOf(withMandatory(levelObjects.sortedValues() as readonly PriorityLevelConfiguration[], MANDATORY_LEVELS));
  const schemas = withMandatory(schemaObjects.sortedValues() as readonly FlowSchema[], MANDATORY_SCHEMAS)
    .filter(({ spec }) => levels.has(spec.priorityLevelConfiguration.name))
    .toSorted((a, b) => a.spec.matchingPrecedence - b.spec.matchingPrecedence || ((a.metadata.name ?? "") < (b.metadata.name ?? "") ? -1 : 1));
  const config: FlowConfig = { schemaObjects, levelObjects, schemas, levels, found: new WeakMap() };
  configs.set(schemaObjects, config);
  return config;
}

function isSubject(user: User, subject: FlowSubject): boolean {
  switch (subject.kind) {
    case "User":
      return subject.user?.name === "*" || subject.user?.name === user.name;
    case "Group":
      return subject.group?.name === "*" || user.groups.includes(subject.group?.name ?? "");
    case "ServiceAccount": {
      const { namespace = "", name = "" } = subject.serviceAccount ?? {};
      return name === "*" ? user.name.startsWith(`system:serviceaccount:${namespace}:`) : user.name === `system:serviceaccount:${namespace}:${name}`;
    }
  }
}

const holds = (list: readonly string[], value: string): boolean => (list.length === 1 && list[0] === "*") || list.includes(value);

function resourceFits(rule: ResourceRule, { verb, group, resource, subresource, namespace }: Attributes): boolean {
  if (!holds(rule.verbs, verb) || !holds(rule.resources, subresource === "" ? resource : `${resource}/${subresource}`) || !holds(rule.apiGroups, group)) return false;
  return namespace === "" ? rule.clusterScope === true : holds(rule.namespaces ?? [], namespace);
}

const pathFits = (pattern: string, path: string): boolean => pattern === "*" || pattern === path || path.startsWith(pattern.replace(/\*$/, "").replace(/\/?$/, "/"));

function matches(schema: FlowSchema, user: User, asked: Attributes): boolean {
  return (schema.spec.rules ?? []).some(({ subjects, resourceRules = [], nonResourceRules = [] }) => {
    if (!subjects.some((subject) => isSubject(user, subject))) return false;
    if (asked.resource !== "") return resourceRules.some((rule) => resourceFits(rule, asked));
    return nonResourceRules.some((rule) => holds(rule.verbs, asked.verb) && rule.nonResourceURLs.some((pattern) => pathFits(pattern, asked.path)));
  });
}

/** The first flow schema in order of precedence that the request matches. */
export function schemaOf(config: FlowConfig, user: User, asked: Attributes): FlowSchema | undefined {
  let mine = config.found.get(user);
  if (mine === undefined) {
    mine = new WeakMap();
    config.found.set(user, mine);
  }
  let schema = mine.get(asked);
  if (schema === undefined) {
    schema = config.schemas.find((candidate) => matches(candidate, user, asked));
    if (schema !== undefined) mine.set(asked, schema);
  }
  return schema;
}

/** What tells one flow of a schema from another. */
export function distinguisherOf(schema: FlowSchema, user: User, asked: Attributes): string {
  switch (schema.spec.distinguisherMethod?.type) {
    case "ByUser":
      return user.name;
    case "ByNamespace":
      return asked.namespace;
    default:
      return "";
  }
}
