import type { JSX } from "react";
import { captionTime, shortTime } from "../../../timeline/format.ts";
import { FactList, Table } from "./parts.tsx";
import { at, type ComponentViewSpec, fields, items, text, type ViewProps } from "./view.ts";

/** Informers of any client: what it watches, how much it holds, and how fresh that is. Controllers that find out themselves what to watch keep theirs in their memory. */
export function Informers({ state }: { readonly state: unknown }): JSX.Element {
  return (
    <Table
      title="Informer caches"
      columns={["watches", "objects", "resourceVersion", "state"]}
      none="It watches nothing."
      rows={["informers", "memory.monitors.informers", "memory.informers"].flatMap((path) => items(at(state, path))).map((informer) => {
        const selector = text(at(informer, "watch.fieldSelector"));
        return [`${text(at(informer, "watch.resource"))}${selector === "" ? "" : ` (${selector})`}`, items(at(informer, "store")).length, text(at(informer, "resourceVersion")), text(at(informer, "phase"))];
      })}
    />
  );
}

function Controller({ state, now }: ViewProps): JSX.Element {
  const failures = fields(at(state, "queue.failures"));
  const processing = items(at(state, "queue.processing")).map(text);
  const queued = Object.entries(fields(at(state, "queue.line"))).sort(([a], [b]) => Number(a) - Number(b)).map(([, key]) => text(key));
  const delayed = Object.entries(fields(at(state, "delayed"))).map(([key, due]) => ({ key, due: Number(due) })).sort((a, b) => a.due - b.due);
  const retries = (key: string): string => text(failures[key]) || "0";
  const again = Object.keys(fields(at(state, "queue.dirty"))).filter((key) => processing.includes(key));
  const elsewhere = Object.keys(failures).filter((key) => !delayed.some((one) => one.key === key) && !queued.includes(key));
  return (
    <>
      <FactList
        facts={[
          ["Workers", `${items(at(state, "syncs")).length} of ${text(at(state, "workers"))} busy`],
          ["Work queue", queued.map((key) => (retries(key) === "0" ? key : `${key} (retry ${retries(key)})`)).join(", ") || "empty"],
          ["Being worked on", processing.join(", ") || "nothing"],
          ["To be done again after that", again.join(", ")],
          ["Failed before", elsewhere.map((key) => `${key}: ${retries(key)}`).join(", ")],
        ]}
      />
      <Table title="Added to the queue later" columns={["key", "at", "in", "retries"]} none="Nothing waits for its time or its back-off." rows={delayed.map(({ key, due }) => [key, captionTime(due), shortTime(Math.max(0, due - now)), retries(key)])} />
      <Table title="Syncs under way" columns={["key", "requests open"]} none="None: it waits for a change." rows={items(at(state, "syncs")).map((sync) => [text(at(sync, "key")), items(at(sync, "waiting")).length])} />
      <Informers state={state} />
    </>
  );
}

export const controllerView: ComponentViewSpec = { title: "Queue and caches", matches: (component) => /-(controller|publisher|collector|binder|expander|signing|approving|cleaner)(@|$)/.test(component), View: Controller };
