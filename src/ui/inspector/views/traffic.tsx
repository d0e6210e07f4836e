import type { JSX } from "react";
import { captionTime, shortTime } from "../../../timeline/format.ts";
import styles from "../inspector.module.css";
import { Informers } from "./controller.tsx";
import { FactList, Table } from "./parts.tsx";
import { at, type ComponentViewSpec, items, numberAt, text, type ViewProps } from "./view.ts";

const KINDS: Readonly<Record<string, string>> = { dns: "name not found", refused: "refused", unreachable: "no route to host", timeout: "no answer", http: "HTTP error" };

/** The last requests, one mark each, oldest first: what an eye can count. */
function Marks({ recent }: { readonly recent: readonly unknown[] }): JSX.Element {
  const failed = recent.filter((ok) => ok !== true).length;
  return (
    <span>
      <span className={styles.srOnly}>{`${recent.length - failed} of the last ${recent.length} served, ${failed} failed`}</span>
      {recent.map((ok, i) => (
        // oxlint-disable-next-line react/no-array-index-key -- marks have no identity but their place
        <span key={i} aria-hidden="true" className={ok === true ? styles.good : styles.bad}>
          {ok === true ? "·" : "×"}
        </span>
      ))}
    </span>
  );
}

function failuresText(client: unknown): string {
  const failures = at(client, "failures");
  return Object.entries(KINDS)
    .flatMap(([kind, words]) => ((numberAt(failures, kind) ?? 0) > 0 ? [`${numberAt(failures, kind) ?? 0} ${words}`] : []))
    .join("\n");
}

function phaseText(client: unknown, now: number): string {
  const phase = text(at(client, "phase"));
  if (phase === "idle") return "waits for its next turn";
  return `${phase === "dns" ? "looks the name up" : "waits for an answer"}, ${shortTime(Math.max(0, now - (numberAt(client, "startedAt") ?? now)))}`;
}

function Users({ state, now }: ViewProps): JSX.Element {
  const clients = items(at(state, "clients"));
  return (
    <>
      <Table
        title="Clients"
        columns={["calls", "from", "served", "failed", "now"]}
        none="There is nothing to call: no Service with a TCP port."
        rows={clients.map((client) => [
          text(at(client, "service")),
          text(at(client, "where")) === "inside" ? `a Pod on ${text(at(client, "node"))}` : "outside",
          text(at(client, "ok")),
          <span key="failed" className={styles.lines}>{(numberAt(client, "failed") ?? 0) === 0 ? "0" : `${text(at(client, "failed"))}:\n${failuresText(client)}`}</span>,
          phaseText(client, now),
        ])}
      />
      {clients.map((client) => (
        <div key={text(at(client, "service"))}>
          <h4>Last requests to {text(at(client, "service"))}</h4>
          <p>
            <Marks recent={items(at(client, "recent"))} />
          </p>
          <p className={at(client, "lastOk") === true ? styles.good : styles.bad}>{text(at(client, "last"))}</p>
        </div>
      ))}
    </>
  );
}

function CoreDns({ state }: ViewProps): JSX.Element {
  const log = items(at(state, "log")).toReversed();
  return (
    <>
      <FactList
        facts={[
          ["Questions", text(at(state, "queries"))],
          ["NXDOMAIN", text(at(state, "negative"))],
          ["Names outside in its cache", String(items(at(state, "cached")).length)],
          ["Now", at(state, "silent") === true ? "answers nothing" : "answers"],
        ]}
      />
      <Table title="Last questions" columns={["at", "from", "question", "answer"]} none="None yet." rows={log.map((entry) => [captionTime(numberAt(entry, "at") ?? 0), text(at(entry, "client")), text(at(entry, "question")), text(at(entry, "rcode"))])} />
      <Informers state={state} />
    </>
  );
}

function IngressNginx({ state }: ViewProps): JSX.Element {
  const locations = items(at(state, "config.locations"));
  const upstreams = at(state, "config.upstreams");
  const answers = Object.entries((at(state, "answers") ?? {}) as Readonly<Record<string, number>>);
  const endpoints = (location: unknown): string => items((upstreams as Readonly<Record<string, unknown>> | undefined)?.[`${text(at(location, "service"))}:${text(at(location, "port"))}`]).map(text).join("\n");
  return (
    <>
      <FactList facts={[["Requests", text(at(state, "requests"))], ["Answers", answers.map(([status, count]) => `${count} of ${status}`).join(", ") || "none"], ["Reloads of nginx", text(at(state, "reloads"))]]} />
      <Table
        title="Hosts and paths"
        columns={["host", "path", "Service", "Pods"]}
        none="No Ingress of this controller's class."
        rows={locations.map((location) => [text(at(location, "host")) || "any", `${text(at(location, "path"))} (${text(at(location, "pathType"))})`, `${text(at(location, "service"))}:${text(at(location, "port"))}`, <span key="pods" className={styles.lines}>{endpoints(location) || "none: 503"}</span>])}
      />
    </>
  );
}

function LoadBalancer({ state }: ViewProps): JSX.Element {
  const healthy = Object.entries((at(state, "healthy") ?? {}) as Readonly<Record<string, boolean>>);
  return (
    <>
      <FactList facts={[["Packets carried", text(at(state, "carried"))], ["On their way", String(items(at(state, "open")).length)]]} />
      <Table title="Health checks (external policy Local)" columns={["Service", "node", "is"]} none="No Service needs them: with policy Cluster every node will do." rows={healthy.map(([key, well]) => [...key.split("|"), well ? "well: has ready Pods" : "left out"])} />
    </>
  );
}

export const usersView: ComponentViewSpec = { title: "Requests", matches: (component) => component === "users", View: Users };
export const coreDnsView: ComponentViewSpec = { title: "Questions", matches: (component) => component === "coredns", View: CoreDns };
export const ingressNginxView: ComponentViewSpec = { title: "Routes", matches: (component) => component === "ingress-nginx", View: IngressNginx };
export const loadBalancerView: ComponentViewSpec = { title: "Nodes", matches: (component) => component === "load-balancer", View: LoadBalancer };
