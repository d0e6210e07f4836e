// Models kubernetes/staging/src/k8s.io/kubectl/pkg/cmd/{logs,events,scale,version}
import { humanDuration } from "../api/duration.ts";
import { parseRfc3339 } from "../api/time.ts";
import type { KubeEvent, Pod } from "../api/types.ts";
import { targetsOf } from "./delete.ts";
import { errorText } from "./errors.ts";
import { align } from "./tabwriter.ts";
import { pathOf, typeName } from "./manifest.ts";
import { findResource } from "../api/schema/resources.ts";
import { type Answer, ask, type Command, exit, fail, pause, print, printError, type Turn } from "./session.ts";

const namespaceOf = (turn: Turn): string => (turn.session.options.allNamespaces ? "" : turn.session.options.namespaceGiven ? turn.session.options.namespace : turn.config.namespace);
const exitSoon = (turn: Turn): void => pause(turn, "kubectl.exit", "exit");
const pods = findResource("pods");
const events = findResource("events");

export const logs: Command = {
  names: ["logs"],
  start(turn) {
    const [arg = ""] = turn.session.options.args;
    const name = arg.replace(/^(pod|pods|po)\//, "");
    if (pods === undefined || name === "") return fail(turn, "error: expected 'logs [-f] [-p] (POD | TYPE/NAME) [-c CONTAINER]'.\nPOD or TYPE/NAME is a required argument for the logs command\nSee 'kubectl logs -h' for help and examples");
    ask(turn, "pod", { method: "GET", path: pathOf(pods, namespaceOf(turn), name), accept: "application/json, */*", subject: `pod/${namespaceOf(turn)}/${name}` });
  },
  onAnswer(turn, tag, answer) {
    if (tag === "pod" && answer.status === 404) return fail(turn, `error: error from server (NotFound): pods ${JSON.stringify(turn.session.options.args[0]?.replace(/^.*\//, "") ?? "")} not found in namespace ${JSON.stringify(namespaceOf(turn))}`);
    if (answer.status >= 400 || answer.refused) return fail(turn, errorText(answer, turn.config.server));
    if (tag === "pod") return askLog(turn, answer);
    if (typeof answer.body === "string" && answer.body !== "") print(turn, answer.body);
    exitSoon(turn);
  },
  onPause: (turn) => exit(turn),
};

function askLog(turn: Turn, answer: Answer): void {
  const pod = answer.body as Pod;
  const { options } = turn.session;
  const names = pod.spec.containers.map((container) => container.name);
  const inits = (pod.spec.initContainers ?? []).map((container) => container.name);
  const container = options.container === "" ? (names[0] ?? "") : options.container;
  if (![...names, ...inits].includes(container)) return fail(turn, `error: container ${container} is not valid for pod ${pod.metadata.name ?? ""} out of: ${[...names, ...inits.map((init) => `${init} (init)`)].join(", ")}`);
  if (options.container === "" && names.length + inits.length > 1) printError(turn, `Defaulted container ${JSON.stringify(container)} out of: ${[...names, ...inits.map((name) => `${name} (init)`)].join(", ")}`);
  const query = { container, ...(options.previous ? { previous: "true" } : {}), ...(options.tail >= 0 ? { tailLines: String(options.tail) } : {}) };
  if (pods !== undefined) ask(turn, "log", { method: "GET", path: `${pathOf(pods, pod.metadata.namespace ?? "", pod.metadata.name ?? "")}/log`, query, accept: "application/json, */*", subject: `log of pod/${pod.metadata.namespace ?? ""}/${pod.metadata.name ?? ""}` });
}

/** "20s (x6 over 4m40s)": an event's series, its count, or its one time. */
export function lastSeen(event: KubeEvent, now: number): string {
  const ago = (timestamp: string | null | undefined): string => (timestamp ? humanDuration(now - parseRfc3339(timestamp)) : "<unknown>");
  const series = (event as KubeEvent & { readonly series?: { readonly count?: number; readonly lastObservedTime?: string } }).series;
  if (series) return `${ago(series.lastObservedTime)} (x${series.count ?? 0} over ${ago(event.eventTime)})`;
  if ((event.count ?? 1) > 1) return `${ago(event.lastTimestamp)} (x${event.count ?? 1} over ${ago(event.firstTimestamp)})`;
  return ago(event.firstTimestamp ?? event.eventTime);
}

/** When an event was last seen, as RFC 3339 text. */
const seenAt = (event: KubeEvent): string => (event as KubeEvent & { readonly series?: { readonly lastObservedTime?: string } }).series?.lastObservedTime || event.lastTimestamp || event.eventTime || event.firstTimestamp || "";

export const listEvents: Command = {
  names: ["events"],
  start(turn) {
    if (events !== undefined) ask(turn, "list", { method: "GET", path: pathOf(events, namespaceOf(turn)), query: { limit: "500" }, subject: "list events" });
  },
  onAnswer(turn, _tag, answer) {
    if (answer.status !== 200) return fail(turn, errorText(answer, turn.config.server));
    const items = [...(answer.body as { readonly items: readonly KubeEvent[] }).items].sort((a, b) => (seenAt(a) < seenAt(b) ? -1 : seenAt(a) > seenAt(b) ? 1 : 0));
    if (items.length === 0) printError(turn, turn.session.options.allNamespaces ? "No events found." : `No events found in ${namespaceOf(turn)} namespace.`);
    else {
      const { allNamespaces } = turn.session.options;
      const heads = [...(allNamespaces ? ["NAMESPACE"] : []), "LAST SEEN", "TYPE", "REASON", "OBJECT", "MESSAGE"];
      const rows = items.map((event) => [...(allNamespaces ? [event.metadata.namespace ?? ""] : []), lastSeen(event, turn.ctx.now), event.type ?? "", event.reason ?? "", `${event.involvedObject?.kind ?? ""}/${event.involvedObject?.name ?? ""}`, (event.message ?? "").trim()]);
      // Messages with several lines are printed as they are, unlike in `kubectl get events`.
      print(turn, align([heads, ...rows].map((row) => `${row.join("\t")}\n`).join(""), 3));
    }
    exitSoon(turn);
  },
  onPause: (turn) => exit(turn),
};

const atTarget = (turn: Turn): number => (turn.session.data as { readonly at: number } | undefined)?.at ?? 0;

function scaleNext(turn: Turn): void {
  const targets = targetsOf(turn);
  const target = typeof targets === "string" ? undefined : targets[atTarget(turn)];
  if (target === undefined) return exitSoon(turn);
  ask(turn, "get", { method: "GET", path: pathOf(target.api, target.namespace, target.name), subject: `${target.api.singular}/${target.namespace}/${target.name}` });
}

/** kubectl scale TYPE/NAME --replicas=N: a merge patch of the scale subresource. */
export const scale: Command = {
  names: ["scale"],
  start(turn) {
    const { replicas } = turn.session.options;
    if (replicas === undefined) return fail(turn, "error: required flag(s) \"replicas\" not set");
    if (replicas < 0) return fail(turn, "error: The --replicas=COUNT flag is required, and COUNT must be greater than or equal to 0");
    const targets = targetsOf(turn);
    if (typeof targets === "string") return fail(turn, targets);
    if (targets.length === 0) return fail(turn, "error: resource(s) were provided, but no name was specified");
    turn.session = { ...turn.session, data: { at: 0 } };
    scaleNext(turn);
  },
  onAnswer(turn, tag, answer) {
    const targets = targetsOf(turn);
    const target = typeof targets === "string" ? undefined : targets[atTarget(turn)];
    if (target === undefined) return;
    const { dryRun, replicas } = turn.session.options;
    const done = (): void => {
      print(turn, `${typeName(target.api)}/${target.name} scaled${dryRun === "server" ? " (server dry run)" : dryRun === "client" ? " (dry run)" : ""}`);
      turn.session = { ...turn.session, data: { at: atTarget(turn) + 1 } };
      scaleNext(turn);
    };
    if (answer.status !== 200) return fail(turn, errorText(answer, turn.config.server));
    if (tag === "patch" || dryRun === "client") return done();
    ask(turn, "patch", { method: "PATCH", path: `${pathOf(target.api, target.namespace, target.name)}/scale`, ...(dryRun === "server" ? { query: { dryRun: "All" } } : {}), body: { spec: { replicas: replicas ?? 0 } }, contentType: "application/merge-patch+json", subject: `${target.api.singular}/${target.namespace}/${target.name}`, level: "basic" });
  },
  onPause: (turn) => exit(turn),
};

/** kubectl run NAME --image=IMAGE */
export const run: Command = {
  names: ["run"],
  start(turn) {
    const { args, image, dryRun, labels, port } = turn.session.options;
    const [name = ""] = args;
    if (name === "") return fail(turn, "error: NAME is required for run");
    if (image === "") return fail(turn, "error: required flag(s) \"image\" not set");
    if (pods === undefined) return;
    const own = labels === "" ? { run: name } : Object.fromEntries(labels.split(",").map((pair) => pair.split("=")));
    const container = { name, image, ...(port === undefined ? {} : { ports: [{ containerPort: port }] }), resources: {} };
    const body = { kind: "Pod", apiVersion: "v1", metadata: { name, labels: own }, spec: { containers: [container], restartPolicy: "Always", dnsPolicy: "ClusterFirst" }, status: {} };
    ask(turn, "post", { method: "POST", path: pathOf(pods, namespaceOf(turn)), query: { ...(dryRun === "server" ? { dryRun: "All" } : {}), fieldManager: "kubectl-run" }, body, subject: `pod/${namespaceOf(turn)}/${name}`, level: "basic" });
  },
  onAnswer(turn, _tag, answer) {
    const [name = ""] = turn.session.options.args;
    if (answer.status !== 201) return fail(turn, errorText(answer, turn.config.server));
    print(turn, `pod/${name} created${turn.session.options.dryRun === "server" ? " (server dry run)" : ""}`);
    exitSoon(turn);
  },
  onPause: (turn) => exit(turn),
};
