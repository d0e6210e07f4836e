// Models kubernetes/pkg/kubeapiserver/authenticator/config.go and apiserver/pkg/authentication
import { hexId } from "../../api/ids.ts";
import type { Credential } from "../../api/http.ts";
import type { Micros } from "../../kernel/types.ts";
import type { ApiServerConfig, ApiServerState } from "../state.ts";
import { getObject } from "../watch-cache/lookup.ts";
import { bootstrapUser } from "./bootstrap-token.ts";
import { accountUser, tokenUser } from "./service-account-token.ts";

export interface User {
  readonly name: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** A line of --token-auth-file. */
export interface StaticToken extends User {
  readonly token: string;
}

/** A bearer token that was found good: for 10 s nobody looks again whether it still is. */
export interface CachedToken {
  readonly user: User;
  readonly until: Micros;
}

const AUTHENTICATED = "system:authenticated";
const CACHE_TTL: Micros = 10_000_000;
const SERVICE_ACCOUNT = /^system:serviceaccount:([^:]+):([^:]+)$/;

export const ANONYMOUS: User = { name: "system:anonymous", groups: ["system:unauthenticated"] };

/** Users by what they show: one client shows the same credential all its life, and is then the same user by identity. */
const known = new WeakMap<Credential, User>();

function certificateUser({ name, groups = [] }: Credential): User {
  return { name, groups: [...groups, AUTHENTICATED], extra: { "authentication.kubernetes.io/credential-id": [`X509SHA256=${hexId(1, `certificate/${name}/${groups.join(",")}`, 64)}`] } };
}

function remembered(credential: Credential, make: () => User): User {
  let user = known.get(credential);
  if (user === undefined) {
    user = make();
    known.set(credential, user);
  }
  return user;
}

/** A client inside the cluster shows its account's token; it is good while the account exists. */
function inClusterUser(state: ApiServerState, credential: Credential): User | undefined {
  const [, namespace = "", name = ""] = SERVICE_ACCOUNT.exec(credential.name) ?? [];
  const account = getObject(state, "serviceaccounts", namespace, name);
  if (account === undefined) return undefined;
  const user = remembered(credential, () => accountUser(namespace, name, account.metadata.uid));
  return user.uid === account.metadata.uid ? user : accountUser(namespace, name, account.metadata.uid);
}

/** Bearer tokens in upstream's order: the static file, service accounts, bootstrap tokens. */
function bearerUser(state: ApiServerState, config: ApiServerConfig, token: string, now: Micros): User | undefined {
  const line = config.tokenAuthFile?.find((candidate) => candidate.token === token);
  if (line !== undefined) return { name: line.name, ...(line.uid === undefined ? {} : { uid: line.uid }), groups: [...line.groups, AUTHENTICATED] };
  // Simplified: upstream also knows OIDC and webhooks; kubeadm enables neither.
  return tokenUser(state, config, token, now) ?? bootstrapUser(state, token, now);
}

export interface Authentication {
  /** Undefined is a 401: what was shown and is not valid is never treated as anonymous. */
  readonly user: User | undefined;
  /** The token cache as it is now. */
  readonly tokens: ApiServerState["tokens"];
}

/** Who is asking: a client certificate's CN and O, a token's subject, or nobody. */
export function authenticate(state: ApiServerState, config: ApiServerConfig, credential: Credential, now: Micros): Authentication {
  const { tokens } = state;
  if (state.expired.length > 0 && state.expired.includes(credential.name)) return { user: undefined, tokens };
  switch (credential.kind) {
    case "client-certificate":
      return { user: remembered(credential, () => certificateUser(credential)), tokens };
    case "service-account-token":
      return { user: inClusterUser(state, credential), tokens };
    case "none":
      return { user: ANONYMOUS, tokens };
    case "bearer-token": {
      const cached = tokens.get(credential.name);
      if (cached !== undefined && cached.until > now) return { user: cached.user, tokens };
      const user = bearerUser(state, config, credential.name, now);
      return { user, tokens: user === undefined ? tokens.delete(credential.name) : tokens.set(credential.name, { user, until: now + CACHE_TTL }) };
    }
  }
}

/** How a reader is told what proved it. */
export function proofText(credential: Credential): string {
  switch (credential.kind) {
    case "client-certificate":
      return `client certificate CN=${credential.name}${credential.groups?.length ? `, O=${credential.groups.join(",")}` : ""}`;
    case "service-account-token":
      return `token of ${credential.name}`;
    case "bearer-token":
      return "bearer token";
    case "none":
      return "no credential";
  }
}
