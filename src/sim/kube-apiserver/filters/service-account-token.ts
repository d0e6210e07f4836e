// Models kubernetes/pkg/serviceaccount/{claims,jwt}.go
import { base64Decode, base64Encode } from "../../api/base64.ts";
import { hexId } from "../../api/ids.ts";
import { EPOCH_SECONDS, parseRfc3339, SECOND } from "../../api/time.ts";
import type { KubeObject } from "../../api/types.ts";
import type { Micros } from "../../kernel/types.ts";
import type { ApiServerConfig, ApiServerState } from "../state.ts";
import { getObject } from "../watch-cache/lookup.ts";
import type { User } from "./authentication.ts";

export const ISSUER = "https://kubernetes.default.svc.cluster.local";

interface Reference {
  readonly name: string;
  readonly uid: string;
}
type BoundKind = "pod" | "secret" | "node";

interface PrivateClaims extends Readonly<Partial<Record<BoundKind, Reference>>> {
  readonly namespace: string;
  readonly serviceaccount: Reference;
}

/** What a token says; times are seconds of the Unix epoch. */
export interface Claims {
  readonly aud: readonly string[];
  readonly exp: number;
  readonly iat: number;
  readonly iss: string;
  readonly jti: string;
  readonly "kubernetes.io": PrivateClaims;
  readonly nbf: number;
  readonly sub: string;
}

const urlSafe = (text: string): string => base64Encode(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
const fromUrlSafe = (text: string): string => base64Decode(`${text.replaceAll("-", "+").replaceAll("_", "/")}${"=".repeat((4 - (text.length % 4)) % 4)}`);

// Simplified: upstream signs with an RSA key; here the signature is a keyed hash that only this server can make.
const signature = (seed: number, signed: string): string => urlSafe(hexId(seed, `jwt/${signed}`, 64));
const HEADER = urlSafe(JSON.stringify({ alg: "RS256", kid: "millipod" }));

/** Seconds of the Unix epoch at a time of the simulation. */
export const unixSeconds = (now: Micros): number => EPOCH_SECONDS + Math.floor(now / SECOND);

/** A signed JWT. It is answered and never stored. */
export function signToken(seed: number, claims: Claims): string {
  const signed = `${HEADER}.${urlSafe(JSON.stringify(claims))}`;
  return `${signed}.${signature(seed, signed)}`;
}

function readToken(seed: number, token: string): Claims | undefined {
  const [header = "", payload = "", proof] = token.split(".");
  if (proof === undefined || proof !== signature(seed, `${header}.${payload}`)) return undefined;
  return JSON.parse(fromUrlSafe(payload)) as Claims;
}

/** The user of a service account; `uid` is the account's own. */
export const accountUser = (namespace: string, name: string, uid: string | undefined, extra?: User["extra"]): User => ({
  name: `system:serviceaccount:${namespace}:${name}`, ...(uid === undefined ? {} : { uid }), groups: ["system:serviceaccounts", `system:serviceaccounts:${namespace}`, "system:authenticated"], ...(extra === undefined ? {} : { extra }),
});

const RESOURCES: Readonly<Record<BoundKind, string>> = { pod: "pods", secret: "secrets", node: "nodes" };

const isDeleted = (object: KubeObject | undefined, uid: string, now: Micros): boolean => {
  if (object === undefined || object.metadata.uid !== uid) return true;
  // A minute's leeway for what is being deleted: its programs are still shutting down.
  const { deletionTimestamp } = object.metadata;
  return deletionTimestamp !== undefined && parseRfc3339(deletionTimestamp) + 60 * SECOND < now;
};

/** The user of a token that this server signed, is in time, is meant for this server, and whose objects still exist. */
export function tokenUser(state: ApiServerState, config: ApiServerConfig, token: string, now: Micros): User | undefined {
  const claims = readToken(config.world.seed, token);
  if (claims === undefined || claims.iss !== ISSUER) return undefined;
  const at = unixSeconds(now);
  if (at >= claims.exp || at < claims.nbf || !claims.aud.includes(ISSUER)) return undefined;
  const { namespace, serviceaccount, ...bound } = claims["kubernetes.io"];
  if (isDeleted(getObject(state, "serviceaccounts", namespace, serviceaccount.name), serviceaccount.uid, now)) return undefined;
  for (const [kind, reference] of Object.entries(bound) as [BoundKind, Reference][]) {
    // The node of a Pod's token is information; only a token bound to the node itself ends with it.
    if (kind === "node" && bound.pod !== undefined) continue;
    if (isDeleted(getObject(state, RESOURCES[kind], kind === "node" ? "" : namespace, reference.name), reference.uid, now)) return undefined;
  }
  const extra: Record<string, readonly string[]> = { "authentication.kubernetes.io/credential-id": [`JTI=${claims.jti}`] };
  for (const kind of ["node", "pod"] as const) {
    const reference = bound[kind];
    if (reference === undefined) continue;
    extra[`authentication.kubernetes.io/${kind}-name`] = [reference.name];
    extra[`authentication.kubernetes.io/${kind}-uid`] = [reference.uid];
  }
  return accountUser(namespace, serviceaccount.name, serviceaccount.uid, extra);
}
