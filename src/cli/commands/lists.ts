import { formatTable } from "../../sim/api/tabwriter.ts";
import { FAULTS } from "../../sim/faults/registry.ts";
import { SAMPLES } from "../../sim/scenarios/samples.ts";
import { SCENARIOS } from "../../sim/scenarios/registry.ts";
import { OK } from "../io.ts";
import { seconds } from "../time-text.ts";
import type { Command } from "./command.ts";
import { formatOf, OUTPUT_FLAG } from "./recipe-flags.ts";

interface Listing {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly json: unknown;
}

function list(name: string, does: string, listing: () => Listing): Command {
  return {
    name,
    usage: "[-o text|json]",
    does,
    flags: [OUTPUT_FLAG],
    run(args, io) {
      const { columns, rows, json } = listing();
      const table = (): string => formatTable(columns.map((column) => ({ name: column, priority: 0 })), rows, false);
      io.out(formatOf(args, ["text", "json"]) === "json" ? `${JSON.stringify(json, undefined, 2)}\n` : table());
      return OK;
    },
  };
}

export const faultsCommand = list("faults", "what can go wrong", () => ({
  columns: ["ID", "GROUP", "PARAMETERS", "WHAT"],
  rows: FAULTS.map((fault) => [fault.id, fault.group, fault.params.map((param) => `${param.name}=${param.default}`).join(",") || "<none>", fault.title]),
  json: FAULTS.map(({ id, title, group, symptom, command, fix, params }) => ({ id, title, group, symptom, command, fix, params })),
}));

export const scenariosCommand = list("scenarios", "runs that the tests hold fast", () => ({
  columns: ["ID", "CLUSTER", "SECONDS", "WHAT"],
  rows: SCENARIOS.map((scenario) => [scenario.id, scenario.recipe.world, String(seconds(scenario.until)), scenario.title]),
  json: SCENARIOS.map(({ id, title, recipe, until }) => ({ id, title, until: seconds(until), recipe })),
}));

export const samplesCommand = list("samples", "manifests to start from", () => ({
  columns: ["ID", "FILE", "SECONDS", "THEN", "WHAT"],
  rows: SAMPLES.map((sample) => [sample.id, sample.file, sample.until === undefined ? "<default>" : String(seconds(sample.until)), (sample.after ?? []).map((input) => `${seconds(input.at)}s ${input.type === "command" ? input.argv.join(" ") : input.type === "fault" ? input.id : ""}`).join("; ") || "<none>", sample.title]),
  json: SAMPLES,
}));
