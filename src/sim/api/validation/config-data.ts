// Models ValidateConfigMap* and ValidateSecret* of kubernetes/pkg/apis/core/validation/validation.go
import { base64Decode } from "../base64.ts";
import { type FieldError, forbidden, invalid, invalidEach, required, tooLong } from "../field-error.ts";
import { goJsonError } from "../go-json-error.ts";
import { byteLength, isConfigMapKey } from "../names.ts";
import type { KubeObject } from "../types.ts";
import { json, root, semanticEqual, sortedEntries, text, validateImmutable } from "./helpers.ts";

/** 1 MiB */
const MAX_DATA_SIZE = 1_048_576;

type Texts = Readonly<Record<string, string>>;
const data = (object: KubeObject, key: string): Texts => json(root(object)[key]) as Texts;
const decodedSize = (base64: string): number => Math.floor((base64.length * 3) / 4) - (/=*$/.exec(base64)?.[0].length ?? 0);

export function validateConfigMap(object: KubeObject): FieldError[] {
  const binary = data(object, "binaryData");
  const errors: FieldError[] = [];
  let size = 0;
  for (const [key, value] of sortedEntries(data(object, "data"))) {
    errors.push(...invalidEach(`data[${key}]`, key, isConfigMapKey(key)));
    if (Object.hasOwn(binary, key)) errors.push(invalid(`data[${key}]`, key, "duplicate of key present in binaryData"));
    size += byteLength(value);
  }
  for (const [key, value] of sortedEntries(binary)) {
    errors.push(...invalidEach(`binaryData[${key}]`, key, isConfigMapKey(key)));
    size += decodedSize(value);
  }
  return size > MAX_DATA_SIZE ? [...errors, tooLong("", MAX_DATA_SIZE)] : errors;
}

/** A key that holds a JSON object; what is wrong is told without the content. */
function jsonKey(values: Texts, key: string): FieldError[] {
  const value = values[key];
  if (value === undefined) return [required(`data[${key}]`)];
  const source = base64Decode(value);
  let error = goJsonError(source);
  if (error === undefined) {
    const parsed: unknown = JSON.parse(source);
    const kind = Array.isArray(parsed) ? "array" : typeof parsed === "boolean" ? "bool" : typeof parsed;
    if (kind !== "object") error = `json: cannot unmarshal ${kind} into Go value of type map[string]interface {}`;
  }
  return error === undefined ? [] : [invalid(`data[${key}]`, "<secret contents redacted>", error)];
}

function validateType(object: KubeObject, values: Texts): FieldError[] {
  const missing = (...keys: string[]): FieldError[] => keys.filter((key) => !Object.hasOwn(values, key)).map((key) => required(`data[${key}]`));
  switch (text(root(object)["type"])) {
    case "kubernetes.io/service-account-token": {
      const account = "kubernetes.io/service-account.name";
      return object.metadata.annotations?.[account] ? [] : [required(`metadata.annotations[${account}]`)];
    }
    case "kubernetes.io/dockercfg":
      return jsonKey(values, ".dockercfg");
    case "kubernetes.io/dockerconfigjson":
      return jsonKey(values, ".dockerconfigjson");
    case "kubernetes.io/basic-auth": {
      const none = missing("username", "password");
      return none.length === 2 ? none : [];
    }
    case "kubernetes.io/ssh-auth":
      return values["ssh-privatekey"] ? [] : [required("data[ssh-privatekey]")];
    case "kubernetes.io/tls":
      return missing("tls.crt", "tls.key");
    default:
      return [];
  }
}

export function validateSecret(object: KubeObject): FieldError[] {
  const values = data(object, "data");
  const errors = sortedEntries(values).flatMap(([key]) => invalidEach(`data[${key}]`, key, isConfigMapKey(key)));
  if (Object.values(values).reduce((sum, value) => sum + decodedSize(value), 0) > MAX_DATA_SIZE) errors.push(tooLong("data", MAX_DATA_SIZE));
  return [...errors, ...validateType(object, values)];
}

/** Objects marked immutable keep their data and the mark. */
function validateFrozen(object: KubeObject, old: KubeObject, keys: readonly string[]): FieldError[] {
  const now = root(object);
  const before = root(old);
  if (before["immutable"] !== true) return [];
  const changed = [...(now["immutable"] === true ? [] : ["immutable"]), ...keys.filter((key) => !semanticEqual(now[key], before[key]))];
  return changed.map((key) => forbidden(key, "field is immutable when `immutable` is set"));
}

export const validateConfigMapUpdate = (object: KubeObject, old: KubeObject): FieldError[] => [...validateFrozen(object, old, ["data", "binaryData"]), ...validateConfigMap(object)];

export const validateSecretUpdate = (object: KubeObject, old: KubeObject): FieldError[] => [
  ...validateImmutable(root(object)["type"], root(old)["type"], "type"), ...validateFrozen(object, old, ["data"]), ...validateSecret(object),
];
