// Models kubernetes/staging/src/k8s.io/dynamic-resource-allocation/cel/compile.go
import { celEnvironment, type CelEnv, compile, evaluate, isCelFailure } from "../../api/cel/cel.ts";
import type { DeviceAttribute, DeviceSelector } from "../../api/resource-claims.ts";
import type { Offer } from "./pools.ts";

let environment: CelEnv | undefined;

const deviceEnvironment = (): CelEnv =>
  (environment ??= celEnvironment({ device: { record: "kubernetes.DRADevice", fields: { driver: "string", allowMultipleAllocations: "bool", attributes: { map: { map: "dyn" } }, capacity: { map: { map: "quantity" } } } } }));

// Simplified: upstream compares versions as semantic versions; here they are text.
const valueOf = ({ string, int, bool, version }: DeviceAttribute): unknown => string ?? int ?? bool ?? version;

/** Names without a domain are the driver's own. */
function byDomain<T>(driver: string, named: Readonly<Record<string, T>>, value: (item: T) => unknown): Record<string, Record<string, unknown>> {
  const domains: Record<string, Record<string, unknown>> = {};
  for (const [name, item] of Object.entries(named)) {
    const slash = name.indexOf("/");
    const domain = slash < 0 ? driver : name.slice(0, slash);
    (domains[domain] ??= {})[name.slice(slash + 1)] = value(item);
  }
  return domains;
}

/** A domain that a device knows nothing of is empty, not an error. */
function withDomains(expression: string, domains: Record<string, Record<string, unknown>>): Record<string, Record<string, unknown>> {
  for (const [, domain = ""] of expression.matchAll(/\[\s*["']([^"']+)["']\s*\]/g)) domains[domain] ??= {};
  return domains;
}

/** Do all expressions hold for the device? A string is the error's text, without its place. */
export function selectorsMatch(selectors: readonly DeviceSelector[], { driver, device }: Offer): boolean | { readonly at: number; readonly error: string } {
  for (const [at, { cel }] of selectors.entries()) {
    const expression = cel?.expression ?? "";
    const program = compile(expression, deviceEnvironment());
    if (isCelFailure(program)) return { at, error: `CEL compile error: compilation failed: ${program.error}` };
    const attributes = withDomains(expression, byDomain(driver, device.attributes ?? {}, valueOf));
    const capacity = withDomains(expression, byDomain(driver, device.capacity ?? {}, (c) => c.value));
    const result = evaluate(program, { device: { driver, allowMultipleAllocations: false, attributes, capacity } });
    if (isCelFailure(result)) return { at, error: `CEL runtime error: ${result.error}` };
    if (result.value !== true) return false;
  }
  return true;
}
