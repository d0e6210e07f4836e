import type { Simulation } from "../../../../sim/kernel/simulation.ts";
import { runCommand } from "./kubectl-block.ts";
import type { States } from "./observed-states.ts";
import type { Normalize } from "./recorded-text.ts";
import { firstDifferentLine } from "./same-output.ts";

/** What kubectl printed when a scenario was over. */
export interface Finals {
  /** `kubectl get pod -o wide` */
  readonly get: string;
  /** `kubectl describe pod NAME` by name. */
  readonly describe?: Readonly<Record<string, string>>;
}

const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/\b[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d \+0000/g, "<TIME>"],
  [/kube-api-access-(?:<SUFFIX>|[a-z0-9]{5})\b/g, "kube-api-access-<SUFFIX>"],
  // Whether an image has a digest of a registry depends on how it came to the node: the recorder imported some.
  [/(Image ID: +)\S+/g, "$1<DIGEST>"],
  // How often an Event was counted by now, and when: its sightings are compared by themselves.
  [/ \(x\d+ over \S+\)/g, ""],
  [/ \(\S+ ago\)/g, ""],
  [/(pod-template-hash=)\w+/g, "$1<hash>"],
  [/(?<![\w.-])(?:\d+[dhms])+(?![\w.-])(?! +period)/g, "<age>"],
  [/ +/g, " "],
  [/ \n/g, "\n"],
];

/** The first probe's race with the program's start leaves its Event, or not. */
const CHANCE = / Unhealthy .*Readiness probe failed/;

function comparable(text: string, name: Normalize): string {
  const lines = PATTERNS.reduce((result, [pattern, by]) => result.replaceAll(pattern, by), name(text)).split("\n").filter((line) => !CHANCE.test(line) && !/^ -+/.test(line));
  const events = lines.findIndex((line) => line.startsWith("Events:"));
  // Lists are sorted by random names, Events by when they were last seen.
  const [head, list] = events < 0 ? [lines.slice(0, 1), lines.slice(1)] : [lines.slice(0, events + 1), lines.slice(events + 1)];
  return [...head, ...list.sort()].join("\n");
}

interface Moment {
  readonly sim: Simulation;
  /** Microseconds. */
  readonly at: number;
}

function print({ sim, at }: Moment, argv: readonly string[]): string {
  const { ran } = runCommand(sim.fork(at, []), { at: 0, argv, files: {} }, []);
  return ran.stdout + ran.stderr;
}

/** When, from the end of the window on, every Pod is what it was at the recording's end; undefined if its waits have led elsewhere. Milliseconds. */
export function sameMoment(recorded: States, simulated: States, until: number, latest: number): number | undefined {
  const moments = [until, ...[...simulated.values()].flat().map(({ at }) => at + 50).filter((at) => at > until && at < latest)].sort((a, b) => a - b);
  const last = [...recorded].map(([pod, states]) => [pod, states.at(-1)?.text] as const);
  return moments.find((moment) => last.every(([pod, text]) => simulated.get(pod)?.findLast(({ at }) => at <= moment)?.text === text));
}

/** The first line of `kubectl get` or `describe` that differs from the recorded one. `podNames`: this run's name by the recording's. */
export function differentFinals(finals: Finals, moment: Moment, podNames: ReadonlyMap<string, string>, names: { readonly recorded: Normalize; readonly simulated: Normalize }): string | undefined {
  const compare = (what: string, want: string, argv: readonly string[]): string | undefined => {
    const [expected, actual] = [comparable(want, names.recorded), comparable(print(moment, argv), names.simulated)];
    return expected === actual ? undefined : `${what}, ${firstDifferentLine(expected, actual)}`;
  };
  const list = compare("kubectl get pod", finals.get, ["get", "pod", "-o", "wide"]);
  if (list !== undefined) return list;
  for (const [pod, text] of Object.entries(finals.describe ?? {})) {
    const mine = podNames.get(names.recorded(pod));
    const found = mine === undefined ? `kubectl describe pod ${pod}: there is no such Pod` : compare(`kubectl describe pod ${pod}`, text, ["describe", "pod", mine]);
    if (found !== undefined) return found;
  }
  return undefined;
}
