import type { Micros } from "../../kernel/types.ts";
import type { Files } from "../files.ts";

/** What a program of an image does when it runs as a container's first process. */
export interface ServerProgram {
  readonly kind: "server";
  /** 0: the ports the manifest names (an application of the user's). */
  readonly ports: readonly number[];
  readonly protocol: "HTTP" | "TCP" | "gRPC";
  /** From exec to listening. */
  readonly startup: Micros;
  readonly memoryMiB: number;
  /** Exit code on the image's stop signal; undefined: PID 1 ignores it (no handler installed), so that only SIGKILL helps. */
  readonly stopExit?: number;
  readonly stopDelay: Micros;
  /** Processor time that one HTTP request takes, if so much that its answer waits for it. */
  readonly cpuPerRequest?: Micros;
  /** Directory that is served; paths without a file are 404. Undefined: any path is 200. */
  readonly root?: string;
  /** Paths with an answer of their own, from and until a time after the start. */
  readonly answers?: readonly { readonly path: string; readonly from?: Micros; readonly until?: Micros; readonly status: number; readonly body?: string }[];
  /** Where it must be able to write before it serves, in order, and what it says if it may not. `owner`: to whom it gives what it makes, as root. */
  readonly writes?: readonly { readonly paths: readonly string[]; readonly owner?: number; readonly log: readonly string[] }[];
  /** What any other path gives. */
  readonly otherwise?: number;
  /** The page that is served at every path. */
  readonly page?: string;
  readonly log: readonly string[];
  /** A program that is a component of its own: what is asked at its ports goes on to it. */
  readonly component?: { readonly id: string; readonly ports: readonly number[] };
}

export type Program = ServerProgram | { readonly kind: "shell" } | { readonly kind: "forever" } | { readonly kind: "exit"; readonly code: number; readonly log: readonly string[] };

export interface Image {
  /** Normalized repository: "docker.io/library/nginx". */
  readonly repository: string;
  readonly entrypoint: readonly string[];
  readonly cmd: readonly string[];
  readonly shell: "busybox" | "dash" | "none";
  readonly bash: boolean;
  /** Programs by the name under which they are executed. */
  readonly programs: Readonly<Record<string, Program>>;
  readonly files: Files;
  readonly env: readonly (readonly [string, string])[];
  /** Without "SIG"; TERM unless the image says otherwise. */
  readonly stopSignal?: string;
  /** An entry that needs this variable to start (postgres, mysql). */
  readonly needsEnv?: { readonly anyOf: readonly string[]; readonly log: readonly string[] };
}

const ms = (n: number): Micros => n * 1000;
const PATH: readonly (readonly [string, string])[] = [["PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"]];

/** A server that ends in good order; `change` is what is particular. */
export const server = (change: Partial<ServerProgram>): ServerProgram => ({ kind: "server", ports: [], protocol: "HTTP", startup: ms(20), memoryMiB: 10, stopExit: 0, stopDelay: ms(3), log: [], ...change });

const { stopExit: _, ...deaf } = server({ startup: ms(300), memoryMiB: 40 });
/** An interpreter as PID 1 installs no handler for SIGTERM, and the kernel does not deliver it to PID 1 then. */
export const INTERPRETER: ServerProgram = deaf;

/** What every image that is more than one program has. */
const BASE_FILES: Files = { "/etc/passwd": "root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/:/sbin/nologin\n", "/etc/group": "root:x:0:\nnogroup:x:65534:\n" };
/** In busybox's own image root is one of wheel. */
const BUSYBOX_FILES: Files = { ...BASE_FILES, "/etc/group": "root:x:0:\nwheel:x:10:root\nnogroup:x:65534:\n" };

/** An image by its name on Docker Hub's library, or its whole repository; a Debian with a shell unless said otherwise. */
export function image(name: string, change: Partial<Image>): Image {
  return { repository: /^[^/]+[.][^/]+\//.test(name) ? name : name.includes("/") ? `docker.io/${name}` : `docker.io/library/${name}`, entrypoint: [], cmd: ["sh"], shell: "dash", bash: true, programs: {}, env: PATH, ...change, files: change.shell === "none" ? (change.files ?? {}) : { ...(change.shell === "busybox" ? BUSYBOX_FILES : BASE_FILES), ...change.files } };
}

/** An image with nothing in it but one program: `entrypoint` is its path. */
export function single(name: string, entrypoint: string, change: Partial<ServerProgram>, more: Partial<Image> = {}): Image {
  return image(name, { entrypoint: [entrypoint], cmd: [], shell: "none", bash: false, programs: { [entrypoint.slice(entrypoint.lastIndexOf("/") + 1)]: server(change) }, ...more });
}
