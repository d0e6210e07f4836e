// Models kubernetes/pkg/apis/core/validation/events.go
import { type FieldError, invalid, invalidEach, required } from "../field-error.ts";
import { isDNS1123Subdomain } from "../names.ts";
import type { KubeObject } from "../types.ts";
import { isSet, type Json, json, number, root, semanticEqual, text, validateImmutable, validateQualifiedName } from "./helpers.ts";

const LIMITS: Readonly<Record<string, number>> = { reportingInstance: 128, action: 128, reason: 128, message: 1024 };

/** Names of the same things in the two groups: core/v1 first, as errors name them. */
const NEW_NAMES: Readonly<Record<string, string>> = { involvedObject: "regarding", message: "note", source: "deprecatedSource", firstTimestamp: "deprecatedFirstTimestamp", lastTimestamp: "deprecatedLastTimestamp", count: "deprecatedCount" };
const isNew = (event: KubeObject): boolean => event.apiVersion.startsWith("events.k8s.io/");
const get = (event: KubeObject, name: string): unknown => root(event)[isNew(event) ? (NEW_NAMES[name] ?? name) : name];
const controllerName = (event: KubeObject): string => (isNew(event) ? "reportingController" : "reportingComponent");

/** The rules of both groups. */
export function validateEvent(event: KubeObject): FieldError[] {
  const namespace = event.metadata.namespace ?? "";
  const about = text(json(get(event, "involvedObject"))["namespace"]);
  const bad = isDNS1123Subdomain(namespace);
  const errors: FieldError[] = [];
  const timed = isSet(root(event)["eventTime"]);
  const free = timed ? ["default", "kube-system"] : ["", "default"];
  if (about === "" ? !free.includes(namespace) : !timed && about !== namespace) errors.push(invalid("involvedObject.namespace", about, "does not match event.namespace"));
  if (timed) {
    const path = controllerName(event);
    const controller = text(root(event)[path]);
    if (controller === "") errors.push(required(path));
    errors.push(...validateQualifiedName(controller, path));
    for (const [key, limit] of Object.entries(LIMITS)) {
      const value = text(get(event, key));
      if (value === "" && key !== "message") errors.push(required(key));
      if (value.length > limit) errors.push(invalid(key, "", `can have at most ${limit} characters`));
    }
  }
  return [...errors, ...invalidEach("namespace", namespace, bad)];
}

function validateSeries(event: KubeObject): FieldError[] {
  const { series } = root(event);
  if (!isSet(series)) return [];
  const { count, lastObservedTime } = json(series);
  return [...((number(count) ?? 0) < 2 ? [invalid("series.count", "", "should be at least 2")] : []), ...(isSet(lastObservedTime) ? [] : [required("series.lastObservedTime")])];
}

/** events.k8s.io/v1 wants the new fields and none of the old. */
export function validateEventCreate(event: KubeObject): FieldError[] {
  const unset = (key: string): FieldError => invalid(key, "", "needs to be unset");
  if (!isNew(event)) return [];
  const type = text(get(event, "type"));
  const source: Json = json(get(event, "source"));
  return [
    ...validateSeries(event), ...(isSet(root(event)["eventTime"]) ? [] : [required("eventTime")]), ...(["Normal", "Warning"].includes(type) ? [] : [invalid("type", "", `has invalid value: ${type}`)]),
    ...["firstTimestamp", "lastTimestamp"].filter((key) => isSet(get(event, key))).map(unset), ...(get(event, "count") ? [unset("count")] : []), ...(source["component"] || source["host"] ? [unset("source")] : []),
  ];
}

const FIXED = ["involvedObject", "reason", "message", "source", "firstTimestamp", "lastTimestamp", "count", "reason", "type", "eventTime", "action", "related", "reportingController", "reportingInstance"];

export function validateEventUpdate(event: KubeObject, old: KubeObject): FieldError[] {
  if (!isNew(event)) return [];
  return [...(semanticEqual(root(event)["series"], root(old)["series"]) ? [] : validateSeries(event)), ...FIXED.flatMap((key) => validateImmutable(get(event, key), get(old, key), key))];
}
