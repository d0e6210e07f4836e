// Models kubernetes/staging/src/k8s.io/apiextensions-apiserver/pkg/controller/status/naming_controller.go
import { jsonEqual } from "./json-value.ts";
import { conditionOf, type CrdNames, type CustomResourceDefinition, withCondition } from "./types.ts";

const equalNames = (a: CrdNames, b: CrdNames | undefined): boolean => {
  const whole = (names: CrdNames | undefined): object => ({ plural: names?.plural ?? "", singular: names?.singular ?? "", kind: names?.kind ?? "", listKind: names?.listKind ?? "", shortNames: names?.shortNames ?? [], categories: names?.categories ?? [] });
  return jsonEqual(whole(a), whole(b));
};

interface Taken {
  readonly resources: ReadonlySet<string>;
  readonly kinds: ReadonlySet<string>;
}

function takenNames(others: readonly CustomResourceDefinition[]): Taken {
  const accepted = others.flatMap(({ status }) => (status?.acceptedNames === undefined ? [] : [status.acceptedNames]));
  return { resources: new Set(accepted.flatMap(({ plural, singular = "", shortNames = [] }) => [plural, singular, ...shortNames])), kinds: new Set(accepted.flatMap(({ kind, listKind = "" }) => [kind, listKind])) };
}

/** A name that the definition has already, or that nobody in the group has. */
const conflict = (wanted: string, accepted: string, taken: ReadonlySet<string>): string | undefined => (wanted === accepted || !taken.has(wanted) ? undefined : `${JSON.stringify(wanted)} is already in use`);

/** The definition with the names that it may have, and the conditions NamesAccepted and Established; the same one when nothing changes. */
export function acceptNames(crd: CustomResourceDefinition, group: readonly CustomResourceDefinition[], at: string): CustomResourceDefinition {
  const { names } = crd.spec;
  const accepted = crd.status?.acceptedNames ?? { plural: "", kind: "" };
  if (equalNames(names, accepted)) return crd;
  const taken = takenNames(group);
  let problem: readonly [string, string] | undefined;
  const take = (reason: string, wanted: string, has: string, set: ReadonlySet<string>): string => {
    const text = conflict(wanted, has, set);
    if (text === undefined) return wanted;
    problem = [reason, text];
    return has;
  };
  const plural = take("PluralConflict", names.plural, accepted.plural, taken.resources);
  const singular = take("SingularConflict", names.singular ?? "", accepted.singular ?? "", taken.resources);
  const clashes = (names.shortNames ?? []).filter((name) => accepted.shortNames?.includes(name) !== true).flatMap((name) => conflict(name, "", taken.resources) ?? []);
  if (clashes.length > 0) problem = ["ShortNamesConflict", clashes.length === 1 ? (clashes[0] ?? "") : `[${clashes.join(", ")}]`];
  const shortNames = clashes.length > 0 ? accepted.shortNames : names.shortNames;
  const kind = take("KindConflict", names.kind, accepted.kind, taken.kinds);
  const listKind = take("ListKindConflict", names.listKind ?? "", accepted.listKind ?? "", taken.kinds);
  const next: CrdNames = { plural, ...(singular === "" ? {} : { singular }), ...(shortNames === undefined ? {} : { shortNames }), kind, ...(listKind === "" ? {} : { listKind }), ...(names.categories === undefined ? {} : { categories: names.categories }) };
  const [reason, message] = problem ?? ["NoConflicts", "no conflicts found"];
  const old = conditionOf(crd, "NamesAccepted");
  if (equalNames(next, accepted) && old?.reason === reason && old.message === message) return crd;
  const named = withCondition({ ...crd, status: { ...crd.status, acceptedNames: next } }, { type: "NamesAccepted", status: problem === undefined ? "True" : "False", reason, message }, at);
  const established = conditionOf(crd, "Established");
  if (established?.status === "True") return named;
  const installing = problem === undefined ? { reason: "Installing", message: "the initial names have been accepted" } : { reason: established?.reason ?? "NotAccepted", message: established?.message ?? "not all names are accepted" };
  return withCondition(named, { type: "Established", status: "False", ...installing }, at);
}
