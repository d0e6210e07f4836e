// Models applyPatcher of kubernetes/staging/src/k8s.io/apiserver/pkg/endpoints/handlers/patch.go
import { applyDefaults } from "../../api/defaulting/apply-defaults.ts";
import { decodeObject } from "../../api/decode.ts";
import { conflictStatus } from "../../api/fieldmanager/conflict.ts";
import { applyManaged } from "../../api/fieldmanager/field-manager.ts";
import { syncLastApplied } from "../../api/fieldmanager/last-applied.ts";
import { newBadRequest, newConflict, newUnknownServerError } from "../../api/status-errors.ts";
import type { KubeObject, Status } from "../../api/types.ts";
import type { Run } from "../state.ts";
import { emptyObject, withManagedFields, writeOf } from "./field-manager.ts";

export interface AppliedPatch {
  readonly object?: KubeObject;
  readonly refusal?: Status;
  /** Fresher data might change the answer. */
  readonly stale?: boolean;
}

const refuse = (refusal: Status): AppliedPatch => ({ refusal });
const kindText = ({ apiVersion = "", kind = "" }: Partial<KubeObject>): string => `${apiVersion.includes("/") ? apiVersion : `/${apiVersion}`}, Kind=${kind}`;

/** What cannot be applied whatever is stored. */
function badConfig(run: Run, config: KubeObject): Status | undefined {
  const { api, subresource } = run.request.info;
  const [apiVersion, kind] = subresource === "scale" ? ["autoscaling/v1", "Scale"] : [api?.apiVersion, api?.kind];
  if (config.apiVersion !== apiVersion || config.kind !== kind) return newBadRequest(`invalid object type: ${kindText(config)}`);
  return config.metadata?.managedFields === undefined ? undefined : newBadRequest("metadata.managedFields must be nil");
}

/** Name, namespace and uid of the result against what the request is about. */
function misplaced(run: Run, object: KubeObject, creating: boolean): Status | undefined {
  const { info } = run.request;
  const { name = "", namespace = "", uid = "" } = object.metadata;
  if (creating && uid !== "") return newConflict({ group: info.group, resource: info.resource }, info.name, `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`);
  if (info.api?.namespaced === true && namespace !== "" && namespace !== info.namespace) return newBadRequest("the namespace of the provided object does not match the namespace sent on the request");
  if (name === "") return newBadRequest(`the name of the object (${info.name} based on URL) was undeterminable: name must be provided`);
  return name === info.name ? undefined : newBadRequest(`the name of the object (${name}) does not match the name on the URL (${info.name})`);
}

/** The object that a server-side apply makes of `live`; of an empty one when there is none yet. */
export function applyPatch(run: Run, live: KubeObject | undefined): AppliedPatch {
  const { info, request } = run.request;
  const { body } = request;
  if (info.api === undefined) return {};
  if (typeof body !== "object" || body === null || Array.isArray(body)) return refuse(newBadRequest("error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal into Go value of type map[string]interface {}"));
  const sent = body as KubeObject;
  const bad = badConfig(run, sent);
  if (bad !== undefined) return refuse(bad);
  const config: KubeObject = sent.metadata === undefined ? { ...sent, metadata: {} } : sent;
  const write = writeOf(run, info.api);
  const empty = emptyObject(config.apiVersion, config.kind);
  const result = applyManaged(write, live ?? empty, empty, config, request.query?.["force"] === "true");
  if (result.error !== undefined) return refuse(newUnknownServerError(result.error));
  if (result.conflicts !== undefined) return { refusal: conflictStatus(result.conflicts), stale: true };
  const completed = result.changed ? complete(config, result.object) : result.object;
  if (typeof completed === "string") return refuse(newUnknownServerError(completed));
  const wrong = misplaced(run, completed, live === undefined);
  if (wrong !== undefined) return refuse(wrong);
  const placed = info.api.namespaced && completed.metadata.namespace !== info.namespace ? { ...completed, metadata: { ...completed.metadata, namespace: info.namespace } } : completed;
  return { object: withManagedFields(write.manager === "kubectl" ? syncLastApplied(placed, config) : placed, result.managedFields) };
}

/** The merged object as a typed one, with its defaults; or why it is none. */
function complete(config: KubeObject, merged: KubeObject): KubeObject | string {
  const decoded = decodeObject(merged, { fieldValidation: "Ignore", patched: true });
  if (decoded.object !== undefined) return applyDefaults(decoded.object);
  return `failed to convert new typed object (${config.metadata.namespace ?? ""}/${config.metadata.name ?? ""}; ${kindText(config)}) to object: ${decoded.error}`;
}
