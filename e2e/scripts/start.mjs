// npm start: builds the page and serves it on this machine. PORT chooses the port (default 4173, the next free one if taken).
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, preview } from "vite";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const port = Number(process.env.PORT ?? 4173);

await build({ root, logLevel: "warn" });
const server = await preview({ root, logLevel: "error", preview: { host: "localhost", port, strictPort: process.env.PORT !== undefined } });
process.stdout.write(`Millipod runs at ${server.resolvedUrls?.local[0] ?? `http://localhost:${port}/`}\nStop it with Ctrl+C.\n`);
