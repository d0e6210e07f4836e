import type { JSX } from "react";
import { captionTime, shortTime } from "../../../timeline/format.ts";
import { useTimeline } from "../../../timeline/store.ts";
import styles from "../inspector.module.css";
import { requestGates } from "./gates.ts";
import { FactList, Table } from "./parts.tsx";
import { at, type ComponentViewSpec, fields, items, numberAt, text, type ViewProps } from "./view.ts";

const LATEST = 8;

function ApiServer({ state, component, index, now }: ViewProps): JSX.Element {
  const detail = useTimeline((store) => store.detail);
  const pin = useTimeline((store) => store.pin);
  const requests = requestGates(index, component, now, detail, LATEST);
  const watchers = items(at(state, "watchers")).flatMap((set) => [...items(at(set, "all")), ...items(at(set, "byNode")).flat()]);
  const inFlight = items(at(state, "requests"));
  const seats = Object.entries(fields(at(state, "seats"))).filter(([, used]) => used !== 0);
  return (
    <>
      <FactList
        facts={[
          ["Talks to", text(at(state, "member"))],
          ["Watch caches at", text(at(state, "revision"))],
          ["Open watches", watchers.length > 0 ? `${watchers.length} by ${new Set(watchers.map((watcher) => text(at(watcher, "component")))).size} clients` : ""],
          ["Seats in use", seats.map(([level, used]) => `${level} ${text(used)}`).join(", ")],
          ["Webhooks in force", items(at(state, "webhooks")).map((webhook) => text(at(webhook, "name"))).join(", ")],
        ]}
      />
      <Table
        title="Requests under way"
        columns={["client", "request", "gates passed", "since"]}
        none="None: every request has been answered."
        rows={inFlight.map((request) => [text(at(request, "client")), `${text(at(request, "request.method"))} ${text(at(request, "request.path"))}`, text(at(request, "gate")), shortTime(Math.max(0, now - (numberAt(request, "startedAt") ?? now)))])}
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
                    {gate.text.replace(`${component} `, "")}
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
