import { type JSX, useEffect, useState } from "react";
import { client } from "../../timeline/client.ts";
import { useTimeline } from "../../timeline/store.ts";
import { captionTime } from "../../timeline/format.ts";
import { kindOf } from "../theme/components.ts";
import { Icon } from "../widgets/icons.tsx";
import { GATES, gateAt } from "./gates.ts";
import styles from "./internals.module.css";

interface Props {
  readonly id: string;
  readonly onClose: () => void;
}

const MAX_ROWS = 24;
const MAX_TEXT = 90;

/** What is inside a component at the playhead: its live line, its gates or queues, and its state's first level. */
export function Internals({ id, onClose }: Props): JSX.Element {
  const index = useTimeline((state) => state.index);
  const now = useTimeline((state) => state.now);
  const [state, setState] = useState<unknown>(undefined);
  const [problem, setProblem] = useState("");
  useEffect(() => {
    let current = true;
    const timer = setTimeout(() => {
      client.state(id, now).then(
        (value) => current && (setState(value), setProblem("")),
        (error: Error) => current && setProblem(error.message),
      );
    }, 60);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [id, now, index]);
  const live = index?.statusAt(id, now) ?? "";
  const rows = factsOf(state).slice(0, MAX_ROWS);
  return (
    <div role="dialog" aria-label={`Inside ${id}`} className={styles["popover"]} onKeyDown={(event) => event.key === "Escape" && (event.stopPropagation(), onClose())}>
      <header className={styles["header"]}>
        <div>
          <h3>{id}</h3>
          <p className={styles["live"]}>
            {live === "" ? "idle" : live} · at {captionTime(now)}
          </p>
        </div>
        <button type="button" className="button button-quiet" aria-label="Close" onClick={onClose} ref={(element) => element?.focus()}>
          <Icon name="close" />
        </button>
      </header>
      {kindOf(id) === "kube-apiserver" && index && <GateList at={gateAt(index, now).at} stopped={gateAt(index, now).stopped} />}
      {problem !== "" && <p role="alert">{problem}</p>}
      <dl className={styles["facts"]}>
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function GateList({ at, stopped }: { readonly at: number; readonly stopped: boolean }): JSX.Element {
  return (
    <ol className={styles["gates"]} aria-label="Gates of the last request">
      {GATES.map((gate, i) => (
        <li key={gate.name} className={i < at ? styles["passed"] : i === at ? (stopped ? styles["stopped"] : styles["current"]) : ""} aria-current={i === at ? "step" : undefined}>
          {gate.name}
        </li>
      ))}
    </ol>
  );
}

/** A state's first level in words, nested records one level deeper: numbers and texts as they are, collections by size. */
export function factsOf(state: unknown): [string, string][] {
  if (typeof state !== "object" || state === null) return state === undefined ? [] : [["state", String(state)]];
  return Object.entries(state).flatMap(([name, value]): [string, string][] => {
    if (isSmallRecord(value)) return Object.entries(value as Record<string, unknown>).map(([inner, item]) => [`${name}.${inner}`, describe(item)]);
    return [[name, describe(value)]];
  });
}

function isSmallRecord(value: unknown): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const values = Object.values(value);
  return values.length > 0 && values.length <= 8 && values.every((item) => typeof item !== "object" || item === null || Array.isArray(item));
}

function describe(value: unknown): string {
  if (value === null || value === undefined) return "none";
  if (typeof value === "string") return value === "" ? "“”" : cut(value);
  if (typeof value !== "object") return String(value);
  if (Array.isArray(value)) {
    if (value.length === 0) return "empty";
    const simple = value.every((item) => typeof item !== "object" || item === null);
    return simple ? cut(value.join(", ")) : `${value.length}: ${cut(value.map(nameOf).join(", "))}`;
  }
  const keys = Object.keys(value);
  return keys.length === 0 ? "empty" : `${keys.length}: ${cut(keys.join(", "))}`;
}

function nameOf(item: unknown): string {
  const record = item as { key?: unknown; name?: unknown; id?: unknown; metadata?: { name?: unknown }; type?: unknown } | null;
  const name = record?.key ?? record?.name ?? record?.metadata?.name ?? record?.id ?? record?.type;
  return typeof name === "string" || typeof name === "number" ? String(name) : "…";
}

const cut = (text: string): string => (text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text);
