import type { Command } from "./command.ts";
import { conformanceCommand } from "./conformance.ts";
import { faultsCommand, samplesCommand, scenariosCommand } from "./lists.ts";
import { runCommand } from "./run.ts";
import { scheduleCommand } from "./schedule.ts";
import { serveCommand } from "./serve.ts";
import { validateCommand } from "./validate.ts";
import { verdictsCommand } from "./verdicts.ts";

export const COMMANDS: readonly Command[] = [runCommand, scheduleCommand, validateCommand, faultsCommand, scenariosCommand, samplesCommand, conformanceCommand, verdictsCommand, serveCommand];
