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

/** "downloading, 12.0 MiB so far" */
function pullText(layer: unknown): string {
  const received = numberAt(layer, "received");
  const state = text(at(layer, "state"));
  return state === "downloading" && received !== undefined ? `${state}, ${sizeText(received)} so far` : state;
}

/** How many images hold each layer. */
function holders(images: readonly unknown[]): ReadonlyMap<string, number> {
  const count = new Map<string, number>();
  for (const image of images) for (const layer of items(at(image, "layers"))) count.set(text(at(layer, "digest")), (count.get(text(at(layer, "digest"))) ?? 0) + 1);
  return count;
}

/** Removing an image frees the layers that no other holds. */
function Images({ state }: { readonly state: unknown }): JSX.Element {
  const images = items(at(state, "images"));
  const held = holders(images);
  const used = new Set(items(at(state, "containers")).map((container) => text(at(container, "status.image"))));
  const layerText = (layer: unknown): string => `${text(at(layer, "digest")).replace("sha256:", "").slice(0, 8)} ${sizeText(numberAt(layer, "size"))}${(held.get(text(at(layer, "digest"))) ?? 0) > 1 ? ", shared" : ""}`;
  return (
    <Table
      title="Images on this node"
      columns={["image", "size", "pulled", "last used", "layers, base first"]}
      none="None."
      rows={images.map((image) => {
        const [pulled, until] = [numberAt(image, "pulledAt") ?? 0, numberAt(image, "usedUntil")];
        const use = at(image, "pinned") === true ? "never removed" : until !== undefined ? captionTime(until) : used.has(text(at(image, "name"))) ? "in use" : "never";
        return [text(at(image, "name")), sizeText(numberAt(image, "sizeBytes")), pulled < 0 ? "before" : captionTime(pulled), use, items(at(image, "layers")).map(layerText).join(" · ")];
      })}
    />
  );
}

function Containerd({ state }: ViewProps): JSX.Element {
  const sandboxes = items(at(state, "sandboxes"));
  const containers = items(at(state, "containers"));
  const pulls = items(at(state, "operations")).filter((operation) => items(at(operation, "layers")).length > 0);
  return (
    <>
      <Table title="Calls in work" columns={["call", "step"]} none="None: it waits for the kubelet." rows={items(at(state, "operations")).map((operation) => [text(first(operation, "cri.call", "call", "id")), text(at(operation, "step"))])} />
      {pulls.length === 0 ? null : (
        <Table
          title="Layers being pulled"
          columns={["image", "layer", "size", "state"]}
          none=""
          rows={pulls.flatMap((pull) => items(at(pull, "layers")).map((layer) => [text(at(pull, "id")), shortId(text(at(layer, "digest")).replace("sha256:", "")), sizeText(numberAt(layer, "size")), pullText(layer)]))}
        />
      )}
      <Table
        title="Sandboxes"
        columns={["Pod", "id", "state", "address", "namespaces"]}
        none="None on this node."
        rows={sandboxes.map((sandbox) => [nameOf(at(sandbox, "pod")), shortId(at(sandbox, "status.id")), text(at(sandbox, "status.state")), text(at(sandbox, "status.ip")) || (at(sandbox, "status.hostNetwork") === true ? "the node's" : ""), items(at(sandbox, "namespaces")).map(text).join(" ")])}
      />
      <Table
        title="Containers"
        columns={["name", "Pod", "id", "state", "image", "started"]}
        none="None on this node."
        rows={containers.map((container) => {
          const started = numberAt(container, "status.startedAt") ?? 0;
          const ended = at(container, "status.state") === "exited";
          return [text(at(container, "status.name")), nameOf(at(container, "pod")), shortId(at(container, "status.id")), `${text(at(container, "status.state"))}${ended ? ` ${text(at(container, "status.exitCode"))} ${text(at(container, "status.reason"))}` : ""}`, text(at(container, "status.image")), started > 0 ? captionTime(started) : started < 0 ? "before" : ""];
        })}
      />
      <Table
        title="Files the runtime wrote"
        columns={["Pod", "file", "content"]}
        none="None in this run."
        rows={sandboxes.flatMap((sandbox) => Object.entries(fields(at(sandbox, "files"))).map(([file, content]) => [nameOf(at(sandbox, "pod")), file, <pre key="content">{text(content).trimEnd()}</pre>]))}
      />
      <Table title="Cgroups" columns={["path", "values"]} none="None on this node." rows={[...sandboxes, ...containers].filter((task) => at(task, "cgroup") !== undefined).map((task) => [text(at(task, "cgroup.path")), <pre key="values">{cgroupText(at(task, "cgroup.files"))}</pre>])} />
      <Images state={state} />
    </>
  );
}

function sizeText(bytes: number | undefined): string {
  return bytes === undefined ? "" : `${(bytes / 1_048_576).toFixed(1)} MiB`;
}

function Cni({ state }: ViewProps): JSX.Element {
  const reserved = Object.entries(fields(at(state, "ipam.reserved")));
  return (
    <>
      <FactList
        facts={[
          ["Range", text(at(state, "ipam.subnet"))],
          ["Last reserved", text(at(state, "ipam.lastReserved"))],
          ["Gateway", text(at(state, "bridge.gateway"))],
          ["Exhausted", at(state, "exhausted") === true ? "yes: no address is given out" : ""],
        ]}
      />
      <Table
        title="Interfaces"
        columns={["address", "sandbox", "on the node", "routes"]}
        none="None made in this run."
        rows={items(at(state, "endpoints")).map((endpoint) => [text(at(endpoint, "ip")), shortId(at(endpoint, "containerId")), text(at(endpoint, "hostVeth")), items(at(endpoint, "routes")).map(text).join(", ")])}
      />
      <Table title="Addresses in use" columns={["address", "sandbox"]} none="None on this node." rows={reserved.map(([address, container]) => [address, shortId(container)])} />
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
        text(at(proc, "spec.podName")) === "" ? text(at(proc, "spec.container")) : `${text(at(proc, "spec.namespace"))}/${text(at(proc, "spec.podName"))} ${text(at(proc, "spec.container"))}`,
        at(proc, "hung") === undefined ? text(at(proc, "state")) : `${text(at(proc, "state"))}, answers nobody`,
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
