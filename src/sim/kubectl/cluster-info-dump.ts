// Models kubernetes/staging/src/k8s.io/kubectl/pkg/cmd/clusterinfo/clusterinfo_dump.go
import type { KubeObject, Pod } from "../api/types.ts";
import { errorText, statusOf } from "./errors.ts";
import { goListJson, indented } from "./go-json.ts";
import { PRINT_FORMATS, printerFor, unmatched } from "./printers.ts";
import type { Process } from "./process.ts";
import { stripManaged } from "./yaml.ts";

/** What is dumped of a namespace, in order: where it is, what it is, and the file's name. */
const KINDS = [
  ["/api/v1", "events", "EventList", "events"], ["/api/v1", "replicationcontrollers", "ReplicationControllerList", "replication-controllers"], ["/api/v1", "services", "ServiceList", "services"], ["/apis/apps/v1", "daemonsets", "DaemonSetList", "daemonsets"],
  ["/apis/apps/v1", "deployments", "DeploymentList", "deployments"], ["/apis/apps/v1", "replicasets", "ReplicaSetList", "replicasets"], ["/api/v1", "pods", "PodList", "pods"],
] as const;

/** Where documents go: standard output, or files of a folder that a note tells of. */
interface Place {
  readonly folder: string;
  readonly files: Record<string, string>;
}

function put(p: Process, { folder, files }: Place, name: string, text: string): void {
  if (folder === "" || folder === "-") p.printRaw(text);
  else files[`${folder.replace(/\/$/, "")}/${name}`] = (files[`${folder.replace(/\/$/, "")}/${name}`] ?? "") + text;
}

function containerLog(p: Process, { metadata: { name = "", namespace = "" } }: Pod, container: string): string {
  const answer = p.ask({ method: "GET", path: `/api/v1/namespaces/${namespace}/pods/${name}/log`, query: { container }, accept: "application/json, */*", subject: `log of pod/${namespace}/${name}` });
  const text = answer.status === 200 ? (typeof answer.body === "string" ? answer.body : "") : `Request log error: ${statusOf(answer)?.message ?? errorText(answer, p.turn.config.server)}\n`;
  return `==== START logs for container ${container} of pod ${namespace}/${name} ====\n${text}==== END logs for container ${container} of pod ${namespace}/${name} ====\n`;
}

/** kubectl cluster-info dump: nodes, then of every namespace its workloads, Pods and their logs. */
export function dump(p: Process): void {
  const { output, allNamespaces } = p.options;
  if (output === "name") p.must({ method: "GET", path: "/api/v1/nodes", subject: "list nodes" });
  if (output === "name") return p.fail("error: list types are not supported by name printing: *v1.NodeList");
  const format = output === "" ? "json" : output;
  const printer = printerFor({ ...p.options, output: format }, p.turn.session.run.files);
  if (typeof printer === "string") return p.fail(printer);
  if (printer === undefined) return p.fail(unmatched(output, PRINT_FORMATS));
  const extension = format === "json" || format === "yaml" ? `.${format}` : ".txt";
  const place: Place = { folder: p.flag("output-directory"), files: {} };
  let nth = 0;
  const document = (path: string, kind: string, apiVersion: string, file: string): readonly KubeObject[] => {
    const { items, metadata } = p.must({ method: "GET", path, subject: path }) as { readonly items: readonly KubeObject[]; readonly metadata: object };
    const list = JSON.parse(goListJson({ kind, apiVersion, metadata, items: items.map(stripManaged) })) as KubeObject;
    const text = format === "json" ? indented(list) : printer(list, place.folder === "" || place.folder === "-" ? nth++ : 0);
    if (typeof text !== "string") return p.fail(text.error);
    put(p, place, `${file}${extension}`, text);
    return items;
  };
  document("/api/v1/nodes", "NodeList", "v1", "nodes");
  const chosen = p.flags("namespaces");
  const namespaces = allNamespaces ? (p.must({ method: "GET", path: "/api/v1/namespaces", subject: "list namespaces" }) as { readonly items: readonly KubeObject[] }).items.map(({ metadata }) => metadata.name ?? "") : chosen.length === 0 ? ["kube-system", p.namespace] : chosen;
  for (const namespace of namespaces) {
    let pods: readonly KubeObject[] = [];
    for (const [root, plural, kind, file] of KINDS) pods = document(`${root}/namespaces/${namespace}/${plural}`, kind, root === "/api/v1" ? "v1" : "apps/v1", `${namespace}/${file}`);
    for (const pod of pods as readonly Pod[]) for (const { name } of [...(pod.spec.initContainers ?? []), ...pod.spec.containers]) put(p, place, `${namespace}/${pod.metadata.name ?? ""}/logs.txt`, containerLog(p, pod, name));
  }
  if (place.folder === "" || place.folder === "-") return;
  p.say(`writes ${Object.keys(place.files).length} files under ${place.folder}`, "one for every kind and namespace, and one for the logs of every Pod", "basic", { session: p.turn.session.run.session, files: place.files });
  p.print(`Cluster info dumped to ${place.folder}`);
}
