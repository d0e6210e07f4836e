import type { LineReading, RunInput } from "../worker/protocol.ts";
import { follows, isReadOnly } from "./command-kind.ts";
import { captionTime } from "./format.ts";
import { playhead } from "./playhead.ts";
import type { Session } from "./session.ts";
import type { GetTimeline, SetTimeline, TimelineActions } from "./types.ts";

type CommandActions = Pick<TimelineActions, "runCommand" | "interrupt" | "setEditText" | "closeEdit">;
type Reading = Exclude<LineReading, { readonly error: string }>;

interface Runs {
  /** A child of the run that is shown, or of `from`, which becomes the one that is shown; `entry` is the terminal's line that it answers. */
  readonly fork: (title: string, at: number, inputs: readonly RunInput[], entry?: number, from?: string) => Promise<void>;
  /** The user has changed the cluster: Apply acts on it as it is from now on. */
  readonly touched: () => void;
}

const INTERRUPTED = 130;
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The terminal's side of the store: questions to a fork that is thrown away, changes that fork, watches that print as time goes on. */
export function createCommandActions(set: SetTimeline, get: GetTimeline, session: Session, { fork, touched }: Runs): CommandActions {
  /** Texts that a command may read: the editor's under its name, a here-document under "-". */
  const filesFor = ({ argv, stdin }: Reading): Record<string, string> => {
    const { manifest } = get();
    const reads = argv.some((word) => /^(-f|--filename|-k|--kustomize)/.test(word) || word.includes(manifest.file));
    return { ...(reads ? { [manifest.file]: manifest.text } : {}), ...(stdin === undefined ? {} : { "-": stdin }) };
  };

  const change = async (line: string, at: number, reading: Reading): Promise<void> => {
    const { argv, stdin, env, filters } = reading;
    const { manifest } = get();
    const writes = argv[0] === "apply" || argv[0] === "create" || argv[0] === "replace";
    const text = stdin ?? (argv.includes(manifest.file) ? manifest.text : undefined);
    const entry = session.addEntry(line, argv, at, true, writes ? text : undefined, filters);
    touched();
    await fork(`${argv[0] ?? ""} at ${captionTime(at)}`, at, [{ at, type: "command", argv, files: filesFor(reading), ...(Object.keys(env).length === 0 ? {} : { env }) }], entry);
  };

  const follow = async (entry: number, run: string, at: number, { argv, filters }: Reading): Promise<void> => {
    const { printed, exitCode, exitAt } = await session.call({ type: "follow", run, at, argv });
    // What a filter leaves of each line is all that it leaves, except for those that look at the whole.
    const left = await Promise.all(printed.map(async (one) => ({ ...one, text: one.source === "stdout" ? await session.filtered(one.text, filters) : one.text })));
    session.amend(entry, { printed: left.filter(({ text }) => text !== ""), ...(exitCode === undefined || exitAt === undefined ? {} : { endAt: exitAt, exitCode }) });
  };

  const ask = async (line: string, at: number, reading: Reading): Promise<void> => {
    const { argv, filters, env } = reading;
    const entry = session.addEntry(line, argv, at, false, undefined, filters);
    try {
      const { run } = get();
      if (!run) throw new Error("no run is loaded yet");
      if (follows(argv)) return await follow(entry, run.id, at, reading);
      const { stdout, stderr, exitCode } = await session.call({ type: "ask", run: run.id, at, argv, env, files: filesFor(reading) });
      session.amend(entry, { stdout: await session.filtered(stdout, filters), stderr, exitCode });
    } catch (error) {
      session.amend(entry, { stderr: `${messageOf(error)}\n`, exitCode: 1 });
    }
  };

  return {
    async runCommand(typed) {
      const line = typed.trim();
      const at = playhead.get();
      if (line === "") return;
      const reading = await session.call({ type: "line", text: line }).catch((error: unknown): LineReading => ({ error: messageOf(error) }));
      if ("error" in reading) session.amend(session.addEntry(line, [], at, false), { stderr: `${reading.error}\n`, exitCode: 2 });
      else if (isReadOnly(reading.argv)) await ask(line, at, reading);
      else await change(line, at, reading);
    },
    interrupt() {
      const now = playhead.get();
      const { terminal, editing } = get();
      const open = terminal.findLast((entry) => entry.printed !== undefined && (entry.endAt ?? Number.POSITIVE_INFINITY) > now);
      if (open) session.amend(open.id, { endAt: now, exitCode: INTERRUPTED });
      else if (editing) void get().closeEdit(false);
      return open !== undefined || editing !== undefined;
    },
    setEditText(text) {
      const { editing } = get();
      if (editing) set({ editing: { ...editing, text } });
    },
    async closeEdit(save) {
      const { editing, terminal } = get();
      if (!editing) return;
      const { entry, run, session: command, text, what } = editing;
      // The command waits from then on; the playhead may be anywhere.
      const at = Math.max(editing.at + 1, playhead.get());
      set({ editing: undefined as never });
      session.amend(entry, { edits: (terminal.find(({ id }) => id === entry)?.edits ?? 0) + 1 });
      await fork(`edit of ${what} at ${captionTime(at)}`, at, [{ at, type: "edited", session: command, ...(save ? { text } : {}) }], entry, run);
    },
  };
}
