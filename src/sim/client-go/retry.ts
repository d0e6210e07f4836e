// Models kubernetes/staging/src/k8s.io/client-go/rest/{with_retry,request}.go
import type { HttpResponse } from "../api/http.ts";
import { failure } from "../api/status-errors.ts";
import { SECOND } from "../api/time.ts";
import type { Status } from "../api/types.ts";
import type { Micros } from "../kernel/types.ts";
import type { ApiCall } from "./api-client.ts";

/** A request is sent again so many times at most. */
export const MAX_RETRIES = 10;

/** How long to wait before the request is sent again; undefined when the answer is final. `sent` counts the tries so far. */
export function retryDelay({ status, headers }: HttpResponse, sent: number): Micros | undefined {
  const after = headers?.["Retry-After"];
  if (after === undefined || sent > MAX_RETRIES || (status !== 429 && status < 500)) return undefined;
  const seconds = Number(after);
  return Number.isInteger(seconds) && seconds >= 0 ? seconds * SECOND : undefined;
}

/** "get pods web": what a request was about, as errors name it. */
export function requestText({ method, path }: ApiCall): string {
  const parts = path.split("/").filter((part) => part !== "");
  const group = parts[0] === "apis" ? parts[1] : undefined;
  const rest = parts.slice(parts[0] === "apis" ? 3 : 2);
  const [resource = "", name] = rest[0] === "namespaces" && rest.length > 2 ? rest.slice(2) : rest;
  return [method.toLowerCase(), group === undefined ? resource : `${resource}.${group}`, ...(name === undefined ? [] : [name])].join(" ");
}

/** What the client says of an answer that is no Status: proxies and filters answer plain text. `what` is "get pods x". */
export function genericStatus(status: number, body: unknown, what: string): Status | undefined {
  if (status < 400 || (typeof body === "object" && body !== null && (body as { readonly kind?: string }).kind === "Status")) return undefined;
  const causes = [{ reason: "UnexpectedServerResponse", message: typeof body === "string" ? body : "unknown" }];
  const text = (message: string, reason: string): Status => failure(status, reason, `${message} (${what})`, { causes });
  switch (status) {
    case 429:
      return text("the server has received too many requests and has asked us to try again later", "TooManyRequests");
    case 503:
      return text("the server is currently unable to handle the request", "ServiceUnavailable");
    case 504:
      return text("the server was unable to return a response in the time allotted, but may still be processing the request", "Timeout");
    default:
      return undefined;
  }
}
