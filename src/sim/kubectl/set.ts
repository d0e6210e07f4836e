// Models kubernetes/staging/src/k8s.io/kubectl/pkg/cmd/set
import type { KubeObject } from "../api/types.ts";
import { canonicalQuantity, parseQuantity } from "../api/quantity.ts";
import { onlySubcommands } from "./help-commands.ts";
import { command, type Process } from "./process.ts";
import { changeAll, isSetting } from "./set-change.ts";
import { setEnv } from "./set-env.ts";
import { templateOf, withContainers, withPodSpec } from "./template.ts";

type Subcommand = (p: Process) => void;

function setImage(p: Process): void {
  const words = p.options.args.slice(1);
  const images = new Map(words.filter(isSetting).map((word) => [word.slice(0, word.indexOf("=")), word.slice(word.indexOf("=") + 1)] as const));
  changeAll(p, words.filter((word) => !isSetting(word)), (object) => {
    const spec = templateOf(object)?.spec;
    if (images.size === 0) return { error: "error: at least one image update is required" };
    if (spec === undefined) return { error: `error: the object is not a pod or does not have a pod template: ${object.kind}` };
    const names = [...(spec.initContainers ?? []), ...spec.containers].map(({ name }) => name);
    const missing = [...images.keys()].find((name) => name !== "*" && !names.includes(name));
    if (missing !== undefined) return { error: `error: unable to find container named ${JSON.stringify(missing)}` };
    return withContainers(object, (container) => {
      const image = images.get(container.name) ?? images.get("*");
      return image === undefined ? container : { ...container, image };
    });
  }, "image updated");
}

/** "cpu=100m,memory=1Gi"; a text is an error. */
export function resourceList(text: string): Readonly<Record<string, string>> | { readonly error: string } {
  const list: Record<string, string> = {};
  for (const part of text === "" ? [] : text.split(",")) {
    const [name = "", quantity, more] = part.split("=");
    if (quantity === undefined || more !== undefined) return { error: `error: invalid argument syntax ${part}, expected <resource>=<value>` };
    if (typeof parseQuantity(quantity) === "string") return { error: "error: quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'" };
    list[name] = canonicalQuantity(quantity);
  }
  return list;
}

function setResources(p: Process): void {
  if (!p.given("limits") && !p.given("requests")) return p.fail("error: you must specify an update to requests or limits (in the form of --requests/--limits)");
  const [limits, requests] = [resourceList(p.flag("limits")), resourceList(p.flag("requests"))];
  for (const list of [limits, requests]) if ("error" in list && list["error"] !== undefined) return p.fail(list["error"]);
  const wanted = p.flag("containers", p.flag("container", "*"));
  const matches = (name: string): boolean => new RegExp(`^${wanted.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*")}$`).test(name);
  changeAll(p, p.options.args.slice(1), (object) => {
    const spec = templateOf(object)?.spec;
    if (spec === undefined) return { error: `error: the object is not a pod or does not have a pod template: ${object.kind}` };
    if (!spec.containers.some(({ name }) => matches(name))) return { error: `error: unable to find container named ${wanted}` };
    return withPodSpec(object, (old) => ({ ...old, containers: old.containers.map((container) => {
      if (!matches(container.name)) return container;
      const join = (before: object | undefined, change: object): object => (Object.keys(change).length === 0 ? (before ?? {}) : { ...before, ...change });
      const [l, r] = [join(container.resources?.limits, limits), join(container.resources?.requests, requests)];
      return { ...container, resources: { ...container.resources, ...(Object.keys(l).length > 0 ? { limits: l } : {}), ...(Object.keys(r).length > 0 ? { requests: r } : {}) } } as typeof container;
    }) }));
  }, "resource requirements updated");
}

function setSelector(p: Process): void {
  const words = p.options.args.slice(1);
  const expression = words.filter(isSetting).at(-1);
  if (expression === undefined) return p.fail("error: one and only one selector is required");
  const selector = Object.fromEntries(expression.split(",").map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]));
  changeAll(p, words.filter((word) => !isSetting(word)), (object) => (object.kind === "Service" ? { ...object, spec: { ...(object.spec as object), selector } } : { error: "error: selector for the resource is immutable" }), "selector updated", true);
}

function setServiceAccount(p: Process): void {
  const words = p.options.args.slice(1);
  const account = words.at(-1);
  if (account === undefined || words.length < 2) return p.fail("error: serviceaccount is required");
  changeAll(p, words.slice(0, -1), (object) => (templateOf(object) === undefined ? { error: `error: the object is not a pod or does not have a pod template: ${object.kind}` } : withPodSpec(object, (spec) => ({ ...spec, serviceAccountName: account, serviceAccount: account }) as typeof spec)), "serviceaccount updated", true);
}

type Subject = Readonly<Record<string, string>>;
/** --user, --group, --serviceaccount NAMESPACE:NAME as subjects of a binding. */
export function subjectsOf(p: Process): readonly Subject[] {
  const apiGroup = "rbac.authorization.k8s.io";
  return [
    ...p.flags("user").map((name) => ({ kind: "User", apiGroup, name })), ...p.flags("group").map((name) => ({ kind: "Group", apiGroup, name })),
    ...p.flags("serviceaccount").map((text) => {
      const [namespace = "", name, more] = text.split(":");
      if (name === undefined || more !== undefined) return p.fail("error: serviceaccount must be <namespace>:<name>");
      return { kind: "ServiceAccount", name, namespace };
    }),
  ];
}

function setSubject(p: Process): void {
  changeAll(p, p.options.args.slice(1), (object) => {
    const added = subjectsOf(p);
    if (added.length === 0) return { error: "error: you must specify at least one value of user, group or serviceaccount" };
    const before = (object as { readonly subjects?: readonly Subject[] }).subjects ?? [];
    const fresh = added.filter((subject) => !before.some((other) => other["kind"] === subject["kind"] && other["name"] === subject["name"] && (other["namespace"] ?? "") === (subject["namespace"] ?? "")));
    return fresh.length === 0 ? undefined : ({ ...object, subjects: [...before, ...fresh] } as KubeObject);
  }, "subjects updated");
}

const SUBCOMMANDS: Readonly<Record<string, Subcommand>> = { image: setImage, env: setEnv, resources: setResources, selector: setSelector, serviceaccount: setServiceAccount, sa: setServiceAccount, subject: setSubject };

/** kubectl set WHAT */
export const set = command(["set"], (p) => {
  const subcommand = SUBCOMMANDS[p.options.args[0] ?? ""];
  return subcommand === undefined ? onlySubcommands(p) : subcommand(p);
});
