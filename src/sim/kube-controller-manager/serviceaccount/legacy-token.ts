// Models kubernetes/pkg/serviceaccount/{legacy,jwt}.go: tokens without an end, kept in Secrets
import { base64Encode } from "../../api/base64.ts";
import { hexId } from "../../api/ids.ts";

const url = (text: string): string => base64Encode(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

/** A JSON web token as the tokens controller signs it: readable claims. Simplified: a digest stands for the RS256 signature. */
export function legacyToken(namespace: string, account: { readonly name: string; readonly uid: string }, secret: string): string {
  const claim = "kubernetes.io/serviceaccount";
  const claims = {
    iss: "kubernetes/serviceaccount",
    [`${claim}/namespace`]: namespace,
    [`${claim}/secret.name`]: secret,
    [`${claim}/service-account.name`]: account.name,
    [`${claim}/service-account.uid`]: account.uid,
    sub: `system:serviceaccount:${namespace}:${account.name}`,
  };
  const body = `${url(JSON.stringify({ alg: "RS256", kid: hexId(1, "service account key", 43) }))}.${url(JSON.stringify(claims))}`;
  return `${body}.${hexId(1, body, 342)}`;
}
