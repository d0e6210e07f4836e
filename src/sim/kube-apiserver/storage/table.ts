// Models kubernetes/staging/src/k8s.io/apiserver/pkg/endpoints/handlers/response.go (asTable)
import type { HttpRequest } from "../../api/http.ts";
import type { Printed } from "../printers/print-table.ts";
import type { TableColumn } from "../../api/tabwriter.ts";
import { failure } from "../../api/status-errors.ts";
import type { KubeObject, ObjectMeta, Status } from "../../api/types.ts";
import type { Micros } from "../../kernel/types.ts";
import { printTable } from "../printers/print-table.ts";
import type { ApiServerConfig, Run } from "../state.ts";

/** meta.k8s.io/v1 Table on the wire: the server computes the columns that kubectl prints. */
export interface TableObject extends KubeObject {
  readonly kind: "Table";
  readonly columnDefinitions: readonly TableColumn[];
  /** The object is its metadata only, or whole with ?includeObject=Object. */
  readonly rows: readonly { readonly cells: readonly string[]; readonly object: { readonly kind: string; readonly apiVersion: string; readonly metadata: ObjectMeta } }[];
}

export const wantsTable = (request: HttpRequest): boolean => request.headers["Accept"]?.includes("as=Table") === true;
/** Controllers that need no more ask for metadata only. */
export const wantsMetadata = ({ headers }: HttpRequest): boolean => headers["Accept"] !== "application/json" && !headers["Accept"]?.includes("as=Table") && headers["Accept"]?.includes("as=PartialObjectMetadata") === true;

const PARTIAL = "PartialObjectMetadata";
export const partialOf = ({ metadata }: KubeObject): KubeObject => ({ kind: PARTIAL, apiVersion: "meta.k8s.io/v1", metadata });

/** asPartialObjectMetadata: what is left of an answer; a 406 for a list that was asked for as an object, or the other way round. */
export function withoutContent(body: KubeObject, accept: string): KubeObject | Status {
  const { items } = body as KubeObject & { readonly items?: readonly KubeObject[] };
  const wantsList = accept.includes(`as=${PARTIAL}List`);
  const mismatch = (text: string): Status => failure(406, "NotAcceptable", text);
  if (items === undefined) return wantsList ? mismatch(`you requested ${PARTIAL}List, but the requested object is not a list`) : partialOf(body);
  return wantsList ? ({ kind: `${PARTIAL}List`, apiVersion: "meta.k8s.io/v1", metadata: body.metadata, items: items.map(partialOf) } as KubeObject) : mismatch(`you requested ${PARTIAL}, but the requested object is a list (*unstructured.UnstructuredList)`);
}

function table(api: Printed, objects: readonly KubeObject[], now: Micros, resourceVersion: string, whole = false): TableObject {
  const printed = printTable(api, objects, now);
  const rows = objects.map((object, i) => ({ cells: printed.rows[i] ?? [], object: whole ? object : partialOf(object) }));
  return { kind: "Table", apiVersion: "meta.k8s.io/v1", metadata: { resourceVersion }, columnDefinitions: printed.columns, rows };
}

export const tableOf = (api: Printed, objects: readonly KubeObject[], run: Run): TableObject => table(api, objects, run.ctx.now, String(run.state.revision), run.request.request.query?.["includeObject"] === "Object");

export const tableOfWatch = (api: Printed, object: KubeObject, now: Micros, _config: ApiServerConfig): TableObject => table(api, [object], now, object.metadata.resourceVersion ?? "");
