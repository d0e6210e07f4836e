// Models kubernetes/pkg/kubelet/util/manager (ConfigMap and Secret managers)
import type { HttpResponse } from "../api/http.ts";
import type { KubeObject } from "../api/types.ts";
import type { MailId, Micros } from "../kernel/types.ts";
import type { Pending } from "./state.ts";
import type { Turn } from "./turn.ts";

/** Simplified: upstream watches each object a Pod refers to; here it is read again when what is known is older than this. */
const TTL: Micros = 60_000_000;

export function knownObject(turn: Turn, key: string): KubeObject | undefined {
  return turn.state.objects.get(key)?.object;
}

/** Whether a GET is needed: never read, read long ago, or missing when last read. */
export function isFresh(turn: Turn, key: string): boolean {
  const entry = turn.state.objects.get(key);
  return entry?.object !== undefined && turn.now - entry.at < TTL;
}

export function getObject(turn: Turn, key: string, pending: Pending): MailId {
  const [kind = "", namespace = "", name = ""] = key.split("/");
  const path = kind === "runtimeclass" ? `/apis/node.k8s.io/v1/runtimeclasses/${name}` : `/api/v1/namespaces/${namespace}/${kind === "secret" ? "secrets" : "configmaps"}/${name}`;
  return turn.api({ method: "GET", path, subject: key.replace("//", "/") }, pending);
}

/** Remembers an answer; the error text as the API server words it ("configmap \"x\" not found" for 404). */
export function rememberObject(turn: Turn, key: string, response: HttpResponse): string {
  const [kind = "", , name = ""] = key.split("/");
  const found = response.status === 200;
  turn.set({ objects: turn.state.objects.set(key, { at: turn.now, ...(found ? { object: response.body as KubeObject } : {}) }) });
  if (found) return "";
  return response.status === 404 ? `${kind} "${name}" not found` : ((response.body as { message?: string } | undefined)?.message ?? `status ${response.status}`);
}
