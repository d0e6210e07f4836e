import { parseRfc3339 } from "../../../../sim/api/time.ts";
import type { KubeObject } from "../../../../sim/api/types.ts";
import { printTable } from "../../../../sim/kube-apiserver/printers/print-table.ts";
import type { Adapter } from "../../adapter.ts";
import { parseManifest } from "./manifest.ts";

/** One row of `kubectl get`: the objects of these cases were never defaulted, so they are printed as they are. */
export const printerStatusColumn: Adapter = {
  kind: "printer-status-column",
  run(input) {
    const { now, object: manifest, output } = input as { readonly now: string; readonly object: string; readonly output: string };
    const object = parseManifest(manifest) as KubeObject;
    const table = printTable(object, [object], parseRfc3339(now));
    const shown = table.columns.flatMap((column, i) => (output === "wide" || column.priority === 0 ? [i] : []));
    return { columns: shown.map((i) => table.columns[i]?.name.toUpperCase()), row: shown.map((i) => table.rows[0]?.[i]) };
  },
};
