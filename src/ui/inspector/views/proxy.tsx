import type { JSX } from "react";
import { captionTime, shortTime } from "../../../timeline/format.ts";
import { TextBlock } from "../data-text.tsx";
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
          ["Syncs", text(at(state, "syncs"))],
          ["Out of date", items(at(state, "dirty")).map(text).join(", ") || "nothing"],
          ["Now", at(state, "writing") === true ? "writing rules" : (numberAt(state, "timer") ?? -1) >= 0 ? "waits for its shortest period" : "idle"],
        ]}
      />
      <Informers state={{ informers: [at(state, "services"), at(state, "slices")] }} />
    </>
  );
}

function endpointsText(list: unknown): string {
  return items(list)
    .map((endpoint) => `${text(at(endpoint, "ip"))}:${text(at(endpoint, "port"))}${at(endpoint, "probability") === undefined ? "" : ` (${text(at(endpoint, "probability"))})`}`)
    .join("\n");
}

function Netfilter({ state, now }: ViewProps): JSX.Element {
  const ports = items(at(state, "rules")).flatMap((service) => items(at(service, "ports")));
  return (
    <>
      <Table
        title="Rules in force"
        columns={["Service", "address", "goes to"]}
        none="None."
        rows={ports.map((port) => [
          `${text(at(port, "service"))}${text(at(port, "portName")) === "" ? "" : `:${text(at(port, "portName"))}`}`,
          `${text(at(port, "clusterIP"))}:${text(at(port, "port"))}/${text(at(port, "protocol"))}${at(port, "nodePort") === undefined ? "" : `, node port ${text(at(port, "nodePort"))}`}`,
          at(port, "internalVerdict") === "accept" ? <pre key="endpoints">{endpointsText(at(port, "internal"))}</pre> : `${text(at(port, "internalVerdict"))}: no endpoint`,
        ])}
      />
      <h4>As iptables-save prints them</h4>
      <TextBlock text={items(at(state, "iptables")).map(text).join("\n") || "None."} />
      <Table
        title="Connections"
        columns={["from", "to", "went to", "for"]}
        none="None is open."
        rows={items(at(state, "conntrack")).map((entry) => [text(at(entry, "from")), text(at(entry, "to")), text(at(entry, "endpoint")), shortTime(Math.max(0, now - (numberAt(entry, "since") ?? now)))])}
      />
    </>
  );
}

export const kubeProxyView: ComponentViewSpec = { title: "Syncs", matches: (component) => component.startsWith("kube-proxy@"), View: KubeProxy };
export const netfilterView: ComponentViewSpec = { title: "Rules", matches: (component) => component.startsWith("netfilter@"), View: Netfilter };
