/** What a row of the list can be found by. */
export interface Searchable {
  readonly text: string;
  readonly component: string;
  /** The other end of a message; "" for a step. */
  readonly peer: string;
  readonly verb: string;
  readonly object: string;
  /** The timeline's lane: "etcd", "kubelet". */
  readonly lane: string;
  /** HTTP status or exit code; 0 for none. */
  readonly status: number;
  readonly outcome: string;
}

export type Filter = (row: Searchable) => boolean;

const OPERATORS = ["component", "verb", "object", "status", "lane"] as const;
type Operator = (typeof OPERATORS)[number];

interface Term {
  readonly operator: Operator | "text";
  readonly value: string;
  readonly not: boolean;
}

/** Splits at blanks; quotes keep words together; a leading "-" turns a term around. */
export function parseFilter(query: string): Term[] {
  const terms: Term[] = [];
  for (const match of query.matchAll(/(-?)(?:(\w+):)?(?:"([^"]*)"?|(\S+))/g)) {
    const [whole, minus, name, quoted, bare] = match;
    const operator = OPERATORS.find((one) => one === name);
    const value = (quoted ?? bare ?? "").toLowerCase();
    if (operator) terms.push({ operator, value, not: minus === "-" });
    // An unknown operator, and "-" alone, are what they look like: text.
    else if (name !== undefined) terms.push({ operator: "text", value: whole.slice((minus ?? "").length).replaceAll('"', "").toLowerCase(), not: minus === "-" });
    // An operator still being typed asks for nothing yet.
    else if (value !== "" && !OPERATORS.some((one) => value === `${one}:`)) terms.push({ operator: "text", value, not: minus === "-" });
  }
  return terms;
}

function statusMatches(row: Searchable, value: string): boolean {
  if (value === "failed" || value === "error") return row.status >= 400 || row.outcome === "refused" || row.outcome === "lost";
  const group = /^([1-5])xx$/.exec(value);
  if (group) return row.status >= 100 && String(row.status).startsWith(group[1] ?? "");
  const compared = /^([<>]=?)(\d+)$/.exec(value);
  if (compared) {
    const limit = Number(compared[2]);
    const status = row.status;
    if (status === 0) return false;
    return compared[1] === ">" ? status > limit : compared[1] === ">=" ? status >= limit : compared[1] === "<" ? status < limit : status <= limit;
  }
  return row.outcome === value || (row.status !== 0 && String(row.status).startsWith(value));
}

function termMatches(row: Searchable, { operator, value }: Term): boolean {
  switch (operator) {
    case "component":
      return row.component.toLowerCase().includes(value) || row.peer.toLowerCase().includes(value);
    case "verb":
      return row.verb.toLowerCase().startsWith(value);
    case "object":
      return row.object.toLowerCase().includes(value);
    case "lane":
      return row.lane === value;
    case "status":
      return statusMatches(row, value);
    case "text":
      return `${row.text} ${row.component} ${row.peer} ${row.verb} ${row.object}`.toLowerCase().includes(value);
  }
}

/** All terms must match. */
export function filterOf(query: string): Filter {
  const terms = parseFilter(query).filter((term) => term.value !== "");
  return (row) => terms.every((term) => termMatches(row, term) !== term.not);
}
