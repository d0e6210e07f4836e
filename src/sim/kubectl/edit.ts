// Models kubernetes/staging/src/k8s.io/kubectl/pkg/cmd/util/editor/editoptions.go
import { toJson } from "../api/go-yaml/document-stream.ts";
import { parseJson } from "../api/json.ts";
import { findResource } from "../api/schema/resources.ts";
import type { KubeObject } from "../api/types.ts";
import { LAST_APPLIED } from "../api/fieldmanager/last-applied.ts";
import { withLastApplied } from "./apply.ts";
import { type Info, infoOf, infosOf } from "./builder.ts";
import { errorText, statusOf } from "./errors.ts";
import { fieldValidation } from "./flags.ts";
import { goJson, indented } from "./go-json.ts";
import { pathOf, readManifest } from "./manifest.ts";
import { changes, reporter } from "./patching.ts";
import { command, type Process } from "./process.ts";
import { printYaml, stripManaged } from "./yaml.ts";

type Mode = "normal" | "apply" | "create";
interface Reason {
  readonly head: string;
  readonly other: readonly string[];
}

const HEADERS: Readonly<Record<Mode, string>> = {
  normal: "# Please edit the object below. Lines beginning with a '#' will be ignored,\n# and an empty file will abort the edit. If an error occurs while saving this file will be\n# reopened with the relevant failures.\n#\n",
  create: "# Please edit the object below. Lines beginning with a '#' will be ignored,\n# and an empty file will abort the edit. If an error occurs while saving this file will be\n# reopened with the relevant failures.\n#\n",
  apply: "# Please edit the 'last-applied-configuration' annotations below.\n# Lines beginning with a '#' will be ignored, and an empty file will abort the edit.\n#\n",
};

const hashed = (text: string): string => text.replaceAll(/\n(?=[^#])/g, "\n# ");
const reasonText = ({ head, other }: Reason): string => `# ${hashed(head)}${other.length > 0 ? ":" : ""}\n${other.map((text) => `# * ${hashed(text)}\n`).join("")}#\n`;
const withoutComments = (text: string): string => text.split("\n").filter((line) => !line.trimStart().startsWith("#")).join("\n");

/** Two files that mean the same: comments, and the form of YAML, do not count. */
function same(a: string, b: string): boolean {
  const [one, other] = [toJson(a), toJson(b)];
  return one.error !== undefined || other.error !== undefined ? withoutComments(a) === withoutComments(b) : goJson(one.value ?? null) === goJson(other.value ?? null);
}

function serialized(p: Process, infos: readonly Info[]): string {
  const objects = infos.map(({ object }) => stripManaged(object));
  const whole = objects.length === 1 ? objects[0] : { apiVersion: "v1", items: objects, kind: "List", metadata: {} };
  return p.options.output === "json" ? indented(whole) : printYaml(whole);
}

const MANAGERS: Readonly<Record<Mode, string>> = { normal: "kubectl-edit", apply: "kubectl-client-side-apply", create: "kubectl-create" };
const resourceText = ({ api }: Info): string => (api.group === "" ? api.resource : `${api.resource}.${api.group}`);

class EditLoop {
  readonly reasons: Reason[] = [];
  file = "";
  retryable = 0;
  notFound = 0;
  private readonly p: Process;
  private readonly mode: Mode;
  private readonly infos: readonly Info[];

  constructor(p: Process, mode: Mode, infos: readonly Info[]) {
    this.p = p;
    this.mode = mode;
    this.infos = infos;
  }

  /** Ends the program and says where the file is. */
  private stop(error: string): never {
    if (this.file !== "") this.p.printError(`A copy of your changes has been stored to ${JSON.stringify(this.file)}`);
    return this.p.fail(error);
  }

  private writeTo(path: Info, call: "POST" | "PATCH", body: unknown, contentType?: string): ReturnType<Process["ask"]> {
    const { api, namespace, name } = path;
    return this.p.ask({
      method: call, path: pathOf(api, namespace, call === "POST" ? undefined : name), query: { fieldManager: this.p.flag("field-manager", MANAGERS[this.mode]), fieldValidation: fieldValidation(this.p.options) ?? "Strict" }, body, ...(contentType === undefined ? {} : { contentType }),
      subject: `${api.singular}/${namespace === "" ? "" : `${namespace}/`}${name}`, level: "basic",
    });
  }

  private refused(info: Info, answer: ReturnType<Process["ask"]>): void {
    const status = statusOf(answer);
    const named = `${resourceText(info)} ${JSON.stringify(info.name)}`;
    if (status?.reason === "Invalid") {
      this.reasons.push({ head: `${named} was not valid`, other: (status.details?.causes ?? []).map((cause) => `${cause.field ?? ""}: ${cause.message ?? ""}`) });
      this.p.printError(`error: ${named} is invalid`);
    } else if (status?.reason === "NotFound") {
      this.notFound++;
      this.p.printError(`error: ${named} could not be found on the server`);
    } else {
      this.retryable++;
      this.p.printError(`error: ${named} could not be patched: ${status?.message ?? errorText(answer, this.p.turn.config.server)}`);
    }
  }

  private patch(info: Info, before: KubeObject, after: KubeObject): void {
    const report = reporter(this.p);
    if (goJson(before) === goJson(after)) return report(info, after, "skipped");
    if (before.apiVersion !== after.apiVersion || before.kind !== after.kind || before.metadata.name !== after.metadata.name) this.stop("error: At least one of apiVersion, kind and name was changed");
    const body = changes(before, after) ?? {};
    if (this.p.on("output-patch")) this.p.print(`Patch: ${goJson(body)}`);
    const answer = this.writeTo(info, "PATCH", body, "application/strategic-merge-patch+json");
    if (answer.status === 200) report(info, answer.body as KubeObject, "edited");
    else this.refused(info, answer);
  }

  private save(edited: readonly Info[]): void {
    for (const info of edited) {
      if (this.mode === "create") {
        const answer = this.writeTo(info, "POST", info.object);
        if (answer.status !== 201) this.stop(errorText(answer, this.p.turn.config.server));
        reporter(this.p)(info, answer.body as KubeObject, "created");
        continue;
      }
      const original = this.infos.find(({ object }) => object.metadata.uid === info.object.metadata.uid);
      if (original === undefined) return this.stop("error: no original object found for edited object");
      if (this.mode === "normal") {
        const after = this.p.on("save-config") ? withLastApplied(info.object) : info.object;
        this.patch(info, stripManaged(original.object) as KubeObject, stripManaged(after) as KubeObject);
      } else if (goJson(original.object) === goJson(info.object)) reporter(this.p)(info, info.object, "skipped");
      else {
        const answer = this.writeTo(info, "PATCH", { metadata: { annotations: { [LAST_APPLIED]: goJson(info.object) } } }, "application/merge-patch+json");
        if (answer.status !== 200) this.stop(errorText(answer, this.p.turn.config.server));
        reporter(this.p)(info, info.object, "edited");
      }
    }
  }

  /** One look into the editor; true when all is said. */
  private round(original: string, shown: string, before: string | undefined): string | undefined {
    const opened = `${this.p.options.output === "json" ? "" : `${HEADERS[this.mode]}${this.reasons.map(reasonText).join("")}`}${shown}`;
    const [text, file] = this.p.edit(opened, this.p.options.output === "json" ? ".json" : ".yaml", (error) => this.stop(error));
    if (before !== undefined && same(before, text)) {
      this.file = file;
      this.stop("error: Edit cancelled, no valid changes were saved.");
    }
    this.p.ask({ method: "GET", path: "/openapi/v3", query: { timeout: "32s" }, accept: "application/json, */*", level: "operator" });
    if (same(original, text)) return void this.p.printError("Edit cancelled, no changes made.");
    if (withoutComments(text).trim() === "") return void this.p.printError("Edit cancelled, saved file was empty.");
    this.file = file;
    this.reasons.length = 0;
    const documents = readManifest("edited-file", text, this.p.types);
    const wrong = documents.find(({ error }) => error !== undefined);
    if (wrong?.error !== undefined) {
      this.reasons.push({ head: `The edited file had a syntax error: ${wrong.error.replace(/^error: /, "")}`, other: [] });
      return text;
    }
    const edited = documents.flatMap((document) => (document.error === undefined ? [infoOf(document.api, document.object)] : []));
    const moved = edited.find(({ namespace, api }) => api.namespaced && namespace !== "" && namespace !== this.p.namespace);
    if (moved !== undefined) this.stop(`error: the namespace from the provided object ${JSON.stringify(moved.namespace)} does not match the namespace ${JSON.stringify(this.p.namespace)}. You must pass '--namespace=${moved.namespace}' to perform this operation.`);
    this.save(edited.map((info) => (info.api.namespaced ? { ...info, namespace: this.p.namespace } : info)));
    return this.ended() ? undefined : text;
  }

  private ended(): boolean {
    if (this.retryable > 0) {
      this.p.printError(`You can run \`kubectl replace -f ${this.file}\` to try this update again.`);
      this.p.exit(1);
    }
    if (this.notFound > 0) {
      this.p.printError(`The edits you made on deleted resources have been saved to ${JSON.stringify(this.file)}`);
      this.p.exit(1);
    }
    return this.reasons.length === 0;
  }

  run(): void {
    const original = serialized(this.p, this.infos);
    for (let text = this.round(original, original, undefined); text !== undefined; ) text = this.round(original, withoutComments(text), text);
  }
}

/** kubectl edit TYPE/NAME */
export const edit = command(["edit"], (p) => {
  if (!["", "yaml", "json", "kyaml"].includes(p.options.output)) reporter(p);
  const infos = infosOf(p, { args: p.options.args, latest: true });
  if (p.turn.session.errors.length > 0) return;
  if (infos.length === 0) return p.fail("error: edit cancelled, no objects found");
  new EditLoop(p, "normal", infos).run();
});

/** kubectl create -f FILE --edit: every object is shown before it is made. */
export function editBeforeCreate(p: Process): void {
  for (const info of infosOf(p, { args: [] })) new EditLoop(p, "create", [info]).run();
}

/** kubectl apply edit-last-applied TYPE/NAME */
export function editLastApplied(p: Process, args: readonly string[]): void {
  const infos = infosOf(p, { args, latest: true }).flatMap(({ object }) => {
    const remembered = parseJson((object.metadata.annotations?.[LAST_APPLIED] ?? "").trim())?.value as KubeObject | undefined;
    const api = findResource(`${object.kind}.${object.apiVersion.includes("/") ? object.apiVersion.split("/").reverse().join(".") : object.apiVersion}`) ?? findResource(object.kind);
    return remembered === undefined || api === undefined ? [] : [infoOf(api, remembered)];
  });
  if (infos.length === 0) return p.fail("error: no last-applied-configuration annotation found on resources, to create the annotation, use command `kubectl apply set-last-applied --create-annotation`");
  new EditLoop(p, "apply", infos).run();
}
