import { type ApiClient, apiRequest } from "../client-go/api-client.ts";
import type { FaultMessage } from "../faults/messages.ts";
import type { Ctx, Micros } from "../kernel/types.ts";

/** A program that asks the API server far too often, as somebody. */
export interface Flood {
  readonly user: string;
  readonly perSecond: number;
  readonly since: Micros;
}

export interface FloodTick {
  readonly type: "users.flood";
  readonly since: Micros;
}

const TICK: Micros = 100_000;
const TICKS = 10;
const SERVICE_ACCOUNT = "system:serviceaccount:";

function clientOf(user: string): ApiClient {
  const account = user.startsWith(SERVICE_ACCOUNT);
  return { userAgent: "greedy/1.0", credential: account ? { kind: "service-account-token", name: user } : { kind: "client-certificate", name: user, groups: ["kubeadm:cluster-admins"] } };
}

export function startFlood(ctx: Ctx, { on, params }: FaultMessage): Flood | undefined {
  if (!on) return undefined;
  const flood: Flood = { user: String(params["user"]), perSecond: Number(params["perSecond"]), since: ctx.now };
  ctx.explain({ text: `A program asks as ${flood.user} for ${flood.perSecond} lists a second`.slice(0, 140), why: "each wants a resourceVersion that is far ahead: the server holds a seat for it for 3 s", level: "basic" });
  return sendFlood(ctx, flood);
}

/** A tenth of a second's requests. It asks for a revision that does not exist, as clients do after etcd was restored from a backup. */
export function sendFlood(ctx: Ctx, flood: Flood): Flood {
  const client = clientOf(flood.user);
  const due = Math.floor(((ctx.now - flood.since) / TICK + 1) * (flood.perSecond / TICKS)) - Math.floor(((ctx.now - flood.since) / TICK) * (flood.perSecond / TICKS));
  for (let i = 0; i < due; i++) apiRequest(ctx, client, { method: "GET", path: "/api/v1/namespaces/default/pods", query: { resourceVersion: "999999999" }, subject: "list pods", level: "source" });
  ctx.after(TICK, { type: "users.flood", since: flood.since } satisfies FloodTick);
  return flood;
}
