// Models kubernetes/staging/src/k8s.io/kubectl/pkg/cmd/util/helpers.go (StandardErrorMessage, checkErr)
import type { Status } from "../api/types.ts";
import type { Answer, ErrorText } from "./session.ts";

/** A refused answer as a Status; for answers that carry none, what client-go makes of the code. */
export function statusOf(answer: Answer): Status | undefined {
  const body = answer.body as Status | undefined;
  return body?.kind === "Status" ? body : undefined;
}

/** The line (or lines) that kubectl prints. `prefix` is what the command was doing: 'error when creating "x.yaml"'. */
export function errorText(answer: Answer, server: string, prefix = "", doing = ""): string {
  if (answer.refused && answer.timedOut === true) return `Unable to connect to the server: dial tcp ${server}: i/o timeout`;
  if (answer.refused) return `The connection to the server ${server} was refused - did you specify the right host or port?`;
  const status = statusOf(answer);
  if (status === undefined) return `Error from server: unknown (status ${answer.status})`;
  if (status.reason === "Invalid" && status.code === 422) return invalidText(status);
  if (status.code === 401) return `error: You must be logged in to the server (${status.message ?? "Unauthorized"})`;
  let message = status.message ?? "";
  if (doing !== "" && (status.code === 503 || status.message === "the server could not find the requested resource")) message = `${message} (${doing})`;
  const head = status.reason === undefined || status.reason === "" ? "Error from server: " : `Error from server (${status.reason}): `;
  return `${head}${prefix === "" ? "" : `${prefix}: `}${message}`;
}

function invalidText(status: Status): string {
  const { details } = status;
  const named = (details?.kind ?? "") !== "" || (details?.name ?? "") !== "";
  const head = named ? `The ${details?.kind ?? ""} ${JSON.stringify(details?.name ?? "")} is invalid` : "The request is invalid";
  const causes = [...new Set((details?.causes ?? []).map((cause) => `${cause.field ?? ""}: ${cause.message ?? ""}`))];
  if (causes.length === 0) return named || (status.message ?? "") === "" ? head : `${head}: ${status.message ?? ""}`;
  return causes.length === 1 ? `${head}: ${causes[0] ?? ""}\n` : `${head}: \n${causes.map((cause) => `* ${cause}\n`).join("")}`;
}

/** As commands word it that wrap the answer in an error of their own: no reason in brackets. */
export function plainText(answer: Answer, server: string, doing: string): string {
  const status = statusOf(answer);
  if (doing === "" || status === undefined) return errorText(answer, server);
  return `error: ${doing}${status.message ?? ""}`;
}

/** The same refusal alone and among several: only alone is a 422 taken apart. */
export function refusal(answer: Answer, server: string, prefix = ""): ErrorText {
  const single = errorText(answer, server, prefix);
  const status = statusOf(answer);
  if (status?.reason !== "Invalid") return single;
  return { single, several: `Error from server (Invalid): ${prefix === "" ? "" : `${prefix}: `}${status.message ?? ""}` };
}
