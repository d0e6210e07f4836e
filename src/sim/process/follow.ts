// Models inotify, as far as tail -f needs it
import { readFile } from "./files.ts";
import { writeThrough } from "./shell/machine.ts";
import { hostOf, write } from "./tasks.ts";
import type { Turn } from "./turn.ts";

/** Shows what was added to a followed file. */
export function follow(turn: Turn, id: string, name: string): void {
  const proc = turn.state.containers.get(id);
  const task = proc?.tasks[name];
  if (!proc || task?.block?.t !== "follow" || !task.shell) return;
  const { path, from } = task.block;
  const text = readFile(turn.view(proc), path) ?? "";
  if (text.length === from) return;
  // A file that became shorter was begun anew.
  const added = text.length > from ? text.slice(from) : text;
  const host = hostOf(turn, proc, []);
  const { shell, output } = writeThrough(task.shell, host, added);
  turn.state = { ...turn.state, volumes: host.view.volumes };
  turn.put(id, { ...proc, files: host.view.own, tasks: { ...proc.tasks, [name]: { ...task, shell, block: { ...task.block, from: text.length } } } });
  write(turn, id, name, output);
}

/** Looks at all followed files, once a step has changed some. */
export function followAll(turn: Turn): void {
  const alive = turn.state.following.filter(({ containerId, task }) => turn.state.containers.get(containerId)?.tasks[task]?.block?.t === "follow");
  if (alive.length !== turn.state.following.length) turn.state = { ...turn.state, following: alive };
  for (const { containerId, task } of alive) follow(turn, containerId, task);
}
