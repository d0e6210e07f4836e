// Models the descriptions of kubernetes/api/openapi-spec/v3, in words of this project's own
import { CORE_DESCRIPTIONS } from "./descriptions-core.ts";
import { GROUP_DESCRIPTIONS } from "./descriptions-groups.ts";

interface Described {
  readonly text: string;
  readonly fields: ReadonlyMap<string, string>;
}

const read = (line: string): readonly [string, Described] => {
  const [name = "", text = "", ...fields] = line.split("|");
  return [name, { text, fields: new Map(fields.map((field) => [field.slice(0, field.indexOf("=")), field.slice(field.indexOf("=") + 1)] as const)) }];
};

let known: ReadonlyMap<string, Described> | undefined;
const described = (type: string): Described | undefined => {
  known ??= new Map(`${CORE_DESCRIPTIONS}${GROUP_DESCRIPTIONS}`.trimEnd().split("\n").map(read));
  return known.get(type) ?? known.get(type.split("@")[0] ?? type);
};

/** What a type of the schema is ("PodSpec"); "" where nobody has written it down. */
export const typeDescription = (type: string): string => described(type)?.text ?? "";

/** What a field does, for explain and for the editor's hover; "" where nobody has written it down. */
export const fieldDescription = (type: string, field: string): string => described(type)?.fields.get(field) ?? described("*")?.fields.get(field) ?? "";
