import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Io, UsageError } from "./io.ts";

function readText(path: string): string {
  try {
    return readFileSync(path === "-" ? 0 : path, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : "";
    throw new UsageError(code === "ENOENT" ? `the path "${path}" does not exist` : `cannot read ${path}: ${code === "EISDIR" ? "it is a folder" : code}`);
  }
}

/** The real process. */
export const nodeIo: Io = {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  read: readText,
  exists: existsSync,
  list(path) {
    if (!existsSync(path) || !statSync(path).isDirectory()) return undefined;
    return readdirSync(path, { withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => join(path, entry.name)).sort();
  },
};
