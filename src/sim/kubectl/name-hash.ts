// Models sigs.k8s.io/kustomize/api/internal/hasher and kubernetes/staging/src/k8s.io/kubectl/pkg/util/hash
import { sha256 } from "../api/sha256.ts";
import { goJson } from "./go-json.ts";

const LETTERS: Readonly<Record<string, string>> = { "0": "g", "1": "h", "3": "k", a: "m", e: "t" };

/** Ten letters that stand for the content of a ConfigMap or Secret; digits that could form words are replaced. kustomize leaves the name out. */
export function nameHash(object: { readonly kind: string; readonly data?: unknown; readonly binaryData?: unknown; readonly stringData?: unknown; readonly type?: unknown }, name: string, without: unknown): string {
  const { kind, data, binaryData, stringData, type } = object;
  const content = { kind, name, data: data ?? without, ...(binaryData === undefined ? {} : { binaryData }), ...(stringData === undefined ? {} : { stringData }), ...(kind === "Secret" ? { type: type ?? "" } : {}) };
  return hex(goJson(content)).slice(0, 10).replaceAll(/./g, (letter) => LETTERS[letter] ?? letter);
}

/** UTF-8 bytes as characters. */
const utf8 = (text: string): string => encodeURIComponent(text).replaceAll(/%(..)/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
const hex = (text: string): string => [...sha256(utf8(text))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
