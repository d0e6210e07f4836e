import { type FormEvent, type JSX, useId, useState } from "react";
import { captionTime, parseTime } from "../../timeline/format.ts";
import { playhead } from "../../timeline/playhead.ts";
import { useTimeline } from "../../timeline/store.ts";
import type { FaultInfo } from "../../worker/protocol.ts";
import styles from "./faults.module.css";
import { paramValue } from "./search.ts";

type Param = FaultInfo["params"][number];

/** Names that fit a parameter called "node", "pod" and the like, from the cluster as it is now. */
function useSuggestions(param: Param): readonly string[] {
  const index = useTimeline((state) => state.index);
  const now = useTimeline((state) => state.now);
  const prefix = { node: "/registry/minions/", pod: "/registry/pods/default/" }[param.name];
  if (param.options) return param.options;
  if (!index || prefix === undefined) return [];
  return index.objectsAt(prefix, now).map((version) => version.key.slice(version.key.lastIndexOf("/") + 1));
}

function ParamField({ param, value, onChange }: { readonly param: Param; readonly value: string; readonly onChange: (value: string) => void }): JSX.Element {
  const id = useId();
  const suggestions = useSuggestions(param);
  const isNumber = typeof param.default === "number";
  if (typeof param.default === "boolean") {
    return (
      <label className={styles.check}>
        <input type="checkbox" checked={value === "true"} onChange={(event) => onChange(String(event.target.checked))} /> {param.label}
      </label>
    );
  }
  return (
    <label className={styles.param}>
      <span>{param.label}</span>
      {param.options ? (
        <select className="field" value={value} onChange={(event) => onChange(event.target.value)}>
          {param.options.map((option) => (
            <option key={option} value={option}>
              {option === "" ? "whichever applies" : option}
            </option>
          ))}
        </select>
      ) : (
        <>
          <input className="field" inputMode={isNumber ? "decimal" : "text"} value={value} list={suggestions.length > 0 ? id : undefined} placeholder={isNumber ? "" : "whichever applies"} autoComplete="off" spellCheck={false} aria-invalid={paramValue(value, param.default) === undefined || undefined} onChange={(event) => onChange(event.target.value)} />
          {suggestions.length > 0 && (
            <datalist id={id}>
              {suggestions.map((name) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </datalist>
          )}
        </>
      )}
    </label>
  );
}

function InjectForm({ fault }: { readonly fault: FaultInfo }): JSX.Element {
  const injectFault = useTimeline((state) => state.injectFault);
  const now = useTimeline((state) => state.now);
  const [values, setValues] = useState<Readonly<Record<string, string>>>(() => Object.fromEntries(fault.params.map((param) => [param.name, String(param.default)])));
  const [when, setWhen] = useState<"now" | "at">("now");
  const [at, setAt] = useState("");
  const [until, setUntil] = useState("");
  const [problem, setProblem] = useState<string>();
  const name = useId();

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const from = when === "now" ? playhead.get() : parseTime(at, playhead.get());
    const end = until.trim() === "" ? undefined : parseTime(until, from ?? 0);
    const params = Object.fromEntries(fault.params.map((param) => [param.name, paramValue(values[param.name] ?? "", param.default)]));
    const wrong = fault.params.find((param) => params[param.name] === undefined);
    if (from === undefined) setProblem("Write the time as 2.5s, 300ms or +1s.");
    else if (until.trim() !== "" && (end === undefined || end <= from)) setProblem("It must end after it begins: 30s, or +10s.");
    else if (wrong) setProblem(`${wrong.label} must be a number.`);
    else {
      setProblem(undefined);
      void injectFault(fault.id, params as Record<string, string | number | boolean>, from, end);
    }
  };

  return (
    <form className={styles.form} onSubmit={submit}>
      {fault.params.map((param) => (
        <ParamField key={param.name} param={param} value={values[param.name] ?? ""} onChange={(value) => setValues((old) => ({ ...old, [param.name]: value }))} />
      ))}
      <fieldset className={styles.when}>
        <legend>Begins</legend>
        <label className={styles.check}>
          <input type="radio" name={name} checked={when === "now"} onChange={() => setWhen("now")} /> now, at {captionTime(now)}
        </label>
        <label className={styles.check}>
          <input type="radio" name={name} checked={when === "at"} onChange={() => setWhen("at")} /> at
          <input
            className="field"
            aria-label="Begins at"
            placeholder="300ms, 2.5s, +1s"
            value={at}
            onChange={(event) => {
              setAt(event.target.value);
              setWhen("at");
            }}
          />
        </label>
      </fieldset>
      <label className={styles.param}>
        <span>Ends</span>
        <input className="field" aria-label="Ends at" placeholder="never, or 30s, +10s" value={until} onChange={(event) => setUntil(event.target.value)} />
      </label>
      {problem !== undefined && (
        <p role="alert" className={styles.problem}>
          {problem}
        </p>
      )}
      <button type="submit" className="button button-primary">
        Inject
      </button>
    </form>
  );
}

/** One fault: what a user would see, and behind its title where and when it strikes. */
export function FaultCard({ fault, open, onToggle }: { readonly fault: FaultInfo; readonly open: boolean; readonly onToggle: () => void }): JSX.Element {
  return (
    <li className={styles.card} data-open={open || undefined}>
      <button type="button" className={styles.title} aria-expanded={open} onClick={onToggle} data-fault={fault.id}>
        <span className={styles.name}>{fault.title}</span>
        <span className={styles.symptom}>{fault.symptom}</span>
      </button>
      {open && (
        <div className={styles.body}>
          <InjectForm fault={fault} />
          <dl className={styles.lesson}>
            <dt>Reveals it</dt>
            <dd>
              <code>{fault.command}</code>
            </dd>
            <dt>Fix</dt>
            <dd>{fault.fix}</dd>
          </dl>
          <p className={styles.id}>{fault.id}</p>
        </div>
      )}
    </li>
  );
}
