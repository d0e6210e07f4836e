import type { JSX } from "react";
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

function Controller({ state }: ViewProps): JSX.Element {
  const failures = Object.entries(fields(at(state, "queue.failures")));
  return (
    <>
      <FactList
        facts={[
          ["Work queue", items(at(state, "queue.queue")).map(text).join(", ") || "empty"],
          ["Being worked on", items(at(state, "queue.processing")).map(text).join(", ") || "nothing"],
          ["To be done again", items(at(state, "queue.dirty")).map(text).join(", ")],
          ["Failures", failures.map(([key, count]) => `${key}: ${text(count)}`).join(", ")],
        ]}
      />
      <Table title="Syncs under way" columns={["key", "requests open"]} none="None: it waits for a change." rows={items(at(state, "syncs")).map((sync) => [text(at(sync, "key")), items(at(sync, "waiting")).length])} />
      <Informers state={state} />
    </>
  );
}

export const controllerView: ComponentViewSpec = { title: "Queue and caches", matches: (component) => /-(controller|publisher|collector)(@|$)/.test(component), View: Controller };
