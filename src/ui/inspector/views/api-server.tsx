import type { JSX } from "react";
import { captionTime } from "../../../timeline/format.ts";
import { useTimeline } from "../../../timeline/store.ts";
import styles from "../inspector.module.css";
import { requestGates } from "./gates.ts";
import { FactList } from "./parts.tsx";
import { at, type ComponentViewSpec, items, type ViewProps } from "./view.ts";

const LATEST = 8;

function ApiServer({ state, component, index, now }: ViewProps): JSX.Element {
  const detail = useTimeline((store) => store.detail);
  const pin = useTimeline((store) => store.pin);
  const requests = requestGates(index, component, now, detail, LATEST);
  const watchers = items(at(state, "watchers") ?? at(state, "watches")).length;
  const inFlight = items(at(state, "requests") ?? at(state, "pending")).length;
  return (
    <>
      <FactList
        facts={[
          ["Requests under way", String(inFlight)],
          ["Open watches", watchers > 0 ? String(watchers) : ""],
        ]}
      />
      <h4>Latest requests and their gates</h4>
      {requests.length === 0 && <p className={styles.hint}>No request has come through its gates yet.</p>}
      <ol className={styles.requests}>
        {requests.map((request) => (
          <li key={request.mail}>
            <button type="button" className={styles.linkButton} onClick={() => pin({ kind: "hop", id: request.mail })}>
              <span className={styles.time}>{captionTime(request.at)}</span> {request.verb} {request.subject} from {request.from}
            </button>{" "}
            {request.status > 0 ? <strong className={request.status >= 400 ? styles.bad : styles.good}>{request.status}</strong> : <span className={styles.dim}>under way</span>}
            <ol className={styles.gates}>
              {request.gates.map((gate) => (
                <li key={gate.note}>
                  <button type="button" className={styles.linkButton} onClick={() => pin({ kind: "note", id: gate.note })}>
                    {gate.text}
                  </button>
                </li>
              ))}
            </ol>
          </li>
        ))}
      </ol>
    </>
  );
}

export const apiServerView: ComponentViewSpec = { title: "Requests and gates", matches: (component) => component === "kube-apiserver", View: ApiServer };
