// Models kubernetes/staging/src/k8s.io/kubectl/pkg/cmd/create/create_{deployment,job,cronjob,service,ingress,token}.go
import { parseGoDuration } from "../api/duration.ts";
import { findResource } from "../api/schema/resources.ts";
import { SECOND } from "../api/time.ts";
import type { KubeObject } from "../api/types.ts";
import { getInfo } from "./builder.ts";
import { nameFrom } from "./create-configuration.ts";
import { errorText, plainText } from "./errors.ts";
import { onlySubcommands } from "./help-commands.ts";
import type { Process } from "./process.ts";

const LABEL_END = /[^a-z0-9]+$/;

/** "nginx" of "docker.io/library/nginx:1.27@sha256:...": what a container is called. */
export const baseName = (image: string): string => (image.split("/").at(-1) ?? "").split("@")[0]?.split(":")[0]?.toLowerCase().replaceAll(/[^-a-z0-9]/g, "-").replace(LABEL_END, "") ?? "";

export function deploymentOf(p: Process, words: readonly string[]): KubeObject {
  if (!p.given("image")) return p.fail("error: required flag(s) \"image\" not set");
  const name = nameFrom(p, words);
  const images = p.flags("image");
  const command = p.options.dash ?? [];
  if (images.length > 1 && command.length > 0) return p.fail("error: cannot specify multiple --image options and command");
  const port = p.flag("port");
  const containers = images.map((image) => ({ name: baseName(image), image, ...(command.length > 0 ? { command } : {}), ...(port === "" || port === "-1" ? {} : { ports: [{ containerPort: Number(port) }] }), resources: {} }));
  const labels = { app: name };
  return { kind: "Deployment", apiVersion: "apps/v1", metadata: { name, labels }, spec: { replicas: Number(p.flag("replicas", "1")), selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } }, strategy: {} }, status: {} };
}

const podOf = (p: Process, name: string, restartPolicy: string): object => {
  const command = p.options.dash ?? [];
  return { metadata: {}, spec: { containers: [{ name, image: p.flag("image"), ...(command.length > 0 ? { command } : {}), resources: {} }], restartPolicy } };
};

/** --from=cronjob/NAME: the Job that the schedule would make. */
function jobFrom(p: Process, name: string, from: string): KubeObject {
  const [type, source = ""] = from.split("/");
  const api = findResource(type ?? "");
  if (api === undefined) return p.fail(`error: the server doesn't have a resource type ${JSON.stringify(type)}`);
  const answer = getInfo(p, api, api.namespaced ? p.namespace : "", source);
  if (answer.status !== 200) return p.fail(errorText(answer, p.turn.config.server));
  const cronJob = answer.body as KubeObject;
  if (cronJob.kind !== "CronJob") return p.fail(`error: from must be an existing cronjob`);
  const { jobTemplate } = cronJob.spec as { readonly jobTemplate: { readonly metadata?: KubeObject["metadata"]; readonly spec: unknown } };
  const owner = { apiVersion: "batch/v1", kind: "CronJob", name: source, uid: cronJob.metadata.uid ?? "", controller: true };
  return { kind: "Job", apiVersion: "batch/v1", metadata: { name, ...(jobTemplate.metadata?.labels === undefined ? {} : { labels: jobTemplate.metadata.labels }), annotations: { "cronjob.kubernetes.io/instantiate": "manual", ...jobTemplate.metadata?.annotations }, ownerReferences: [owner] }, spec: jobTemplate.spec, status: {} };
}

export function jobOf(p: Process, words: readonly string[]): KubeObject {
  const name = nameFrom(p, words);
  const [image, from] = [p.flag("image"), p.flag("from")];
  if ((image === "") === (from === "")) return p.fail("error: either --image or --from must be specified");
  if (from !== "" && (p.options.dash?.length ?? 0) > 0) return p.fail("error: cannot specify --from and command");
  if (from !== "") return jobFrom(p, name, from);
  return { kind: "Job", apiVersion: "batch/v1", metadata: { name }, spec: { template: podOf(p, name, "Never") }, status: {} };
}

export function cronJobOf(p: Process, words: readonly string[]): KubeObject {
  const missing = ["image", "schedule"].filter((flag) => !p.given(flag));
  if (missing.length > 0) return p.fail(`error: required flag(s) ${missing.map((flag) => JSON.stringify(flag)).join(", ")} not set`);
  const name = nameFrom(p, words);
  const template = podOf(p, name, p.flag("restart", "OnFailure"));
  return { kind: "CronJob", apiVersion: "batch/v1", metadata: { name }, spec: { schedule: p.flag("schedule"), jobTemplate: { metadata: { name }, spec: { template } } }, status: {} };
}

const SERVICE_TYPES: Readonly<Record<string, string>> = { clusterip: "ClusterIP", nodeport: "NodePort", loadbalancer: "LoadBalancer", externalname: "ExternalName" };

function servicePorts(p: Process): readonly object[] {
  return p.flags("tcp").map((text) => {
    const [port = "", target] = text.split(":");
    const number = (value: string): number => (/^\d+$/.test(value) ? Number(value) : p.fail(`error: invalid port format '${text}', must be 'port' or 'port:targetPort'`));
    const targetPort = target === undefined ? number(port) : /^\d+$/.test(target) ? Number(target) : target;
    const nodePort = Number(p.flag("node-port", "0"));
    return { name: text.replaceAll(":", "-"), protocol: "TCP", port: number(port), targetPort, ...(nodePort > 0 ? { nodePort } : {}) };
  });
}

export function serviceOf(p: Process, words: readonly string[]): KubeObject {
  const [kind = "", ...rest] = words;
  const type = SERVICE_TYPES[kind];
  if (type === undefined) return onlySubcommands(p);
  if (type === "ExternalName" && !p.given("external-name")) return p.fail("error: required flag(s) \"external-name\" not set");
  const name = nameFrom(p, rest);
  const ports = servicePorts(p);
  const clusterIP = p.flag("clusterip");
  if (ports.length === 0 && type !== "ExternalName" && clusterIP !== "None") return p.fail("error: at least one tcp port specifier must be provided");
  const labels = { app: name };
  const spec = { ...(ports.length > 0 ? { ports } : {}), selector: labels, ...(clusterIP === "" ? {} : { clusterIP }), type, ...(type === "ExternalName" ? { externalName: p.flag("external-name") } : {}) };
  return { kind: "Service", apiVersion: "v1", metadata: { name, labels }, spec, status: { loadBalancer: {} } };
}

interface Rule {
  readonly host: string;
  readonly path: string;
  readonly backend: object;
  readonly tls: string | undefined;
}

function backendOf(service: string, port: string): object {
  return { service: { name: service, port: /^\d+$/.test(port) ? { number: Number(port) } : { name: port } } };
}

function ruleOf(p: Process, text: string): Rule {
  const m = /^([^/=]*)(\/[^=]*)=([^:,=]+):([^,=]+)(,.*)?$/.exec(text);
  if (!m) return p.fail(`error: rule ${text} is invalid and should be in format host/path=svcname:svcport[,tls[=secret]]`);
  const tls = /^,tls(?:=(.*))?$/.exec(m[5] ?? "");
  return { host: m[1] ?? "", path: m[2] ?? "", backend: backendOf(m[3] ?? "", m[4] ?? ""), tls: tls ? (tls[1] ?? "") : undefined };
}

export function ingressOf(p: Process, words: readonly string[]): KubeObject {
  const name = nameFrom(p, words);
  const rules = (p.options.flags["rule"] ?? []).map((text) => ruleOf(p, text));
  const fallback = p.flag("default-backend");
  if (rules.length === 0 && fallback === "") return p.fail("error: not enough information provided: every ingress has to either specify a default-backend (which catches all traffic) or a list of rules (which catch specific paths)");
  const m = /^([^:]+):([^:]+)$/.exec(fallback);
  if (fallback !== "" && !m) return p.fail("error: default-backend should be in format servicename:serviceport");
  const hosts = [...new Set(rules.map(({ host }) => host))];
  const byHost = hosts.map((host) => ({
    ...(host === "" ? {} : { host }),
    http: { paths: rules.filter((rule) => rule.host === host).map(({ path, backend }) => ({ path: path.replace(/\*$/, ""), pathType: path.endsWith("*") ? "Prefix" : "Exact", backend })) },
  }));
  const secrets = [...new Set(rules.flatMap(({ tls }) => (tls === undefined ? [] : [tls])))];
  const tls = secrets.map((secretName) => ({ hosts: [...new Set(rules.filter((rule) => rule.tls === secretName && rule.host !== "").map(({ host }) => host))], ...(secretName === "" ? {} : { secretName }) }));
  const annotations = Object.fromEntries(p.flags("annotation").map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]));
  const spec = { ...(p.flag("class") === "" ? {} : { ingressClassName: p.flag("class") }), ...(m ? { defaultBackend: backendOf(m[1] ?? "", m[2] ?? "") } : {}), ...(tls.length > 0 ? { tls } : {}), ...(byHost.length > 0 ? { rules: byHost } : {}) };
  return { kind: "Ingress", apiVersion: "networking.k8s.io/v1", metadata: { name, ...(Object.keys(annotations).length > 0 ? { annotations } : {}) }, spec, status: { loadBalancer: {} } };
}

/** kubectl create token: prints the token, stores nothing. */
export function tokenOf(p: Process, words: readonly string[]): undefined {
  const name = nameFrom(p, words);
  const duration = parseGoDuration(p.flag("duration", "0"));
  const spec = { audiences: p.flags("audience"), ...(duration > 0 ? { expirationSeconds: duration / SECOND } : {}) };
  const answer = p.ask({ method: "POST", path: `/api/v1/namespaces/${p.namespace}/serviceaccounts/${name}/token`, body: { kind: "TokenRequest", apiVersion: "authentication.k8s.io/v1", metadata: {}, spec }, subject: `serviceaccount/${p.namespace}/${name}`, level: "basic" });
  if (answer.status !== 201) return p.fail(plainText(answer, p.turn.config.server, "failed to create token: "));
  p.print((answer.body as { readonly status: { readonly token: string } }).status.token);
  return undefined;
}
