// Models kubernetes/staging/src/k8s.io/kubectl/pkg/cmd/wait
import { goDuration, parseGoDuration } from "../api/duration.ts";
import { MILLISECOND, SECOND } from "../api/time.ts";
import type { KubeObject } from "../api/types.ts";
import { getInfo, type Info, infosOf, list, namedBy, subjectOf } from "./builder.ts";
import { errorText, statusOf } from "./errors.ts";
import { findJsonPath, JsonPathError, parseJsonPath, relaxed } from "../api/jsonpath.ts";
import { pathOf, typeName } from "./manifest.ts";
import { command, type Process } from "./process.ts";

/** Opens a watch on one object; the first event shows it as it is. */
export function watchOf(p: Process, { api, namespace, name }: Pick<Info, "api" | "namespace" | "name">): void {
  p.watch({ method: "GET", path: pathOf(api, namespace), query: { allowWatchBookmarks: "true", fieldSelector: `metadata.name=${name}`, resourceVersionMatch: "NotOlderThan", sendInitialEvents: "true", watch: "true" }, subject: `watch ${subjectOf(api, namespace, name)}` });
}

type Test = (object: KubeObject) => boolean | { readonly error: string };

function conditionTest(text: string): Test {
  const [type = "", value = "true"] = text.split("=");
  return (object) => {
    const { conditions = [], observedGeneration } = (object.status ?? {}) as { readonly conditions?: readonly { readonly type: string; readonly status: string; readonly observedGeneration?: number }[]; readonly observedGeneration?: number };
    const condition = conditions.find((candidate) => candidate.type.toLowerCase() === type.toLowerCase());
    const seen = condition?.observedGeneration ?? observedGeneration;
    if (condition === undefined || (seen !== undefined && seen < (object.metadata.generation ?? 0))) return false;
    return condition.status.toLowerCase() === value.toLowerCase();
  };
}

/** "{.status.phase}=Running", or only a path: it must be there. */
function jsonPathTest(text: string): Test | string {
  const cut = /^(\{.*?\}|[^=]*)(?:=(.*))?$/s.exec(text);
  const [path, wanted] = [relaxed(cut?.[1] ?? ""), cut?.[2]];
  if (path === undefined || path === "") return "error: jsonpath expression cannot be empty";
  if (wanted === "") return "error: jsonpath wait value cannot be empty";
  const value = wanted?.replace(/^(['"])(.*)\1$/s, "$2");
  try {
    const parts = parseJsonPath(path);
    return (object) => {
      const found = findJsonPath(parts, object);
      if (value === undefined) return found.length > 0;
      if (found.length > 1) return { error: "error: given jsonpath expression matches more than one list" };
      const [first] = found;
      if (typeof first === "object" && first !== null) return { error: "error: jsonpath leads to a nested object or list and cannot be compared" };
      return found.length === 1 && String(first) === value;
    };
  } catch (problem) {
    if (problem instanceof JsonPathError) return `error: ${problem.message}`;
    throw problem;
  }
}

function testOf(text: string): Test | "delete" | "create" | string {
  if (text.toLowerCase() === "delete" || text.toLowerCase() === "create") return text.toLowerCase();
  if (text.startsWith("condition=")) return conditionTest(text.slice("condition=".length));
  if (text.startsWith("jsonpath=")) return jsonPathTest(text.slice("jsonpath=".length));
  return `error: unrecognized condition: ${JSON.stringify(text)}`;
}

const POLL = 500 * MILLISECOND;

/** --for=create: asks again every half second. */
function untilCreated(p: Process, timeout: number): void {
  const named = namedBy(p.options.args, "wait", p.types);
  if (typeof named === "string") return p.fail(named);
  // The context's end is told through a goroutine: a tick at the same moment still comes before it.
  if (timeout > 0) p.alarm(timeout + 1);
  const missing = (): boolean => named.filter(({ api, name }) => {
    const answer = getInfo(p, api, api.namespaced ? p.namespace : "", name);
    return answer.status !== 200 && (statusOf(answer)?.reason === "NotFound" || p.fail(errorText(answer, p.turn.config.server)));
  }).length > 0;
  for (let tick = p.now + POLL; missing(); tick += POLL) {
    p.alarm(Math.max(0, tick - p.now), "tick");
    if (p.next() === "timeout") return p.fail("error: timed out waiting for the condition");
  }
  // What is there now is read once more, for the condition itself.
  for (const { api, name } of infosOf(p, { args: p.options.args })) p.print(`${typeName(api)}/${name} condition met`);
}

function waitFor(p: Process, info: Info, test: Test | "delete", timeout: number): void {
  const { api, name, namespace } = info;
  const what = `${api.resource}/${name}`;
  const holds = (object: KubeObject | undefined): boolean => {
    if (object === undefined || test === "delete") return object === undefined;
    const result = test(object);
    return typeof result === "boolean" ? result : p.fail(result.error);
  };
  const met = (): void => p.print(`${typeName(api)}/${name} condition met`);
  if (timeout === 0) {
    const answer = p.ask({ method: "GET", path: pathOf(api, namespace, name), subject: subjectOf(api, namespace, name) });
    if (holds(answer.status === 200 ? (answer.body as KubeObject) : undefined)) return met();
    return p.addError(`error: condition not met for ${what}`);
  }
  watchOf(p, info);
  for (;;) {
    const event = p.next();
    if (event === "timeout" || event === "closed") return p.addError(`error: timed out waiting for the condition on ${what}`);
    if (event === "tick" || event.type === "BOOKMARK") continue;
    const gone = event.type === "DELETED";
    if (gone && test !== "delete") return p.addError(`error: ${what} was deleted`);
    if (holds(gone ? undefined : (event.object as KubeObject))) return met();
  }
}

/** kubectl wait --for=WHAT */
export const wait = command(["wait"], (p) => {
  const wanted = p.flag("for");
  if (wanted === "") return p.fail("error: unrecognized condition: []");
  const test = testOf(wanted);
  const text = p.flag("timeout", "30s");
  const timeout = text === "-1s" || text.startsWith("-") ? 7 * 24 * 3600 * SECOND : parseGoDuration(text);
  if (Number.isNaN(timeout)) return p.fail(`error: invalid argument ${JSON.stringify(text)} for "--timeout" flag: time: ${/^\d+$/.test(text) ? "missing unit in" : "invalid"} duration ${JSON.stringify(text)}\nSee 'kubectl wait --help' for usage.`);
  if (test === "create") return untilCreated(p, timeout);
  if (typeof test === "string" && test !== "delete") return p.fail(test);
  p.say(`waits for ${wanted}, at most ${goDuration(timeout)}`, "it watches each object; no polling", "basic");
  const infos = test === "delete" ? toDelete(p) : infosOf(p, { args: p.options.args });
  if (infos.length === 0) {
    if (test === "delete" || p.turn.session.errors.length > 0) return;
    return p.fail("error: no matching resources found");
  }
  if (timeout > 0) p.alarm(timeout);
  for (const info of infos) waitFor(p, info, test === "delete" ? "delete" : (test as Test), timeout);
});

/** Objects that are already gone are no error here. */
function toDelete(p: Process): readonly Info[] {
  const named = namedBy(p.options.args, "wait", p.types);
  if (typeof named === "string") return p.fail(named);
  return named.flatMap(({ api, name }): readonly Info[] => {
    const namespace = api.namespaced ? p.namespace : "";
    if (name === "") return list(p, api).map((object) => ({ api, namespace, name: object.metadata.name ?? "", object }));
    const answer = getInfo(p, api, namespace, name);
    if (answer.status === 200) return [{ api, namespace, name, object: answer.body as KubeObject }];
    return answer.status === 404 ? [] : p.fail(errorText(answer, p.turn.config.server));
  });
}
