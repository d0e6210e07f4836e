// Models kubernetes/staging/src/k8s.io/kubectl/pkg/cmd/expose/expose.go
import { findResource } from "../api/schema/resources.ts";
import type { KubeObject } from "../api/types.ts";
import { type Info, infosOf } from "./builder.ts";
import { pathOf } from "./manifest.ts";
import { dryRunQuery, reporter } from "./patching.ts";
import { command, type Process } from "./process.ts";
import { templateOf } from "./template.ts";

interface Port {
  readonly port?: number;
  readonly containerPort?: number;
  readonly protocol?: string;
}
type Selector = Readonly<Record<string, string>>;

/** What makes the new Service find the same Pods. */
function selectorOf(p: Process, { object }: Info): Selector {
  const spec = (object.spec ?? {}) as { readonly selector?: Selector & { readonly matchLabels?: Selector; readonly matchExpressions?: readonly unknown[] } };
  if (p.given("selector")) return Object.fromEntries(p.flags("selector").map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]));
  if (object.kind === "Pod") {
    const { labels } = object.metadata;
    return labels === undefined || Object.keys(labels).length === 0 ? p.fail("error: couldn't retrieve selectors via --selector flag or introspection: the pod has no labels and cannot be exposed") : labels;
  }
  if (object.kind === "Service" || object.kind === "ReplicationController") return spec.selector ?? p.fail(`error: couldn't retrieve selectors via --selector flag or introspection: the ${object.kind === "Service" ? "service" : "replication controller"} has no pod selector set`);
  if ((spec.selector?.matchExpressions?.length ?? 0) > 0) return p.fail(`error: couldn't retrieve selectors via --selector flag or introspection: couldn't convert expressions - "${JSON.stringify(spec.selector?.matchExpressions)}" to map-based selector format`);
  return spec.selector?.matchLabels ?? {};
}

function portsOf({ object }: Info): readonly Port[] {
  if (object.kind === "Service") return (object.spec as { readonly ports?: readonly Port[] }).ports ?? [];
  return (templateOf(object)?.spec.containers ?? []).flatMap((container) => (container.ports ?? []).map((port) => ({ ...port, port: port.containerPort })));
}

function serviceOf(p: Process, info: Info): KubeObject {
  const found = portsOf(info);
  const wanted = p.flag("port");
  const selector = selectorOf(p, info);
  if (wanted === "" && found.length === 0) return p.fail("error: couldn't find port via --port flag or introspection");
  const numbers = wanted === "" ? found.map(({ port }) => String(port ?? 0)) : wanted.split(",");
  const target = p.flag("target-port");
  const ports = numbers.map((text, i) => {
    if (!/^\d+$/.test(text)) return p.fail(`error: strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`);
    const protocol = p.flag("protocol", found.find((port) => String(port.port) === text)?.protocol ?? "TCP");
    return { ...(numbers.length > 1 ? { name: `port-${i + 1}` } : {}), protocol, port: Number(text), targetPort: target === "" ? Number(text) : /^\d+$/.test(target) ? Number(target) : target };
  });
  const labels = p.given("labels") ? Object.fromEntries(p.flags("labels").map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)])) : info.object.metadata.labels;
  const spec = {
    ports, selector, ...(p.flag("cluster-ip") === "" ? {} : { clusterIP: p.flag("cluster-ip") === "None" ? "None" : p.flag("cluster-ip") }), ...(p.flag("type") === "" ? {} : { type: p.flag("type") }),
    ...(p.flag("external-ip") === "" ? {} : { externalIPs: [p.flag("external-ip")] }), ...(p.flag("session-affinity") === "" ? {} : { sessionAffinity: p.flag("session-affinity") }), ...(p.flag("load-balancer-ip") === "" ? {} : { loadBalancerIP: p.flag("load-balancer-ip") }),
  };
  return { kind: "Service", apiVersion: "v1", metadata: { name: p.flag("name", info.name).slice(0, 63), ...(labels === undefined ? {} : { labels }) }, spec, status: { loadBalancer: {} } };
}

const EXPOSABLE = ["Service", "Pod", "ReplicationController", "Deployment", "ReplicaSet"];

/** kubectl expose TYPE NAME --port=N */
export const expose = command(["expose"], (p) => {
  const report = reporter(p, true);
  const services = findResource("services");
  for (const info of infosOf(p, { args: p.options.args, latest: true, selects: false })) {
    const { kind } = info.object;
    const group = info.api.group === "" ? "" : `.${info.api.group}`;
    if (!EXPOSABLE.includes(kind)) return p.fail(`error: cannot expose a ${kind}${group}`);
    const service = serviceOf(p, info);
    if (services === undefined) return;
    const name = service.metadata.name ?? "";
    const stored = p.options.dryRun === "client" ? service : p.must({ method: "POST", path: pathOf(services, info.namespace), query: { ...dryRunQuery(p), fieldManager: p.flag("field-manager", "kubectl-expose") }, body: { ...service, metadata: { ...service.metadata, namespace: info.namespace } }, subject: `service/${info.namespace}/${name}`, level: "basic" });
    report({ api: services, name }, stored as KubeObject, "exposed");
  }
});
