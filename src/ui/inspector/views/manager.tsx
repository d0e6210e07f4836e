import type { JSX } from "react";
import type { ControllerView, ManagerView, QueuedKey } from "../../../worker/protocol.ts";
import { client } from "../../../timeline/client.ts";
import { captionTime } from "../../../timeline/format.ts";
import { useTimeline } from "../../../timeline/store.ts";
import styles from "../inspector.module.css";
import { FactList, Table } from "./parts.tsx";
import type { ComponentViewSpec, ViewProps } from "./view.ts";

const keyText = ({ key, at, failures }: QueuedKey): string => `${key}${at === undefined ? "" : ` at ${captionTime(at)}`}${failures === 0 ? "" : `, failed ${failures}×`}`;

function ControllerLink({ id }: { readonly id: string }): JSX.Element {
  const pin = useTimeline((state) => state.pin);
  return (
    <button type="button" className={styles.linkButton} onClick={() => pin({ kind: "component", id })}>
      {id.replace(/@.*/, "")}
    </button>
  );
}

/** Those with something to do first. */
const busy = ({ working, queued, later }: ControllerView): number => working.length * 10_000 + queued.length * 100 + Math.min(99, later.length);

function Manager({ state }: ViewProps): JSX.Element {
  const view = state as ManagerView | undefined;
  if (view === undefined) return <p className={styles.hint}>It does not run at this time.</p>;
  const controllers = [...view.controllers].sort((a, b) => busy(b) - busy(a) || (a.id < b.id ? -1 : 1));
  return (
    <>
      <FactList
        facts={[
          ["This process", `${view.identity}${view.running ? "" : ", not running"}`],
          ["Leads", view.leads ? "yes: its controllers work" : "no: it waits for the lease, its controllers rest"],
          ["Lease held by", view.holder || (view.leads ? "nobody: it is the only one (--leader-elect=false)" : "nobody")],
          ["Renewed", view.renewed],
          ["Starts", view.starts > 1 ? String(view.starts) : ""],
        ]}
      />
      <Table
        title="Controllers"
        columns={["controller", "workers busy", "in the queue", "added later", "caches", "objects", "up to revision"]}
        none="None runs in this process."
        rows={controllers.map((one) => [
          <ControllerLink key="id" id={one.id} />,
          `${one.working.length} of ${one.workers}${one.working.length > 0 ? `: ${one.working.join(", ")}` : ""}`,
          one.queued.map(keyText).join(", ") || "empty",
          one.later.slice(0, 4).map(keyText).join(", ") + (one.later.length > 4 ? `, ${one.later.length - 4} more` : ""),
          one.caches,
          one.objects,
          one.ready ? one.resourceVersion : "filling",
        ])}
      />
    </>
  );
}

const matches = (component: string): boolean => component === "kube-controller-manager" || component.startsWith("kube-controller-manager@");

export const managerView: ComponentViewSpec = { title: "Controllers", matches, View: Manager, ask: (now, component) => client.manager(component, now) };
