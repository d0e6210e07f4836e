// Models kubernetes/staging/src/k8s.io/apiserver/pkg/storage/continue.go
import { base64Decode, base64Encode } from "../../api/base64.ts";

export interface ContinueToken {
  /** The revision of the list that it continues; -1 goes on at the newest. */
  readonly revision: number;
  /** The first key not yet seen, relative to the list's prefix. */
  readonly start: string;
}

export function encodeContinue({ revision, start }: ContinueToken): string {
  const text = `{"v":"meta.k8s.io/v1","rv":${revision},"start":${JSON.stringify(start)}}`;
  return base64Encode(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The token, or upstream's text of what is wrong with it. */
export function decodeContinue(text: string): ContinueToken | string {
  const illegal = /[^A-Za-z0-9_-]/.exec(text);
  if (illegal !== null) return `continue key is not valid: illegal base64 data at input byte ${illegal.index}`;
  let token: { readonly v?: unknown; readonly rv?: unknown; readonly start?: unknown };
  try {
    token = JSON.parse(base64Decode(text.replaceAll("-", "+").replaceAll("_", "/"))) as typeof token;
  } catch {
    return "continue key is not valid: invalid character in the token";
  }
  if (token.v !== "meta.k8s.io/v1") return `continue key is not valid: server does not recognize this encoded version ${String(token.v ?? "")}`;
  if (typeof token.rv !== "number" || token.rv === 0) return "continue key is not valid: incorrect encoded start resourceVersion (version meta.k8s.io/v1)";
  if (typeof token.start !== "string" || token.start === "") return "continue key is not valid: encoded start key empty (version meta.k8s.io/v1)";
  if (token.start.split("/").some((part, i) => part === ".." || part === "." || (part === "" && i > 0))) return `continue key is not valid: ${token.start}`;
  return { revision: token.rv, start: token.start };
}
