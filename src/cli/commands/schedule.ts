import { BAD_USAGE } from "../io.ts";
import type { Command } from "./command.ts";
import { FILE_FLAG, OUTPUT_FLAG } from "./recipe-flags.ts";

export const scheduleCommand = {
  name: "schedule",
  usage: "-f CLUSTER -f POD [-o text|json]",
  does: "one scheduling decision, explained: filters, scores, the chosen node, preemption",
  flags: [FILE_FLAG, OUTPUT_FLAG],
  run(_args, io) {
    io.err("millipod schedule: not yet\n");
    return BAD_USAGE;
  },
} satisfies Command;
