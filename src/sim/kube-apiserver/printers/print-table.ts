// Models kubernetes/pkg/printers/tablegenerator.go
import type { CustomVersion } from "../../api/apiextensions/types.ts";
import type { TableColumn } from "../../api/tabwriter.ts";
import type { Micros } from "../../api/time.ts";
import type { KubeObject } from "../../api/types.ts";
import { customPrinter } from "../apiextensions/printer.ts";
import { columns, nameOf, type Printer } from "./printer.ts";
import { PRINTERS } from "./registry.ts";

/** meta.k8s.io/v1 Table, as far as kubectl reads it. Column names as the server has them: kubectl prints them in upper case. */
export interface Table {
  readonly columns: readonly TableColumn[];
  readonly rows: readonly (readonly string[])[];
}

const byKind: ReadonlyMap<string, Printer> = new Map(PRINTERS.flatMap((printer) => printer.kinds.map((kind) => [kind, printer] as const)));

/** What a table is made for: a kind, and the columns that its definition names. */
export interface Printed {
  readonly apiVersion: string;
  readonly kind: string;
  readonly custom?: CustomVersion;
}

/** Built-in kinds without a handler (roles, limit ranges): the default table of apiserver/pkg/registry/rest/table.go. */
const defaultPrinter: Printer = { kinds: [], columns: columns("Name Created_At"), row: (object) => [nameOf(object), object.metadata.creationTimestamp ?? ""] };

export const printerFor = ({ apiVersion, kind, custom }: Printed): Printer => (custom === undefined ? (byKind.get(`${apiVersion}/${kind}`) ?? defaultPrinter) : customPrinter(custom.version));

/** The Table answer to a get or list; `resource` names the kind so that an empty list has its columns too. `now` in microseconds. */
export function printTable(resource: Printed, objects: readonly KubeObject[], now: Micros): Table {
  const printer = printerFor(resource);
  return { columns: printer.columns, rows: objects.map((object) => printer.row(object, now)) };
}
