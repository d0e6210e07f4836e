import type { JSX } from "react";
import { captionTime } from "../../../timeline/format.ts";
import { FactList, Table } from "./parts.tsx";
import { at, type ComponentViewSpec, fields, items, nameOf, numberAt, text, type ViewProps } from "./view.ts";

const shortId = (value: unknown): string => text(value).slice(0, 12);

/** Any of several paths: the first that holds something. */
function first(state: unknown, ...paths: readonly string[]): unknown {
  return paths.map((path) => at(state, path)).find((value) => value !== undefined);
}

function cgroupText(value: unknown): string {
  return Object.entries(fields(value))
    .map(([name, setting]) => `${name} = ${text(setting)}`)
    .join("\n");
}

function Containerd({ state }: ViewProps): JSX.Element {
  const sandboxes = items(first(state, "sandboxes"));
  const containers = items(first(state, "containers"));
  const images = first(state, "images");
  return (
    <>
      <Table
        title="Sandboxes"
        columns={["Pod", "id", "state", "address", "cgroup"]}
        none="None on this node."
        rows={sandboxes.map((sandbox) => [
          nameOf(first(sandbox, "config.pod", "pod")) || nameOf(sandbox),
          shortId(first(sandbox, "id", "status.id")),
          text(first(sandbox, "state", "status.state")),
          text(first(sandbox, "ip", "status.ip")),
          <pre key="cgroup">{cgroupText(first(sandbox, "config.cgroup", "cgroup"))}</pre>,
        ])}
      />
      <Table
        title="Containers"
        columns={["name", "id", "state", "image", "exit", "started"]}
        none="None on this node."
        rows={containers.map((container) => {
          const started = numberAt(container, "startedAt") ?? numberAt(container, "status.startedAt");
          return [
            text(first(container, "name", "config.name", "status.name")),
            shortId(first(container, "id", "status.id")),
            text(first(container, "state", "status.state")),
            text(first(container, "image", "config.image", "status.image")),
            text(first(container, "state", "status.state")) === "exited" ? text(first(container, "exitCode", "status.exitCode")) : "",
            started === undefined || started <= 0 ? "" : captionTime(started),
          ];
        })}
      />
      <Table title="Cgroup values of containers" columns={["container", "value"]} none="None." rows={containers.map((container) => [text(first(container, "name", "config.name", "status.name")), <pre key="cgroup">{cgroupText(first(container, "cgroup", "resources", "config.resources", "status.resources"))}</pre>])} />
      <Table title="Images on this node" columns={["image", "size"]} none="None." rows={Object.entries(fields(images)).map(([name, image]) => [name, sizeText(numberAt(image, "sizeBytes"))])} />
    </>
  );
}

function sizeText(bytes: number | undefined): string {
  return bytes === undefined ? "" : `${(bytes / 1_048_576).toFixed(1)} MiB`;
}

function Cni({ state }: ViewProps): JSX.Element {
  const allocated = first(state, "allocated", "addresses", "leases", "reserved");
  const rows = Array.isArray(allocated)
    ? allocated.map((one) => [text(first(one, "ip", "address")) || text(one), shortId(first(one, "containerId", "id", "sandbox"))])
    : Object.entries(fields(allocated)).map(([key, value]) => (typeof value === "string" ? [key, shortId(value)] : [key, text(first(value, "ip", "address")) || shortId(first(value, "containerId", "id"))]));
  return (
    <>
      <FactList facts={[["Range", text(first(state, "podCIDR", "cidr", "subnet"))], ["Last reserved", text(first(state, "lastReserved", "last"))]]} />
      <Table title="Allocated addresses" columns={["address", "sandbox"]} none="None on this node." rows={rows} />
    </>
  );
}

function Processes({ state }: ViewProps): JSX.Element {
  return (
    <Table
      title="Processes"
      columns={["container", "state", "started", "exit", "memory", "last line"]}
      none="Nothing runs on this node."
      rows={items(at(state, "containers")).map((proc) => [
        nameOf(first(proc, "spec.pod")) === "" ? text(first(proc, "spec.name", "spec.container")) : `${nameOf(at(proc, "spec.pod"))} ${text(first(proc, "spec.name", "spec.container"))}`,
        text(at(proc, "state")),
        captionTime(numberAt(proc, "startedAt") ?? 0),
        at(proc, "state") === "exited" ? text(at(proc, "exitCode")) : "",
        numberAt(proc, "memoryMiB") === undefined ? "" : `${text(at(proc, "memoryMiB"))} MiB`,
        text(items(at(proc, "log")).at(-1)),
      ])}
    />
  );
}

export const containerdView: ComponentViewSpec = { title: "Sandboxes and containers", matches: (component) => component.startsWith("containerd@"), View: Containerd };
export const cniView: ComponentViewSpec = { title: "Addresses", matches: (component) => component.startsWith("cni@"), View: Cni };
export const processView: ComponentViewSpec = { title: "Processes", matches: (component) => component.startsWith("process@"), View: Processes };
