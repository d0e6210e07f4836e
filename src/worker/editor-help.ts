export { fieldHelp } from "../sim/manifest/field-help.ts";
export { suggest } from "../sim/manifest/suggest.ts";
