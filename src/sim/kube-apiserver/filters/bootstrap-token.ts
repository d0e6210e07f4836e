// Models kubernetes/plugin/pkg/auth/authenticator/token/bootstrap/bootstrap.go
import { base64Decode } from "../../api/base64.ts";
import { parseRfc3339 } from "../../api/time.ts";
import type { KubeObject } from "../../api/types.ts";
import type { Micros } from "../../kernel/types.ts";
import type { ApiServerState } from "../state.ts";
import { getObject } from "../watch-cache/lookup.ts";
import type { User } from "./authentication.ts";

const TOKEN = /^([a-z0-9]{6})\.([a-z0-9]{16})$/;
const GROUP = /^system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]$/;

/** The user of a token that `kubeadm token create` keeps as a Secret in kube-system. */
export function bootstrapUser(state: ApiServerState, token: string, now: Micros): User | undefined {
  const [, id = "", secret = ""] = TOKEN.exec(token) ?? [];
  if (id === "") return undefined;
  const object = getObject(state, "secrets", "kube-system", `bootstrap-token-${id}`) as (KubeObject & { readonly type?: string; readonly data?: Readonly<Record<string, string>> }) | undefined;
  if (object === undefined || object.type !== "bootstrap.kubernetes.io/token" || object.metadata.deletionTimestamp !== undefined) return undefined;
  const value = (key: string): string => base64Decode(object.data?.[key] ?? "");
  if (value("token-id") !== id || value("token-secret") !== secret || value("usage-bootstrap-authentication") !== "true") return undefined;
  const expiration = value("expiration");
  if (expiration !== "" && parseRfc3339(expiration) <= now) return undefined;
  const added = value("auth-extra-groups").split(",").filter((group) => group !== "");
  if (!added.every((group) => GROUP.test(group))) return undefined;
  return { name: `system:bootstrap:${id}`, groups: ["system:bootstrappers", ...added, "system:authenticated"] };
}
