type Params = Readonly<Record<string, string | number | boolean>>;

interface Switch {
  readonly id: string;
  readonly on: boolean;
  readonly params: Params;
}

const sameParams = (a: Params, b: Params): boolean => Object.keys({ ...a, ...b }).every((name) => a[name] === b[name]);

/** The faults that act in a component after `message` has begun or ended one. One id may act twice, with other parameters. */
export function activeFaults<F extends Switch>(active: readonly F[], message: F): readonly F[] {
  const others = active.filter((other) => other.id !== message.id || !sameParams(other.params, message.params));
  return message.on ? [...others, message] : others;
}
