import type { Command } from "./commands/command.ts";
import { FILE_COMMANDS } from "./commands/files.ts";
import { NETWORK_COMMANDS } from "./commands/network.ts";
import { SYSTEM_COMMANDS } from "./commands/system.ts";
import { tar } from "./commands/tar.ts";
import { TEXT_COMMANDS } from "./commands/text.ts";
import { USER_COMMANDS } from "./commands/users.ts";

/** Commands that the small shell knows; anything else is "not found", 127. */
export const COMMANDS: ReadonlyMap<string, Command> = new Map<string, Command>([...FILE_COMMANDS, ...TEXT_COMMANDS, ...SYSTEM_COMMANDS, ...NETWORK_COMMANDS, ...USER_COMMANDS, ["tar", tar]]);
