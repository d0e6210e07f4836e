import { parseImageName } from "../api/image-name.ts";
import { COMMANDS } from "./shell/builtins.ts";
import { GENERIC_PROGRAMS, imageOf } from "./images/catalogue.ts";
import type { Image, Program, ServerProgram } from "./images/image.ts";
import { AGNHOST } from "./images/kubernetes-images.ts";

const SHELLS = new Set(["sh", "ash", "bash"]);
const baseName = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

export interface Resolved {
  readonly image: Image;
  readonly known: boolean;
  readonly argv: readonly string[];
}

/** ENTRYPOINT and CMD replaced by the manifest's command and args (a command alone drops the image's CMD). */
export function resolveArgv(imageName: string, command: readonly string[], args: readonly string[]): Resolved {
  const { image, known } = imageOf(parseImageName(imageName)?.repository ?? imageName);
  const entrypoint = command.length > 0 ? command : image.entrypoint;
  const cmd = args.length > 0 ? args : command.length > 0 ? [] : image.cmd;
  // An image that nobody knows is taken to have an entrypoint, to which flags and other words are given.
  const assumed = !known && command.length === 0 && args[0] !== undefined && !isCommand(args[0]) ? image.cmd : [];
  return { image, known, argv: [...entrypoint, ...assumed, ...cmd] };
}

const isCommand = (word: string): boolean => word.startsWith("/") || word.startsWith("./") || SHELLS.has(baseName(word)) || COMMANDS.has(word) || GENERIC_PROGRAMS.has(word);

/** Whether the OCI runtime finds the executable in the image. Simplified: a path the image may well hold is believed. */
export function isExecutable(resolved: Resolved, name: string, hasFile: boolean): boolean {
  const { image, known } = resolved;
  const base = baseName(name);
  if (image.entrypoint[0] === name || image.programs[base] !== undefined || hasFile) return true;
  if (SHELLS.has(base)) return image.shell !== "none" && (base !== "bash" || image.bash);
  if (COMMANDS.has(base) && image.shell !== "none") return !(base === "curl" && image.shell === "busybox" && !image.repository.includes("curl")) && (!base.startsWith("stress") || image.repository.includes("stress") || !known);
  if (base === "stress") return image.repository.includes("stress");
  return !known && (name.startsWith("/") || name.startsWith("./") || image.repository === name || /^[a-z][a-z0-9_-]*$/.test(base));
}

/** What runc says when the kernel does not run a program. */
export const execError = (reason: string): string => `failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: ${reason}`;

/** The error of runc for a command that is not there. */
export const notFoundError = (name: string): string => execError(name.includes("/") ? `exec: "${name}": stat ${name}: no such file or directory` : `exec: "${name}": executable file not found in $PATH`);

/** The program behind an argv: a server, something that waits for ever, or a command of the shell. */
export function programOf(resolved: Resolved, argv: readonly string[], ports: readonly number[]): { readonly program: Program; readonly shellArgv: readonly string[] } {
  const { image } = resolved;
  // An entrypoint script hands over to the command that follows it.
  const signal = argv[0] !== undefined && baseName(argv[0]) === "nginx" && argv[1] === "-s" ? ({ quit: "-QUIT", stop: "-TERM", reload: "-HUP", reopen: "-USR1" }[argv[2] ?? ""] ?? "-TERM") : undefined;
  if (signal !== undefined) return { program: { kind: "shell" }, shellArgv: ["killall", signal, "nginx"] };
  const words = argv[0] !== undefined && argv[0] === image.entrypoint[0] && argv[0].endsWith("entrypoint.sh") ? argv.slice(1) : argv;
  const base = baseName(words[0] ?? "");
  if (base === "nc" && words.includes("-l")) return { program: listening(Number(words.at(-1)) || Number(words[words.indexOf("-p") + 1]) || 0), shellArgv: words };
  const listed = image.programs[base];
  if (listed?.kind === "server") return { program: serverFor(listed, base, words, ports, words[0] === image.entrypoint[0]), shellArgv: words };
  if (listed) return { program: listed, shellArgv: words };
  if (SHELLS.has(base) || COMMANDS.has(base)) return { program: { kind: "shell" }, shellArgv: words };
  const generic: ServerProgram = { kind: "server", ports, protocol: "HTTP", startup: 20_000, memoryMiB: 20, stopExit: 0, stopDelay: 3000, log: [] };
  return { program: generic, shellArgv: words };
}

/** The value of `-name=value`, `--name=value` or `--name value`. */
function flagOf(words: readonly string[], name: string): string | undefined {
  const at = words.findIndex((word) => new RegExp(`^--?${name}(?:=|$)`).test(word));
  const word = words[at];
  return word === undefined ? undefined : word.includes("=") ? word.slice(word.indexOf("=") + 1) : words[at + 1];
}

const listening = (port: number): ServerProgram => ({ kind: "server", ports: [port], protocol: "TCP", startup: 1000, memoryMiB: 1, stopDelay: 1000, log: [] });

function agnhost(words: readonly string[]): Program {
  const listed = AGNHOST[words[1] ?? "pause"];
  const port = flagOf(words, "http-port") ?? flagOf(words, "port");
  if (listed) return port === undefined ? listed : { ...listed, ports: [Number(port)] };
  return words[1] === undefined || words[1] === "pause" ? { kind: "forever" } : { kind: "exit", code: 0, log: [] };
}

function serverFor(listed: ServerProgram, base: string, words: readonly string[], ports: readonly number[], entry: boolean): Program {
  if (base === "agnhost") return agnhost(words);
  if (base === "nginx" && words[1] === "-t") return { kind: "exit", code: 0, log: ["nginx: configuration file /etc/nginx/nginx.conf test is successful"] };
  if (base === "http-echo") return { ...listed, page: `${flagOf(words, "text") ?? "hello-world"}\n`, ports: [Number(/:(\d+)$/.exec(flagOf(words, "listen") ?? "")?.[1] ?? listed.ports[0])] };
  // An interpreter without a program reads standard input, which is closed.
  if (/^(python3?|node|jshell)$/.test(base) && words.length === 1 && !entry) return { kind: "exit", code: 0, log: [] };
  if (/^python3?$/.test(base) && words[1] === "-m" && words[2] === "http.server") return { ...listed, ports: [Number(words[3] ?? 8000) || 8000] };
  if (base === "httpd" && words.includes("-p")) return { ...listed, ports: [Number(words[words.indexOf("-p") + 1]) || 80] };
  const explicit = words.map((word) => /(?:^-?-?(?:port|listen)[= ]:?|:)(\d{2,5})$/.exec(word)?.[1]).find((port) => port !== undefined);
  if (explicit !== undefined && listed.protocol === "HTTP") return { ...listed, ports: [Number(explicit)] };
  return listed.ports.length > 0 ? listed : { ...listed, ports };
}
