// Models the kernel's delivery of signals to processes in a PID namespace
import { resolveArgv } from "./program.ts";
import { signalShell } from "./shell/state.ts";
import { continueShell, exit, finishTask } from "./tasks.ts";
import { faultOf, type ListenTimer, type Proc, type Turn } from "./turn.ts";

const NUMBERS: Readonly<Record<string, number>> = { HUP: 1, INT: 2, QUIT: 3, KILL: 9, USR1: 10, USR2: 12, TERM: 15, CONT: 18, STOP: 19, WINCH: 28 };
/** Signals whose default is to do nothing. */
const HARMLESS = new Set(["CONT", "STOP", "WINCH", "CHLD"]);
/** Signals on which a server ends in good order, if it does at all. */
const ENDING = new Set(["TERM", "INT", "QUIT"]);

/** A signal for one process. `outside`: from the node, which even the first process of a namespace cannot ignore when it is SIGKILL. */
export function signalTask(turn: Turn, id: string, name: string, signal: string, outside: boolean): void {
  const proc = turn.state.containers.get(id);
  const task = proc?.tasks[name];
  if (!proc || !task || proc.state === "exited") return;
  const first = name === "main" && task.pid === 1;
  if (signal === "KILL") {
    if (first && outside) exit(turn, id, 137);
    else if (!first) finishTask(turn, id, name, 137, "");
    return;
  }
  if (name === "main" && (proc.hung === "deaf" || faultOf(turn, proc, "app.ignores-sigterm") !== undefined)) return ignored(turn, proc, outside, proc.hung === "deaf" ? "It hangs: its handler never gets its turn" : "Its handler for the signal does nothing");
  if (task.server && (ENDING.has(signal) || outside) && task.server.stopExit !== undefined) {
    turn.ctx.after(task.server.stopDelay, { type: "process.stopped", containerId: id, task: name } satisfies ListenTimer);
    return;
  }
  if (task.server && task.server.stopExit !== undefined) {
    if (signal === "HUP") turn.ctx.explain({ text: `${task.argv[0] ?? proc.spec.container} (PID ${task.pid}) reads its configuration anew`, why: "It has a handler for SIGHUP", level: "basic", subject: `pod/${proc.spec.namespace}/${proc.spec.podName}` });
    return;
  }
  if (task.shell) {
    const shell = signalShell(task.shell, signal);
    if (shell !== task.shell) {
      turn.task(id, name, { ...task, shell });
      // `wait` is interrupted; another foreground command is not.
      if (task.block?.t === "wait") continueShell(turn, id, name, { status: 128 + (NUMBERS[signal] ?? 15) });
      return;
    }
    if (task.shell.traps[signal] === "") return;
  }
  if (HARMLESS.has(signal)) return;
  if (!first) return finishTask(turn, id, name, 128 + (NUMBERS[signal] ?? 15), "");
  if (resolveArgv(proc.spec.image, [], []).image.programs["pause"] !== undefined && !task.shell) return exit(turn, id, 0);
  ignored(turn, proc, outside);
}

const NO_HANDLER = "The kernel delivers no signal to PID 1 of a container that has no handler for it";

function ignored(turn: Turn, proc: Proc, outside: boolean, why = NO_HANDLER): void {
  turn.ctx.explain({ text: `PID 1 of ${proc.spec.container} ignores the ${outside ? "stop signal" : "signal"}`, why: `${why}; only SIGKILL from outside ends it`, level: "basic", subject: `pod/${proc.spec.namespace}/${proc.spec.podName}` });
}
