// Models the server-side part of kubernetes/staging/src/k8s.io/kubectl/pkg/cmd/apply/apply.go
import { ownersOf } from "../api/fieldmanager/field-manager.ts";
import { LAST_APPLIED } from "../api/fieldmanager/last-applied.ts";
import { field } from "../api/fieldmanager/path-element.ts";
import { matches, parseSelector } from "../api/labels.ts";
import type { KubeObject } from "../api/types.ts";
import { getInfo, type Info, infosOf, subjectOf } from "./builder.ts";
import { upgradeManagedFields } from "./csa-upgrade.ts";
import { refusal, statusOf } from "./errors.ts";
import { fieldValidation } from "./flags.ts";
import { pathOf } from "./manifest.ts";
import { dryRunQuery, reporter } from "./patching.ts";
import { command, type Process } from "./process.ts";
import type { Answer, ErrorText } from "./session.ts";

const MANAGER = "kubectl";
const ANNOTATION_MANAGER = "kubectl-last-applied";
const ANNOTATION_PATH = [field("metadata"), field("annotations"), field(LAST_APPLIED)];
const MAX_PATCH_RETRY = 5;

const CONFLICT_HELP = `
Please review the fields above--they currently have other managers. Here
are the ways you can resolve this warning:
* If you intend to manage all of these fields, please re-run the apply
  command with the \`--force-conflicts\` flag.
* If you do not intend to manage all of the fields, please edit your
  manifest to remove references to the fields that should keep their
  current managers.
* You may co-own fields by updating your manifest to match the existing
  value; in this case, you'll become the manager if the other manager(s)
  stop managing the field (remove it from their configuration).
See https://kubernetes.io/docs/reference/using-api/server-side-apply/#conflicts
`;

/** --field-manager, or the name that kubectl has for this way of applying. */
export const applyManager = (options: Process["options"], onServer: boolean): string => options.flags["field-manager"]?.at(-1) ?? (onServer ? MANAGER : "kubectl-client-side-apply");

interface Sent {
  readonly contentType: "application/apply-patch+yaml" | "application/json-patch+json";
  readonly manager: string;
  readonly force?: boolean;
  readonly validated?: boolean;
}

/** PATCH of one object as the apply commands send it. */
export function send(p: Process, { api, namespace, name }: Info, body: unknown, { contentType, manager, force, validated = true }: Sent): Answer {
  const subresource = p.flag("subresource");
  const path = `${pathOf(api, namespace, name)}${subresource === "" ? "" : `/${subresource}`}`;
  const query = { ...dryRunQuery(p), fieldManager: manager, ...(validated ? { fieldValidation: fieldValidation(p.options) ?? "Strict" } : {}), ...(force === undefined ? {} : { force: String(force) }) };
  return p.ask({ method: "PATCH", path, query, body, contentType, subject: subjectOf(api, namespace, name), level: "basic" });
}

function refused(p: Process, answer: Answer): ErrorText {
  const status = statusOf(answer);
  return status?.reason === "Conflict" ? `error: ${status.message ?? ""}${CONFLICT_HELP}` : refusal(answer, p.turn.config.server);
}

const plain = (answer: Answer): string => statusOf(answer)?.message ?? "connection refused";

/** The annotation of client-side apply gets an applier of its own, so that the next apply does not take it away. */
function saveAnnotation(p: Process, info: Info, object: KubeObject): KubeObject | string {
  const text = object.metadata.annotations?.[LAST_APPLIED];
  if (text === undefined || ownersOf(object.metadata.managedFields, "Apply", ANNOTATION_PATH).length > 0) return object;
  const { apiVersion, kind, metadata: { name, namespace } } = object;
  const body = { apiVersion, kind, metadata: { annotations: { [LAST_APPLIED]: text }, ...(name === undefined ? {} : { name }), ...(namespace === undefined ? {} : { namespace }) } };
  p.say("sends PATCH for the annotation of client-side apply", "under a manager of its own, so that server-side apply keeps it", "operator", { body });
  const answer = send(p, info, body, { contentType: "application/apply-patch+yaml", manager: ANNOTATION_MANAGER });
  return answer.status === 200 ? (answer.body as KubeObject) : plain(answer);
}

/** What client-side apply owned becomes owned by server-side apply; undefined when there is nothing to do. */
function migrate(p: Process, info: Info, object: KubeObject, manager: string): KubeObject | string | undefined {
  const names = [...new Set(ownersOf(object.metadata.managedFields, "Update", ANNOTATION_PATH).map((entry) => entry.manager))].sort();
  let live = object;
  for (let i = 1; ; i++) {
    const upgraded = upgradeManagedFields(live.metadata.managedFields, names, manager);
    if (upgraded === undefined) return undefined;
    const body = [{ op: "replace", path: "/metadata/managedFields", value: upgraded }, { op: "replace", path: "/metadata/resourceVersion", value: live.metadata.resourceVersion ?? "" }];
    p.say("sends PATCH that hands over what client-side apply owned", "otherwise fields left out of the manifest would stay for ever", "operator", { body });
    const answer = send(p, info, body, { contentType: "application/json-patch+json", manager });
    if (answer.status === 200) return answer.body as KubeObject;
    if (statusOf(answer)?.reason !== "Conflict" || i === MAX_PATCH_RETRY) return plain(answer);
    const fresh = getInfo(p, info.api, info.namespace, info.name);
    if (fresh.status !== 200) return plain(fresh);
    live = fresh.body as KubeObject;
  }
}

const NOT_FATAL = "This is non-fatal and will be retried next time you apply. Error:";

/** Objects that client-side apply made are handed over: two PATCHes more, and the configuration once more. */
function handOver(p: Process, info: Info, applied: KubeObject, again: () => Answer, manager: string): KubeObject {
  const saved = manager === MANAGER ? saveAnnotation(p, info, applied) : applied;
  if (typeof saved === "string") {
    p.printError(`Warning: failed to migrate ${LAST_APPLIED} for Server-Side Apply. ${NOT_FATAL} ${saved}`);
    return applied;
  }
  const migrated = migrate(p, info, saved, manager);
  if (migrated === undefined) return saved;
  if (typeof migrated === "string") {
    p.printError(`Warning: server rejected managed fields migration to Server-Side Apply. ${NOT_FATAL} ${migrated}`);
    return saved;
  }
  const answer = again();
  if (answer.status === 200) return answer.body as KubeObject;
  p.printError(`Warning: failed to re-apply configuration after performing Server-Side Apply migration. ${NOT_FATAL} ${plain(answer)}`);
  return migrated;
}

function applyOne(p: Process, info: Info): KubeObject | undefined {
  const { generateName = "" } = info.object.metadata;
  if (info.name === "" && generateName !== "") p.addError(`error: from ${generateName}: cannot use generate name with apply`);
  else if (info.name === "") p.addError("error: resource name may not be empty");
  if (info.name === "") return undefined;
  const manager = applyManager(p.options, true);
  const patch = (): Answer => send(p, info, info.object, { contentType: "application/apply-patch+yaml", manager, force: p.on("force-conflicts") });
  p.say(`sends PATCH ${pathOf(info.api, info.namespace, info.name)}`, "the whole manifest: the server merges it, and knows who owns which field", "basic", { body: info.object });
  const answer = patch();
  if (answer.status !== 200 && answer.status !== 201) {
    p.addError(refused(p, answer));
    if (answer.refused) p.exit(1);
    return undefined;
  }
  const object = handOver(p, info, answer.body as KubeObject, patch, manager);
  if (object.metadata.deletionTimestamp !== undefined) p.printError(`Warning: Detected changes to resource ${info.name} which is currently being deleted.`);
  return object;
}

function wrongFlags(p: Process): string | undefined {
  const { options } = p;
  if (options.files.length === 0) return "must specify one of -f and -k";
  if (options.dryRun === "client") return "--dry-run=client doesn't work with --server-side (did you mean --dry-run=server instead?)";
  if (options.force) return "--force cannot be used with --server-side";
  if (options.all && options.selector !== "") return "cannot set --all and --selector at the same time";
  if (!p.on("prune")) return undefined;
  if (!options.all && options.selector === "") return "all resources selected for prune without explicitly passing --all. To prune all resources, pass the --all flag. If you did not mean to prune all resources, specify a label selector";
  return "--prune is in alpha and doesn't currently work on objects created by server-side apply";
}

/** kubectl apply --server-side -f FILE */
export const applyServerSide = command([], (p) => {
  const wrong = wrongFlags(p);
  if (wrong !== undefined) return p.fail(`error: ${wrong}`);
  const report = reporter(p);
  const checked = fieldValidation(p.options) === "Ignore" ? undefined : p.ask({ method: "GET", path: "/openapi/v3", query: { timeout: "32s" }, accept: "application/json, */*", level: "operator" });
  if (checked?.refused) return p.fail(refusal(checked, p.turn.config.server));
  const selector = parseSelector(p.options.selector);
  const infos = infosOf(p, { args: [] }).filter(({ object }) => typeof selector === "string" || matches(selector, object.metadata.labels));
  if (infos.length === 0 && p.turn.session.errors.length === 0) return p.fail("error: no objects passed to apply");
  for (const info of infos) {
    const object = applyOne(p, info);
    if (object !== undefined) report(info, object, "serverside-applied");
  }
});
