// Models kubernetes/staging/src/k8s.io/kubectl/pkg/cmd/create/create_{configmap,secret,namespace,quota,serviceaccount,priorityclass,pdb}*.go
import { base64Encode } from "../api/base64.ts";
import { isConfigMapKey, isRelaxedEnvVarName } from "../api/names.ts";
import type { KubeObject } from "../api/types.ts";
import { escapeHtml } from "../api/json.ts";
import { onlySubcommands } from "./help-commands.ts";
import type { Process } from "./process.ts";
import { resourceList } from "./set.ts";
import { parseSelector } from "../api/labels.ts";

/** The one NAME that a generator needs. */
export function nameFrom(p: Process, words: readonly string[]): string {
  const [name, ...more] = words;
  if (name === undefined) return p.fail(`error: exactly one NAME is required, got 0\nSee 'kubectl create ${p.options.args.filter((arg) => !words.includes(arg)).join(" ")} -h' for help and examples`);
  if (more.length > 0) return p.fail(`error: exactly one NAME is required, got ${words.length}\nSee 'kubectl create ${p.options.args[0] ?? ""} -h' for help and examples`);
  return name;
}

const split = (text: string): readonly [string, string] => [text.slice(0, text.indexOf("=")), text.slice(text.indexOf("=") + 1)];

/** --from-literal, --from-file and --from-env-file as keys and values. */
function dataOf(p: Process): Readonly<Record<string, string>> {
  const data: Record<string, string> = {};
  const put = (key: string, value: string): void => {
    const wrong = isConfigMapKey(key);
    if (wrong.length > 0) p.fail(`error: ${JSON.stringify(key)} is not a valid key name for a ${p.options.args[0] === "secret" ? "Secret" : "ConfigMap"}: ${wrong.join(",")}`);
    if (Object.hasOwn(data, key)) p.fail(`error: cannot add key ${JSON.stringify(key)}, another key by that name already exists in Data for ${p.options.args[0] === "secret" ? "Secret" : "ConfigMap"} ${JSON.stringify(p.options.args.at(-1) ?? "")}`);
    data[key] = value;
  };
  for (const literal of p.options.flags["from-literal"] ?? []) {
    if (!literal.includes("=") || literal.startsWith("=")) p.fail(`error: invalid literal source ${literal}, expected key=value`);
    const [key, value] = split(literal);
    put(key, value.replace(/^(['"])(.*)\1$/s, "$2"));
  }
  for (const source of p.flags("from-file")) readFile(p, source, put);
  for (const file of p.flags("from-env-file")) readEnvFile(p, file, put);
  return data;
}

function readFile(p: Process, source: string, put: (key: string, value: string) => void): void {
  const [key, path] = source.includes("=") ? split(source) : ["", source];
  const text = p.file(path);
  const { files } = p.turn.session.run;
  if (text !== undefined) return put(key === "" ? (path.split("/").at(-1) ?? path) : key, text);
  const folder = path.endsWith("/") ? path : `${path}/`;
  const inside = Object.keys(files).filter((name) => name.startsWith(folder) && !name.slice(folder.length).includes("/")).sort();
  if (inside.length === 0) p.fail(`error: error reading ${path}: no such file or directory`);
  if (key !== "") p.fail(`error: cannot give a key name for a directory path`);
  for (const name of inside) if (isConfigMapKey(name.slice(folder.length)).length === 0) put(name.slice(folder.length), files[name] ?? "");
}

function readEnvFile(p: Process, file: string, put: (key: string, value: string) => void): void {
  const text = p.file(file) ?? p.fail(`error: error reading ${file}: no such file or directory`);
  for (const raw of text.split("\n")) {
    const line = raw.trimStart().replace(/\r$/, "");
    if (line === "" || line.startsWith("#")) continue;
    const [key, value] = line.includes("=") ? split(line) : [line, ""];
    const wrong = isRelaxedEnvVarName(key);
    if (wrong.length > 0) p.fail(`error: ${JSON.stringify(key)} is not a valid key name: ${wrong.join(";")}`);
    if (line.includes("=")) put(key, value);
  }
}

const isEmpty = (map: object): boolean => Object.keys(map).length === 0;

export function configMapOf(p: Process, words: readonly string[]): KubeObject {
  const name = nameFrom(p, words);
  const data = dataOf(p);
  return { kind: "ConfigMap", apiVersion: "v1", metadata: { name }, ...(isEmpty(data) ? {} : { data }) } as KubeObject;
}

const encoded = (data: Readonly<Record<string, string>>): object => Object.fromEntries(Object.entries(data).map(([key, value]) => [key, base64Encode(value)]));

function registryOf(p: Process, name: string): KubeObject {
  const [username, password, server, email] = [p.flag("docker-username"), p.flag("docker-password"), p.flag("docker-server", "https://index.docker.io/v1/"), p.flag("docker-email")];
  const file = p.flags("from-file")[0];
  if (file === undefined && (username === "" || password === "")) return p.fail("error: either --from-file or the combination of --docker-username, --docker-password and --docker-server is required");
  const config = file === undefined ? escapeHtml(JSON.stringify({ auths: { [server]: { username, password, ...(email === "" ? {} : { email }), auth: base64Encode(`${username}:${password}`) } } })) : (p.file(file) ?? p.fail(`error: error reading ${file}: no such file or directory`));
  return { kind: "Secret", apiVersion: "v1", metadata: { name }, data: { ".dockerconfigjson": base64Encode(config) }, type: "kubernetes.io/dockerconfigjson" } as unknown as KubeObject;
}

function tlsOf(p: Process, name: string): KubeObject {
  const [cert, key] = [p.flag("cert"), p.flag("key")];
  if (key === "" || cert === "") return p.fail("error: key and cert must be specified");
  const read = (file: string): string => p.file(file) ?? p.fail(`error: Cannot read file ${file}, open ${file}: no such file or directory`);
  const data = encoded({ "tls.crt": read(cert), "tls.key": read(key) });
  return { kind: "Secret", apiVersion: "v1", metadata: { name }, data, type: "kubernetes.io/tls" } as unknown as KubeObject;
}

export function secretOf(p: Process, words: readonly string[]): KubeObject {
  const [type, ...rest] = words;
  if (type === "docker-registry") return registryOf(p, nameFrom(p, rest));
  if (type === "tls") return tlsOf(p, nameFrom(p, rest));
  if (type === "generic") {
    const name = nameFrom(p, rest);
    const data = dataOf(p);
    return { kind: "Secret", apiVersion: "v1", metadata: { name }, ...(isEmpty(data) ? {} : { data: encoded(data) }), ...(p.flag("type") === "" ? {} : { type: p.flag("type") }) } as KubeObject;
  }
  return onlySubcommands(p);
}

export const namespaceObjectOf = (p: Process, words: readonly string[]): KubeObject => ({ kind: "Namespace", apiVersion: "v1", metadata: { name: nameFrom(p, words) }, spec: {}, status: {} });
export const accountOf = (p: Process, words: readonly string[]): KubeObject => ({ kind: "ServiceAccount", apiVersion: "v1", metadata: { name: nameFrom(p, words) } });

export function quotaOf(p: Process, words: readonly string[]): KubeObject {
  const name = nameFrom(p, words);
  const hard = resourceList(p.flag("hard"));
  if ("error" in hard && hard["error"] !== undefined) return p.fail(hard["error"]);
  const scopes = p.flags("scopes");
  return { kind: "ResourceQuota", apiVersion: "v1", metadata: { name }, spec: { ...(isEmpty(hard) ? {} : { hard }), ...(scopes.length > 0 ? { scopes } : {}) }, status: {} };
}

export function priorityClassOf(p: Process, words: readonly string[]): KubeObject {
  const name = nameFrom(p, words);
  const description = p.flag("description");
  return { kind: "PriorityClass", apiVersion: "scheduling.k8s.io/v1", metadata: { name }, value: Number(p.flag("value", "0")), ...(p.on("global-default") ? { globalDefault: true } : {}), ...(description === "" ? {} : { description }), preemptionPolicy: p.flag("preemption-policy", "PreemptLowerPriority") } as KubeObject;
}

/** A number or a percentage. */
const intOrPercent = (text: string): number | string => (/^\d+$/.test(text) ? Number(text) : text);

export function pdbOf(p: Process, words: readonly string[]): KubeObject {
  const name = nameFrom(p, words);
  const [selector, min, max] = [p.flag("selector"), p.flag("min-available"), p.flag("max-unavailable")];
  if (selector === "") return p.fail("error: a selector must be specified");
  if (min === "" && max === "") return p.fail("error: one of min-available or max-unavailable must be specified");
  if (min !== "" && max !== "") return p.fail("error: min-available and max-unavailable cannot be both specified");
  const parsed = parseSelector(selector);
  const matchLabels = typeof parsed === "string" ? p.fail(`error: ${parsed}`) : Object.fromEntries(parsed.map(({ key, values }) => [key, values?.[0] ?? ""]));
  return { kind: "PodDisruptionBudget", apiVersion: "policy/v1", metadata: { name }, spec: { ...(min === "" ? {} : { minAvailable: intOrPercent(min) }), selector: { matchLabels }, ...(max === "" ? {} : { maxUnavailable: intOrPercent(max) }) }, status: { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 } };
}

