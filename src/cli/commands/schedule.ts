import { runSchedule } from "../schedule.ts";
import type { Command } from "./command.ts";
import { FILE_FLAG, OUTPUT_FLAG, SCHEDULER_CONFIG_FLAG } from "./recipe-flags.ts";

export const scheduleCommand = {
  name: "schedule",
  usage: "-f CLUSTER -f POD [-o text|json] [--scheduler-config FILE]",
  does: "one scheduling decision, explained: filters, scores, the chosen node, preemption; takes `kubectl get nodes,pods -A -o yaml` of a real cluster",
  flags: [FILE_FLAG, OUTPUT_FLAG, SCHEDULER_CONFIG_FLAG],
  run: runSchedule,
} satisfies Command;
