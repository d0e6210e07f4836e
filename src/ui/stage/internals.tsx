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

const MAX_ROWS = 40;
const MAX_INNER = 14;
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
    <dialog open aria-label={`Inside ${id}`} className={styles["popover"]}>
      <header className={styles["header"]}>
        <div>
          <h3>{id}</h3>
          <p className={styles["live"]}>
            {live === "" ? "idle" : live} · at {captionTime(now)}
          </p>
        </div>
        <button
          type="button"
          className="button button-quiet"
          aria-label="Close"
          ref={focusOnce}
          onClick={onClose}
          onKeyDown={(event) => {
            if (event.key !== "Escape") return;
            event.stopPropagation();
            onClose();
          }}
        >
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
    </dialog>
  );
}

const focusOnce = (element: HTMLElement | null): void => element?.focus();

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

/** A state's first level in words, and the plain values one level deeper: collections only by their size. */
export function factsOf(state: unknown): [string, string][] {
  if (!isRecord(state)) return state === undefined ? [] : [["state", String(state)]];
  return Object.entries(state).flatMap(([name, value]): [string, string][] => {
    const plain = isRecord(value) ? Object.entries(value).filter(([, item]) => isPlain(item)) : [];
    // A record with names of its own is described by them; one keyed by data ("default/nginx") by its size.
    if (plain.length < 2 || plain.some(([key]) => !/^[a-zA-Z]+$/.test(key))) return [[name, describe(value)]];
    return plain.slice(0, MAX_INNER).map(([inner, item]) => [`${name}.${inner}`, describe(item)]);
  });
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);

function isPlain(value: unknown): boolean {
  return typeof value !== "object" || value === null || (Array.isArray(value) && value.length < 8 && value.every((item) => typeof item !== "object"));
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
