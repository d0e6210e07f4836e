import { humanDuration } from "../../../../sim/api/duration.ts";
import { formatLabelSelector, labelSelectorAsSelector, type Labels, matches, parseSelector, type Selector, selectorText } from "../../../../sim/api/labels.ts";
import {
  isConfigMapKey, isCIdentifier, isDNS1035Label, isDNS1123Label, isDNS1123Subdomain, isEnvVarName, isHTTPHeaderName, isQualifiedName, isRelaxedEnvVarName, isValidLabelValue, isValidPercent,
  isValidPortName, isWildcardDNS1123Subdomain,
} from "../../../../sim/api/names.ts";
import { addQuantity, canonicalQuantity, compareQuantity, milliValue, parseQuantity, value } from "../../../../sim/api/quantity.ts";
import { SECOND } from "../../../../sim/api/time.ts";
import type { LabelSelector } from "../../../../sim/api/types.ts";
import type { Adapter } from "../../adapter.ts";
import { expandRuns } from "./manifest.ts";

export const humanDurationAdapter: Adapter = {
  kind: "human-duration",
  run(input) {
    const { seconds } = input as { readonly seconds: readonly number[] };
    return { results: seconds.map((s) => ({ seconds: s, text: humanDuration(Math.round(s * SECOND)) })) };
  },
};

export const resourceQuantity: Adapter = {
  kind: "resource-quantity",
  run(input) {
    const { parse, pairs } = input as { readonly parse?: readonly string[]; readonly pairs?: readonly (readonly [string, string])[] };
    const parsed = (text: string): unknown => {
      const quantity = parseQuantity(text);
      return typeof quantity === "string" ? { text, error: quantity } : { text, canonical: canonicalQuantity(text), value: value(text), milliValue: milliValue(text) };
    };
    return { results: [...(parse ?? []).map(parsed), ...(pairs ?? []).map(([a, b]) => ({ a, b, cmp: compareQuantity(a, b), sum: addQuantity(a, b) }))] };
  },
};

const VALIDATORS: Readonly<Record<string, (text: string) => string[]>> = {
  IsDNS1123Label: isDNS1123Label, IsDNS1123Subdomain: isDNS1123Subdomain, IsDNS1035Label: isDNS1035Label, IsValidPortName: isValidPortName, IsValidLabelValue: isValidLabelValue,
  IsQualifiedName: isQualifiedName, IsLabelKey: isQualifiedName, IsWildcardDNS1123Subdomain: isWildcardDNS1123Subdomain, IsConfigMapKey: isConfigMapKey, IsCIdentifier: isCIdentifier,
  IsEnvVarName: isEnvVarName, IsRelaxedEnvVarName: isRelaxedEnvVarName, IsHTTPHeaderName: isHTTPHeaderName, IsValidPercent: isValidPercent,
};

export const nameValidation: Adapter = {
  kind: "name-validation",
  run(input) {
    const { validator, values } = input as { readonly validator: string; readonly values: readonly string[] };
    const validate = VALIDATORS[validator];
    if (!validate) throw new Error(`no validator ${validator}`);
    return { results: values.map((text) => ({ value: text, errors: validate(expandRuns(text)) })) };
  },
};

export const labelSelector: Adapter = {
  kind: "label-selector",
  run(input) {
    const { labels, selectors, labelSelectors } = input as { readonly labels: Labels; readonly selectors?: readonly string[]; readonly labelSelectors?: readonly (LabelSelector | null)[] };
    const result = (selector: Selector | string): object => (typeof selector === "string" ? { error: selector } : { canonical: selectorText(selector), match: matches(selector, labels) });
    return {
      results: [
        ...(selectors ?? []).map((text) => ({ selector: text, ...result(parseSelector(text)) })),
        ...(labelSelectors ?? []).map((of) => ({ labelSelector: of, printed: formatLabelSelector(of ?? undefined), ...result(labelSelectorAsSelector(of ?? undefined)) })),
      ],
    };
  },
};
