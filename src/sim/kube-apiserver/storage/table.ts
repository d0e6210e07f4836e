// Models kubernetes/staging/src/k8s.io/apiserver/pkg/endpoints/handlers/response.go (asTable)
import type { HttpRequest } from "../../api/http.ts";
import type { Printed } from "../printers/print-table.ts";
import type { TableColumn } from "../../api/tabwriter.ts";
import type { KubeObject, ObjectMeta } from "../../api/types.ts";
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

function table(api: Printed, objects: readonly KubeObject[], now: Micros, resourceVersion: string, whole = false): TableObject {
  const printed = printTable(api, objects, now);
  const rows = objects.map((object, i) => ({ cells: printed.rows[i] ?? [], object: whole ? object : { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata: object.metadata } }));
  return { kind: "Table", apiVersion: "meta.k8s.io/v1", metadata: { resourceVersion }, columnDefinitions: printed.columns, rows };
}

export const tableOf = (api: Printed, objects: readonly KubeObject[], run: Run): TableObject => table(api, objects, run.ctx.now, String(run.state.revision), run.request.request.query?.["includeObject"] === "Object");

export const tableOfWatch = (api: Printed, object: KubeObject, now: Micros, _config: ApiServerConfig): TableObject => table(api, [object], now, object.metadata.resourceVersion ?? "");
