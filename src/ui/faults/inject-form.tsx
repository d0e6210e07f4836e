import { type FormEvent, type JSX, useId, useState } from "react";
import { BREAKPOINT_EXAMPLES } from "../../trace/breakpoint.ts";
import type { Moment } from "../../trace/moment.ts";
import { timesOf } from "../../timeline/fault-moments.ts";
import { captionTime, parseTime } from "../../timeline/format.ts";
import { playhead } from "../../timeline/playhead.ts";
import { useTimeline } from "../../timeline/store.ts";
import type { FaultInfo } from "../../worker/protocol.ts";
import styles from "./faults.module.css";
import { MomentChoice } from "./moment-choice.tsx";
import { beginningOf, EMPTY_MOMENT, endOf, type Written } from "./moments.ts";
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

/** A fault's parameters, when it begins and until when it lasts. */
export function InjectForm({ fault }: { readonly fault: FaultInfo }): JSX.Element {
  const injectFault = useTimeline((state) => state.injectFault);
  const now = useTimeline((state) => state.now);
  const [values, setValues] = useState<Readonly<Record<string, string>>>(() => Object.fromEntries(fault.params.map((param) => [param.name, String(param.default)])));
  const [begins, setBegins] = useState<Written>(EMPTY_MOMENT);
  const [ends, setEnds] = useState<Written>(EMPTY_MOMENT);
  const [problem, setProblem] = useState<string>();
  const [looking, setLooking] = useState(false);
  const examples = useId();

  const inject = async (begin: Moment, end: Moment | undefined, params: Readonly<Record<string, string | number | boolean>>): Promise<void> => {
    setLooking(true);
    try {
      const times = await timesOf({ id: fault.id, params, begins: begin, ...(end === undefined ? {} : { ends: end }) }, playhead.get());
      if (typeof times === "string") setProblem(times);
      else await injectFault(fault.id, params, times.at, times.until);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
    setLooking(false);
  };

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const here = playhead.get();
    const begin = beginningOf(begins, here);
    const end = endOf(ends, (text) => parseTime(text));
    const params = Object.fromEntries(fault.params.map((param) => [param.name, paramValue(values[param.name] ?? "", param.default)]));
    const wrong = fault.params.find((param) => params[param.name] === undefined);
    const said = typeof begin === "string" ? begin : typeof end === "string" ? end : wrong ? `${wrong.label} must be a number.` : undefined;
    setProblem(said);
    if (said === undefined) void inject(begin as Moment, end as Moment | undefined, params as Record<string, string | number | boolean>);
  };

  return (
    <form className={styles.form} onSubmit={submit}>
      {fault.params.map((param) => (
        <ParamField key={param.name} param={param} value={values[param.name] ?? ""} onChange={(value) => setValues((old) => ({ ...old, [param.name]: value }))} />
      ))}
      <MomentChoice legend="Begins" first={`now, at ${captionTime(now)}`} examples={examples} value={begins} onChange={setBegins} />
      <MomentChoice legend="Ends" first="never" examples={examples} value={ends} onChange={setEnds} />
      <datalist id={examples}>
        {BREAKPOINT_EXAMPLES.map((example) => (
          <option key={example} value={example}>
            {example}
          </option>
        ))}
      </datalist>
      {problem !== undefined && (
        <p role="alert" className={styles.problem}>
          {problem}
        </p>
      )}
      <button type="submit" className="button button-primary" disabled={looking}>
        {looking ? "Looking for the moment…" : "Inject"}
      </button>
    </form>
  );
}
