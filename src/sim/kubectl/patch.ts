// Models kubernetes/staging/src/k8s.io/kubectl/pkg/cmd/patch/patch.go
import { goJsonError } from "../api/go-json-error.ts";
import { toJson } from "../api/go-yaml/document-stream.ts";
import { goQuote } from "../api/go-yaml/go-syntax.ts";
import { applyJsonMergePatch, applyJsonPatch, applyStrategicMergePatch, type JsonPatchOperation } from "../api/patch.ts";
import { sortKeys } from "../api/json.ts";
import type { KubeObject } from "../api/types.ts";
import { getInfo, namedBy, NOTHING_NAMED, list, infoOf, type Info } from "./builder.ts";
import { errorText } from "./errors.ts";
import { nameOf } from "./printers.ts";
import { dryRunSuffix, patch as send, reporter } from "./patching.ts";
import { command, type Process } from "./process.ts";

const TYPES: Readonly<Record<string, string>> = { strategic: "application/strategic-merge-patch+json", merge: "application/merge-patch+json", json: "application/json-patch+json" };

/** The patch: YAML is turned into JSON; a text that begins like JSON is sent as it is. */
function bodyOf(p: Process): unknown {
  const file = p.flag("patch-file");
  const text = file === "" ? p.flag("patch") : (p.file(file) ?? p.fail(`error: unable to read patch file: open ${file}: no such file or directory`));
  const read = toJson(text);
  return read.error === undefined ? read.value : p.fail(`error: unable to parse ${goQuote(p.flag("patch"))}: ${read.error}`);
}

function targets(p: Process, subresource: string): readonly Info[] {
  if (p.options.args.length === 0 && p.options.files.length === 0) return p.fail(NOTHING_NAMED);
  const named = namedBy(p.options.args, "patch", p.types);
  if (typeof named === "string") return p.fail(named);
  if (p.options.selector !== "" || p.options.all) return named.flatMap(({ api }) => list(p, api).map((object) => infoOf(api, object)));
  if (named.some(({ name }) => name === "")) return p.fail("error: resource(s) were provided, but no name was specified");
  return named.flatMap(({ api, name }) => {
    const namespace = api.namespaced ? p.namespace : "";
    const answer = getInfo(p, api, namespace, name, subresource);
    if (answer.status === 200) return [{ api, namespace, name, object: answer.body as KubeObject }];
    p.addError(errorText(answer, p.turn.config.server));
    return answer.refused ? p.exit(1) : [];
  });
}

/** Why jsonpatch.DecodePatch refuses a body that is no list; a text is what could not be read as JSON. */
function notOperations(body: unknown): string {
  const broken = typeof body === "string" && body.trimStart().startsWith("{") ? goJsonError(body) : undefined;
  return broken ?? `json: cannot unmarshal ${typeof body === "boolean" ? "bool" : typeof body} into Go value of type jsonpatch.Patch`;
}

function locally(object: KubeObject, body: unknown, type: string): KubeObject | string {
  if (type === "json") {
    if (!Array.isArray(body)) return notOperations(body);
    const applied = applyJsonPatch(object, body as readonly JsonPatchOperation[]);
    return typeof applied === "string" ? applied : (applied.value as KubeObject);
  }
  if (typeof body !== "object" || body === null) return type === "merge" ? "Invalid JSON Patch" : "invalid JSON document";
  return (type === "merge" ? applyJsonMergePatch(object, body) : applyStrategicMergePatch(object, body, object)) as KubeObject | string;
}

const same = (a: KubeObject, b: KubeObject): boolean => a.metadata.resourceVersion === b.metadata.resourceVersion || JSON.stringify(sortKeys(a)) === JSON.stringify(sortKeys(b));

/** kubectl patch TYPE NAME -p PATCH */
export const patch = command(["patch"], (p) => {
  const type = p.flag("type", "strategic").toLowerCase();
  if (p.flag("patch") === "" && p.flag("patch-file") === "") return p.fail("error: must specify --patch or --patch-file containing the contents of the patch");
  const contentType = TYPES[type];
  if (contentType === undefined) return p.fail(`error: --type must be one of [json merge strategic], not ${JSON.stringify(p.flag("type"))}`);
  const body = bodyOf(p);
  const subresource = p.flag("subresource");
  const report = reporter(p);
  for (const info of targets(p, subresource)) {
    const done = (object: KubeObject): void => {
      const what = p.options.dryRun !== "server" && same(info.object, object) ? "patched (no change)" : "patched";
      if (p.options.output === "" && object.kind !== info.api.kind) p.print(`${nameOf(object)} ${what}${dryRunSuffix(p)}`);
      else report(info, object, what);
    };
    if (p.options.dryRun === "client" || p.on("local")) {
      const object = locally(info.object, body, type);
      if (typeof object === "string") return p.fail(`error: ${object}`);
      done(object);
      continue;
    }
    const stored = send(p, info, { body, contentType, manager: p.flag("field-manager", "kubectl-patch"), subresource });
    if (stored) done(stored);
  }
});
