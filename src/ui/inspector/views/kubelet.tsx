import type { JSX } from "react";
import { captionTime, shortTime } from "../../../timeline/format.ts";
import { Informers } from "./controller.tsx";
import { FactList, Table } from "./parts.tsx";
import { stepText } from "./sync-steps.ts";
import { at, type ComponentViewSpec, fields, items, nameOf, numberAt, text, type ViewProps } from "./view.ts";

function Kubelet({ state, now }: ViewProps): JSX.Element {
  const workers = items(at(state, "workers"));
  const busy = workers.filter((worker) => at(worker, "run") !== undefined || at(worker, "phase") !== "syncing" || Object.keys(fields(at(worker, "volumes"))).length > 0);
  const names = new Map(workers.map((worker) => [text(at(worker, "uid")), text(at(worker, "key")) || nameOf(at(worker, "pod"))]));
  const podOf = (uid: unknown): string => names.get(text(uid)) ?? text(uid).slice(0, 8);
  const backoffs = [...Object.entries(fields(at(state, "crashLoop.entries"))), ...Object.entries(fields(at(state, "pullMemory.backoff.entries")))];
  return (
    <>
      <FactList
        facts={[
          ["Node", at(state, "nodeReady") === true ? "reports Ready" : "reports NotReady"],
          ["Pods", String(workers.length)],
          ["Status writes waiting", items(at(state, "statusQueue")).length === 0 ? "none" : String(items(at(state, "statusQueue")).length)],
          ["Pulling", items(at(state, "pulls.active")).map((pull) => text(at(pull, "image"))).join(", ")],
          ["Pressure", [...items(at(state, "eviction.given")), ...items(at(state, "eviction.conditions"))].map(text).join(", ")],
          ["Short of", items(at(state, "eviction.short")).map(text).join(", ")],
          ["Shutting down", at(state, "shutdown") === undefined ? "" : "yes: it refuses new Pods"],
          ["Runtime down since", at(state, "runtimeDownSince") === undefined ? "" : captionTime(numberAt(state, "runtimeDownSince") ?? 0)],
        ]}
      />
      <Table
        title="Pod workers"
        columns={["Pod", "phase", "step", "container step", "address"]}
        none="None is at work."
        rows={busy.map((worker) => [
          podOf(at(worker, "uid")),
          text(at(worker, "phase")),
          stepText(text(at(worker, "run.flow")), numberAt(worker, "run.step")),
          at(worker, "run.start") === undefined ? "" : `${text(at(worker, "run.start.container"))}: ${stepText("startContainer", numberAt(worker, "run.start.step"))}`,
          text(at(worker, "podIP")),
        ])}
      />
      <Table
        title="Volumes"
        columns={["Pod", "volume", "kind", "state", "error"]}
        none="None is wanted by this run's Pods."
        rows={workers.flatMap((worker) => Object.entries(fields(at(worker, "volumes"))).map(([name, volume]) => [podOf(at(worker, "uid")), name, text(at(volume, "kind")), text(at(volume, "state")), text(at(volume, "error"))]))}
      />
      <Table
        title="Containers being stopped"
        columns={["Pod", "container", "step", "grace", "why"]}
        none="None."
        rows={workers.flatMap((worker) => items(at(worker, "kills")).map((kill) => [podOf(at(worker, "uid")), text(at(kill, "name")), text(at(kill, "step")), `${text(at(kill, "grace"))} s`, text(at(kill, "reason"))]))}
      />
      <Table
        title="Probes"
        columns={["container", "probe", "result", "in a row", "asking"]}
        none="No probe worker runs."
        rows={items(at(state, "probes")).map((probe) => [`${podOf(at(probe, "uid"))} ${text(at(probe, "container"))}`, text(at(probe, "type")), text(at(probe, "result")) || "none yet", text(at(probe, "counter.run")), (numberAt(probe, "inFlight") ?? -1) >= 0 ? "yes" : at(probe, "counter.onHold") === true ? "on hold" : ""])}
      />
      <Table title="Back-off" columns={["of", "wait", "since"]} none="Nothing waits." rows={backoffs.map(([key, entry]) => [key.replace(/^[0-9a-f-]{36}_?/, ""), shortTime(numberAt(entry, "value") ?? 0), shortTime(Math.max(0, now - (numberAt(entry, "lastUpdate") ?? now)))])} />
      <Informers state={{ informers: [at(state, "pods"), at(state, "node"), at(state, "services")] }} />
    </>
  );
}

export const kubeletView: ComponentViewSpec = { title: "Pod workers", matches: (component) => component.startsWith("kubelet@"), View: Kubelet };
