// Models kubernetes/staging/src/k8s.io/kubectl/pkg/cmd/cp/cp.go
import { readTar, type TarEntry, writeTar } from "../api/tar.ts";
import type { Pod } from "../api/types.ts";
import { chosenContainer, containerStream, podOf, streamCall, type Streamed } from "./container-stream.ts";
import { command, type Process } from "./process.ts";

/** "[[NAMESPACE/]POD:]PATH" */
interface FileSpec {
  readonly namespace: string;
  /** "" for a local file. */
  readonly pod: string;
  readonly file: string;
}

const NO_SPEC = "error: filespec must match the canonical format: [[namespace/]pod:]file/path";

function specOf(p: Process, arg: string): FileSpec {
  const at = arg.indexOf(":");
  if (at === 0) return p.fail(NO_SPEC);
  if (at < 0) return { namespace: "", pod: "", file: arg.replace(/(.)\/+$/, "$1") };
  const pieces = arg.slice(0, at).split("/");
  const file = arg.slice(at + 1);
  const [first = "", second] = pieces;
  if (pieces.length > 2) return p.fail(NO_SPEC);
  return second === undefined ? { namespace: p.namespace, pod: first, file } : { namespace: first, pod: second, file };
}

/** path.Clean without what would lead out of a folder. */
function clean(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return parts.join("/");
}
const baseOf = (path: string): string => clean(path).split("/").at(-1) ?? "";
const folderOf = (path: string): string => {
  const at = path.replace(/(.)\/+$/, "$1").lastIndexOf("/");
  return at < 0 ? "." : path.slice(0, at) || "/";
};

const readPod = (p: Process, { namespace, pod }: FileSpec): Pod => podOf(p, `pods/${pod}`, namespace);

function ended(p: Process, { exitCode = 0 }: Streamed): void {
  if (exitCode === 0) return;
  p.printError(`command terminated with exit code ${exitCode}`);
  p.exit(exitCode);
}

/** A file, or a folder with all it holds, under the name it shall have. */
function localEntries(p: Process, file: string, name: string): readonly TarEntry[] {
  const { files } = p.turn.session.run;
  const content = files[file];
  if (content !== undefined) return [{ name, content }];
  const inside = Object.entries(files).filter(([path]) => path.startsWith(`${file.replace(/^\.$/, "").replace(/\/$/, "")}/`) || file === ".");
  return inside.map(([path, text]) => ({ name: `${name}/${file === "." ? path : path.slice(file.length + 1)}`, content: text }));
}

function toPod(p: Process, from: FileSpec, to: FileSpec): void {
  if (localEntries(p, from.file, "x").length === 0) return p.fail(`error: ${from.file} doesn't exist in local filesystem`);
  const before = readPod(p, to);
  const phase = before.status?.phase;
  const running = phase !== "Succeeded" && phase !== "Failed";
  // Whether it is a folder: what goes wrong here is told by the next request.
  const probe = running ? p.ask(streamCall(p, before, chosenContainer(p, before, p.options.container, true), ["test", "-d", to.file], "exec")) : undefined;
  const { error, exitCode } = (probe?.status === 101 ? probe.body : { error: "refused" }) as Streamed;
  const target = error === undefined && exitCode === 0 ? `${to.file.replace(/\/+$/, "")}/${baseOf(from.file)}` : to.file;
  const words = ["tar", ...(p.on("no-preserve") ? ["--no-same-permissions", "--no-same-owner"] : []), "-xmf", "-", "-C", folderOf(target)];
  const result = containerStream(p, readPod(p, to), words, { stdin: writeTar(localEntries(p, from.file, baseOf(target))) });
  if (result.output !== undefined && result.output !== "") p.printError(result.output);
  ended(p, result);
}

/** Standard error stands behind the archive here, whose end is zeroes. Simplified: upstream's stream has one channel for each. */
function split(output: string): readonly [messages: string, archive: string] {
  const end = output.lastIndexOf("\0") + 1;
  return [output.slice(end), output.slice(0, end)];
}

function fromPod(p: Process, from: FileSpec, to: FileSpec): void {
  const tries = Number(p.flag("retries", "0"));
  const words = tries === 0 ? ["tar", "cf", "-", from.file] : ["sh", "-c", `tar cf - '${from.file.replaceAll("'", "'\\''")}' | tail -c+0`];
  const result = containerStream(p, readPod(p, from), words);
  const [messages, archive] = split(result.output ?? "");
  if (messages !== "") p.print(messages);
  ended(p, result);
  const prefix = clean(from.file);
  const entries = readTar(archive) ?? [];
  if (entries.some(({ name }) => !name.startsWith(prefix))) return p.fail("error: tar contents corrupted");
  const written = Object.fromEntries(entries.filter(({ name }) => !name.endsWith("/")).map(({ name, content }) => [`${to.file}${name.slice(prefix.length)}`, content]));
  p.say(`writes ${Object.keys(written).length === 1 ? to.file : `${Object.keys(written).length} files under ${to.file}`} on the workstation`, "it unpacks the archive that tar in the container wrote", "basic", { session: p.turn.session.run.session, files: written });
}

/** kubectl cp: tar in the container does half of the work. */
export const cp = command(["cp"], (p) => {
  const { args } = p.options;
  const [source, target] = args;
  if (source === undefined || target === undefined || args.length !== 2) return p.fail("error: source and destination are required");
  const [from, to] = [specOf(p, source), specOf(p, target)];
  if (from.pod !== "" && to.pod !== "") return p.fail("error: one of src or dest must be a local file specification");
  if (from.file === "" || to.file === "") return p.fail("error: filepath can not be empty");
  if (from.pod !== "") return fromPod(p, from, to);
  if (to.pod !== "") return toPod(p, from, to);
  return p.fail("error: one of src or dest must be a remote file specification");
});
