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

/** Parts between single equal signs; a doubled one stays. */
const splitEquals = (text: string): readonly string[] => text.replaceAll("==", "\u0000").split("=").map((part) => part.replaceAll("\u0000", "=="));

/** "{.status.phase}=Running", or only a path: it must be there. */
function jsonPathTest(text: string): Test | string {
  const [expression = "", wanted, more] = splitEquals(text);
  if (more !== undefined) return "error: jsonpath wait format must be --for=jsonpath='{.status.readyReplicas}'=3 or --for=jsonpath='{.status.readyReplicas}'";
  const path = relaxed(expression);
  if (path === undefined) return `error: unexpected path string, expected a 'name1.name2' or '.name1.name2' or '{name1.name2}' or '{.name1.name2}'`;
  const value = wanted?.replace(/^['"]+|['"]+$/g, "");
  if (value === "") return "error: jsonpath wait has to have a value after equal sign, like --for=jsonpath='{.status.readyReplicas}'=3";
  if (path === "") return "error: jsonpath expression cannot be empty";
  try {
    const parts = parseJsonPath(path);
    return (object) => {
      const found = findJsonPath(parts, object);
      if (found.length > 1) return { error: "error: given jsonpath expression matches more than one value" };
      const [first] = found;
      if (value === undefined || found.length === 0) return found.length > 0;
      if (typeof first === "object" && first !== null) return { error: "error: jsonpath leads to a nested object or list which is not supported" };
      return String(first).trim() === value.trim();
    };
  } catch (problem) {
    if (problem instanceof JsonPathError) return `error: ${problem.message}`;
    throw problem;
  }
}

type Wanted = Test | "delete" | "create";

/** The condition that --for names, or an error's text. */
function testOf(text: string): Wanted | { readonly wrong: string } {
  const word = text.toLowerCase();
  if (word === "delete" || word === "create") return word;
  const test = text.startsWith("condition=") ? conditionTest(text.slice("condition=".length)) : text.startsWith("jsonpath=") ? jsonPathTest(text.slice("jsonpath=".length)) : `error: unrecognized condition: ${JSON.stringify(text)}`;
  return typeof test === "string" ? { wrong: test } : test;
}

const POLL = 500 * MILLISECOND;

/** --for=create: asks again every half second, until nothing is missing. */
function untilCreated(p: Process): void {
  const named = namedBy(p.options.args, "wait", p.types);
  if (typeof named === "string") return p.fail(named);
  const missing = (): boolean => named.filter(({ api, name }) => {
    const answer = getInfo(p, api, api.namespaced ? p.namespace : "", name);
    if (answer.status === 200) return ((answer.body ?? {}) as { readonly items?: readonly unknown[] }).items?.length === 0;
    return statusOf(answer)?.reason === "NotFound" || p.fail(errorText(answer, p.turn.config.server));
  }).length > 0;
  for (let tick = p.now + POLL; missing(); tick += POLL) {
    p.alarm(Math.max(0, tick - p.now), "tick");
    if (p.next() === "timeout") return p.fail("error: timed out waiting for the condition");
  }
}

/** How the time goes that all objects have together. */
interface Deadline {
  readonly timeout: number;
  over: boolean;
}

/** One condition of one object; false when it is given up. */
function waitFor(p: Process, info: Info, test: Test | "delete", deadline: Deadline): boolean {
  const { api, name, namespace } = info;
  const what = `${api.resource}/${name}`;
  const holds = (object: KubeObject | undefined): boolean => {
    if (object === undefined || test === "delete") return object === undefined;
    const result = test(object);
    return typeof result === "boolean" ? result : p.fail(result.error);
  };
  const giveUp = (text: string): boolean => {
    p.addError(text);
    return false;
  };
  if (deadline.timeout === 0) {
    const answer = p.ask({ method: "GET", path: pathOf(api, namespace, name), subject: subjectOf(api, namespace, name) });
    return holds(answer.status === 200 ? (answer.body as KubeObject) : undefined) || giveUp(`error: condition not met for ${what}`);
  }
  if (deadline.over) return giveUp(`error: timed out waiting for the condition on ${what}`);
  watchOf(p, info);
  let seen = false;
  for (;;) {
    const event = p.next();
    if (event === "timeout" || event === "closed") {
      deadline.over = true;
      return giveUp(`error: timed out waiting for the condition on ${what}`);
    }
    if (typeof event !== "string" && event.type === "BOOKMARK" && !seen && test === "delete") return true;
    seen ||= event !== "tick" && event.type !== "BOOKMARK";
    // An object that goes may come back: only the time ends the waiting for its condition.
    if (event === "tick" || event.type === "BOOKMARK" || (event.type === "DELETED" && test !== "delete")) continue;
    if (holds(event.type === "DELETED" ? undefined : (event.object as KubeObject))) return true;
  }
}

const WEEK = 7 * 24 * 3600 * SECOND;

/** kubectl wait --for=WHAT */
export const wait = command(["wait"], (p) => {
  const wanted = (p.options.flags["for"] ?? []).filter((text) => text !== "");
  if (wanted.length === 0) return p.fail("error: unrecognized condition: []");
  const text = p.flag("timeout", "30s");
  const timeout = text.startsWith("-") ? WEEK : parseGoDuration(text);
  const tests: Wanted[] = [];
  for (const test of wanted.map(testOf)) {
    if (typeof test === "object") return p.fail(test.wrong);
    tests.push(test);
  }
  p.say(`waits for ${wanted.join(", then ")}, at most ${goDuration(timeout)}`, "it watches each object; no polling", "basic");
  // The context's end is told through a goroutine: a tick at the same moment still comes before it.
  if (timeout > 0) p.alarm(tests.includes("create") ? timeout + 1 : timeout);
  if (tests.includes("create")) untilCreated(p);
  const gone = tests.includes("delete");
  const infos = gone ? toDelete(p) : infosOf(p, { args: p.options.args });
  if (infos.length === 0) return gone || p.turn.session.errors.length > 0 ? undefined : p.fail("error: no matching resources found");
  const deadline: Deadline = { timeout, over: false };
  for (const info of infos) {
    for (const test of tests) {
      if (test !== "create" && !waitFor(p, info, test, deadline)) break;
      p.print(`${typeName(info.api)}/${info.name} condition met`);
    }
  }
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
