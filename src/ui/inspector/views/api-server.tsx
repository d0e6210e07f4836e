import { type JSX, useState } from "react";
import { client } from "../../../timeline/client.ts";
import { captionTime, shortTime } from "../../../timeline/format.ts";
import { useTimeline } from "../../../timeline/store.ts";
import type { ApiServerView } from "../../../worker/protocol.ts";
import styles from "../inspector.module.css";
import { GateList } from "./gate-list.tsx";
import { type RequestGates, requestGates } from "./gates.ts";
import { FactList, Table } from "./parts.tsx";
import type { ComponentViewSpec, ViewProps } from "./view.ts";
import { WatchCaches } from "./watch-cache.tsx";

const LATEST = 8;

function Request({ request, server, open, onToggle }: { readonly request: RequestGates; readonly server: string; readonly open: boolean; readonly onToggle: () => void }): JSX.Element {
  const pin = useTimeline((store) => store.pin);
  return (
    <li>
      <button type="button" className={styles.fold} aria-expanded={open} onClick={onToggle}>
        <span className={styles.time}>{captionTime(request.at)}</span> {request.verb} {request.subject} from {request.from}{" "}
        {request.status > 0 ? <strong className={request.status >= 400 ? styles.bad : styles.good}>{request.status}</strong> : <span className={styles.dim}>under way</span>}
      </button>
      {open && (
        <>
          <GateList request={request} server={server} />
          <button type="button" className={styles.small} onClick={() => pin({ kind: "hop", id: request.mail })}>
            The request itself
          </button>
        </>
      )}
    </li>
  );
}

function ApiServer({ state, component, index, now }: ViewProps): JSX.Element {
  const detail = useTimeline((store) => store.detail);
  const [chosen, setChosen] = useState<number>();
  const { member, revision, ready, seats, webhooks, caches, requests } = state as ApiServerView;
  const latest = requestGates(index, component, now, detail, LATEST);
  const open = chosen ?? latest[0]?.mail;
  const watchers = caches.flatMap((cache) => cache.watchers);
  return (
    <>
      <FactList
        facts={[
          ["State", ready ? "" : "fills its watch caches; requests wait"],
          ["Talks to", member],
          ["Watch caches at", `revision ${revision}`],
          ["Open watches", watchers.length > 0 ? `${watchers.length} by ${new Set(watchers.map((watcher) => watcher.client)).size} clients` : ""],
          ["Seats in use", seats.map(({ level, used }) => `${level} ${used}`).join(", ")],
          ["Webhooks in force", webhooks.join(", ")],
        ]}
      />
      <Table
        title="Requests under way"
        columns={["client", "request", "stands at", "since"]}
        none="None: every request has been answered."
        rows={requests.map((request) => [request.client, `${request.method} ${request.path}`, `${request.gate}, ${request.position} of ${request.gates}`, shortTime(Math.max(0, now - request.since))])}
      />
      <h4>Latest requests and their gates</h4>
      {latest.length === 0 && <p className={styles.hint}>No request has come through its gates yet.</p>}
      <ol className={styles.requests}>
        {latest.map((request) => (
          <Request key={request.mail} request={request} server={component} open={request.mail === open} onToggle={() => setChosen(request.mail === open ? -1 : request.mail)} />
        ))}
      </ol>
      <WatchCaches caches={caches} now={now} />
    </>
  );
}

export const apiServerView: ComponentViewSpec = { title: "Requests and caches", matches: (component) => component === "kube-apiserver", View: ApiServer, ask: (now) => client.apiServer(now) };
