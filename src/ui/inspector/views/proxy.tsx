import type { JSX } from "react";
import { captionTime, shortTime } from "../../../timeline/format.ts";
import { TextBlock } from "../data-text.tsx";
import styles from "../inspector.module.css";
import { Informers } from "./controller.tsx";
import { FactList, Table } from "./parts.tsx";
import { at, type ComponentViewSpec, items, numberAt, text, type ViewProps } from "./view.ts";

function KubeProxy({ state }: ViewProps): JSX.Element {
  const last = numberAt(state, "lastSync") ?? -1;
  return (
    <>
      <FactList
        facts={[
          ["Mode", text(at(state, "mode"))],
          ["Last sync", last < 0 ? "before the run began" : captionTime(last)],
          ["Syncs", `${text(at(state, "syncs"))}, of all Services ${text(at(state, "fullSyncs"))}`],
          ["Out of date", items(at(state, "dirty")).map(text).join(", ") || "nothing"],
          ["Now", at(state, "writing") === true ? "writing rules" : (numberAt(state, "timer") ?? -1) >= 0 ? "waits for its shortest period" : "idle"],
        ]}
      />
      <Informers state={{ informers: [at(state, "services"), at(state, "slices")] }} />
    </>
  );
}

const address = (endpoint: unknown): string => `${text(at(endpoint, "ip"))}:${text(at(endpoint, "port"))}${at(endpoint, "local") === true ? " (here)" : ""}`;

/** Where a port's traffic goes: which endpoints, each with the same share, or what becomes of it without one. */
function goesTo(port: unknown, local: boolean): string {
  if (at(port, "hasEndpoints") !== true) return "refused: no endpoints";
  const list = items(at(port, local ? "local" : "cluster"));
  return list.length === 0 ? "dropped: no endpoint here" : list.map(address).join("\n");
}

function addresses(port: unknown): string {
  const number = `:${text(at(port, "port"))}/${text(at(port, "protocol"))}`;
  const outside = [...items(at(port, "externalIPs")), ...items(at(port, "loadBalancerIPs"))].map((ip) => `${text(ip)}${number}`);
  return [`${text(at(port, "clusterIP"))}${number}`, ...outside, ...(at(port, "nodePort") === undefined ? [] : [`node port ${text(at(port, "nodePort"))}`])].join("\n");
}

function policies(port: unknown): string {
  const seconds = numberAt(port, "affinitySeconds");
  return [at(port, "internalLocal") === true ? "internal: Local" : "", at(port, "externalLocal") === true ? "external: Local" : "", seconds === undefined ? "" : `a client keeps its Pod for ${seconds} s`, ...items(at(port, "sourceRanges")).map((range) => `only from ${text(range)}`)].filter((word) => word !== "").join("\n");
}

function Ports({ state }: { readonly state: unknown }): JSX.Element {
  const ports = items(at(state, "rules")).flatMap((service) => items(at(service, "ports")));
  const external = (port: unknown): boolean => addresses(port).includes("\n");
  return (
    <Table
      title="Rules in force"
      columns={["Service", "addresses", "goes to", "policy"]}
      none="None."
      rows={ports.map((port) => [
        `${text(at(port, "service"))}${text(at(port, "portName")) === "" ? "" : `:${text(at(port, "portName"))}`}`,
        <span key="addresses" className={styles.lines}>{addresses(port)}</span>,
        <span key="endpoints" className={styles.lines}>{at(port, "internalLocal") !== at(port, "externalLocal") && external(port) ? `inside:\n${goesTo(port, at(port, "internalLocal") === true)}\noutside:\n${goesTo(port, at(port, "externalLocal") === true)}` : goesTo(port, at(port, "internalLocal") === true)}</span>,
        <span key="policy" className={styles.lines}>{policies(port)}</span>,
      ])}
    />
  );
}

function Netfilter({ state, now }: ViewProps): JSX.Element {
  const mode = text(at(state, "mode"));
  const flows = items(at(state, "flows"));
  return (
    <>
      <FactList facts={[["Mode", mode], ["Refused so far", text(at(state, "refused"))], ["Dropped so far", text(at(state, "dropped"))]]} />
      <Ports state={state} />
      <h4>{mode === "nftables" ? "As nft list table ip kube-proxy prints them" : "As iptables-save prints them"}</h4>
      <TextBlock text={items(at(state, "printed")).map(text).join("\n") || "None."} />
      <Table
        title="Connections"
        columns={["from", "to", "went to", "for"]}
        none="None is open."
        rows={items(at(state, "conntrack")).map((entry) => [text(at(entry, "from")), text(at(entry, "to")), text(at(entry, "endpoint")), shortTime(Math.max(0, now - (numberAt(entry, "since") ?? now)))])}
      />
      {flows.length === 0 ? undefined : <Table title="UDP flows" columns={["to", "goes to"]} none="None." rows={flows.map((flow) => [text(at(flow, "to")), address(at(flow, "endpoint"))])} />}
    </>
  );
}

export const kubeProxyView: ComponentViewSpec = { title: "Syncs", matches: (component) => component.startsWith("kube-proxy@"), View: KubeProxy };
export const netfilterView: ComponentViewSpec = { title: "Rules", matches: (component) => component.startsWith("netfilter@"), View: Netfilter };
