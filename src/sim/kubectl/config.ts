// Models kubernetes/staging/src/k8s.io/kubectl/pkg/cmd/config: what ~/.kube/config says
import { formatTable } from "../api/tabwriter.ts";
import { indented } from "./go-json.ts";
import { command, type Process } from "./process.ts";
import type { Kubeconfig } from "./session.ts";
import { printYaml } from "./yaml.ts";

const fileOf = ({ cluster, server, context, namespace, user, token }: Kubeconfig): object => ({
  kind: "Config", apiVersion: "v1",
  clusters: [{ name: cluster, cluster: { server: `https://${server}`, ...(token ? { "insecure-skip-tls-verify": true } : { "certificate-authority-data": "DATA+OMITTED" }) } }],
  users: [{ name: user, user: token ? { token: "REDACTED" } : { "client-certificate-data": "DATA+OMITTED", "client-key-data": "DATA+OMITTED" } }],
  contexts: [{ name: context, context: { cluster, user, ...(namespace === "default" ? {} : { namespace }) } }], "current-context": context,
});

function contexts(p: Process): void {
  const { context, cluster, user, namespace } = p.turn.config;
  const [wanted] = p.options.args.slice(1);
  if (wanted !== undefined && wanted !== context) return p.fail(`error: context ${wanted} not found`);
  if (p.options.output === "name") return p.print(context);
  const columns = ["CURRENT", "NAME", "CLUSTER", "AUTHINFO", "NAMESPACE"].map((name) => ({ name, priority: 0 }));
  p.print(formatTable(columns, [["*", context, cluster, user, namespace === "default" ? "" : namespace]], true, !p.options.noHeaders));
}

const SUBCOMMANDS: Readonly<Record<string, (p: Process) => void>> = {
  view: (p) => p.print(p.options.output === "json" ? indented(fileOf(p.turn.config)) : printYaml(fileOf(p.turn.config))),
  "current-context": (p) => p.print(p.turn.config.context),
  "get-contexts": contexts,
  "get-clusters": (p) => p.print(`NAME\n${p.turn.config.cluster}`),
  "get-users": (p) => p.print(`NAME\n${p.turn.config.user}`),
};

/** kubectl config WHAT. Simplified: it can only be read. */
export const config = command(["config"], (p) => {
  const subcommand = SUBCOMMANDS[p.options.args[0] ?? ""];
  if (subcommand === undefined) return p.fail(`error: unknown command ${JSON.stringify(p.options.args.join(" "))}\nSee 'kubectl config -h' for help and examples`);
  subcommand(p);
});
