import type { Draw } from "../fuzz/mutate.ts";

/** A manifest to start from. */
export interface Manifest {
  readonly name: string;
  readonly text: string;
}

const IMAGES = ["nginx:1.27", "redis:7.4", "busybox:1.36", "python:3.12"] as const;
const COMMANDS = ["sleep 3600", "sleep 20", "sleep 5; exit 1", "touch /tmp/healthy; sleep 30; rm /tmp/healthy; sleep 600", "exit 0", "trap '' TERM; sleep 3600"] as const;

const one = <T>(list: readonly T[], draw: Draw): T => list[draw(list.length)] as T;
const indent = (text: string, by: number): string => text.split("\n").map((line) => (line === "" ? line : `${" ".repeat(by)}${line}`)).join("\n");
const maybe = (text: string, draw: Draw, of = 2): string => (draw(of) === 0 ? text : "");

function container(name: string, draw: Draw): string {
  const image = one(IMAGES, draw);
  const command = image.startsWith("busybox") || draw(4) === 0 ? `  command: ["sh", "-c", ${JSON.stringify(one(COMMANDS, draw))}]\n` : "";
  const port = image.startsWith("nginx") && command === "";
  const probe = port ? "httpGet: {path: /, port: 80}" : 'exec: {command: ["cat", "/tmp/healthy"]}';
  return `- name: ${name}
  image: ${image}
${command}${maybe(`  resources: {requests: {cpu: ${one(["10m", "100m", "1500m"], draw)}, memory: 32Mi}, limits: {memory: ${one(["64Mi", "256Mi"], draw)}}}\n`, draw)}${maybe(`  readinessProbe: {${probe}, periodSeconds: ${1 + draw(10)}}\n`, draw)}${maybe(`  livenessProbe: {${probe}, periodSeconds: ${2 + draw(10)}, initialDelaySeconds: ${draw(10)}}\n`, draw, 3)}${maybe(`  startupProbe: {${probe}, periodSeconds: 1, failureThreshold: 10}\n`, draw, 4)}${maybe(`  lifecycle: {preStop: {exec: {command: ["sleep", "${1 + draw(8)}"]}}}\n`, draw, 4)}`;
}

function podSpec(name: string, restart: string, draw: Draw): string {
  const init = maybe(`initContainers:\n- name: init\n  image: busybox:1.36\n  command: ["sh", "-c", "${one(["sleep 2", "exit 0", "sleep 1; exit 1"], draw)}"]\n${maybe("  restartPolicy: Always\n", draw, 4)}`, draw, 3);
  const more = maybe(container("side", draw), draw, 4);
  return `${maybe(`terminationGracePeriodSeconds: ${draw(3) * 10}\n`, draw)}restartPolicy: ${restart}\n${maybe("hostNetwork: true\n", draw, 12)}${init}containers:\n${container(name, draw)}${more}`;
}

const meta = (name: string): string => `metadata: {name: ${name}, labels: {app: ${name}}}`;
const template = (name: string, restart: string, draw: Draw): string => `template:\n  ${meta(name)}\n  spec:\n${indent(podSpec(name, restart, draw), 4)}`;
const selector = (name: string): string => `selector: {matchLabels: {app: ${name}}}`;

/** Kinds that run Pods, each with what is drawn of it. */
const KINDS: readonly ((name: string, draw: Draw) => string)[] = [
  (name, draw) => `apiVersion: v1\nkind: Pod\n${meta(name)}\nspec:\n${indent(podSpec(name, one(["Always", "OnFailure", "Never"], draw), draw), 2)}`,
  (name, draw) => `apiVersion: apps/v1\nkind: Deployment\n${meta(name)}\nspec:\n  replicas: ${draw(6)}\n  ${selector(name)}\n${indent(maybe(`strategy: {rollingUpdate: {maxSurge: ${one(["0", "1", "50%"], draw)}, maxUnavailable: ${one(["1", "25%"], draw)}}}\n`, draw) + template(name, "Always", draw), 2)}`,
  (name, draw) => `apiVersion: apps/v1\nkind: StatefulSet\n${meta(name)}\nspec:\n  serviceName: ${name}\n  replicas: ${1 + draw(4)}\n  ${selector(name)}\n${indent(maybe("podManagementPolicy: Parallel\n", draw) + template(name, "Always", draw), 2)}`,
  (name, draw) => `apiVersion: apps/v1\nkind: DaemonSet\n${meta(name)}\nspec:\n  ${selector(name)}\n${indent(template(name, "Always", draw), 2)}`,
  (name, draw) => `apiVersion: batch/v1\nkind: Job\n${meta(name)}\nspec:\n  completions: ${1 + draw(5)}\n  parallelism: ${1 + draw(3)}\n  backoffLimit: ${draw(4)}\n${indent(maybe("completionMode: Indexed\n", draw) + maybe("ttlSecondsAfterFinished: 20\n", draw, 3) + template(name, one(["OnFailure", "Never"], draw), draw), 2)}`,
  (name, draw) => `apiVersion: batch/v1\nkind: CronJob\n${meta(name)}\nspec:\n  schedule: "* * * * *"\n  concurrencyPolicy: ${one(["Allow", "Forbid", "Replace"], draw)}\n  jobTemplate:\n    spec:\n${indent(template(name, "OnFailure", draw), 6)}`,
];

/** A workload of one kind, made up from draws: probes, commands that end or fail, init containers, a Service, a budget. */
export function workload(i: number, draw: Draw): Manifest {
  const name = `w${i}`;
  const text = one(KINDS, draw)(name, draw);
  const service = maybe(`---\napiVersion: v1\nkind: Service\n${meta(name)}\nspec: {selector: {app: ${name}}, ports: [{port: 80}]}\n`, draw);
  const budget = maybe(`---\napiVersion: policy/v1\nkind: PodDisruptionBudget\n${meta(name)}\nspec: {minAvailable: 1, selector: {matchLabels: {app: ${name}}}}\n`, draw, 4);
  return { name: /kind: (\w+)/.exec(text)?.[1] ?? name, text: `${text.trimEnd()}\n${service}${budget}` };
}
