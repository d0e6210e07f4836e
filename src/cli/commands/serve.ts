import { BAD_USAGE } from "../io.ts";
import type { Command } from "./command.ts";

export const serveCommand = {
  name: "serve",
  usage: "[--port 0] [--cluster NAME|FILE] [--speed N]",
  does: "the simulated API server over real HTTP (not yet)",
  flags: [{ name: "--port", words: 1 }, { name: "--cluster", words: 1 }, { name: "--speed", words: 1 }],
  run(_args, io) {
    io.err("millipod serve: not yet\n");
    return BAD_USAGE;
  },
} satisfies Command;
