// Models kubernetes/staging/src/k8s.io/apiserver/pkg/endpoints/{installer.go,handlers/negotiation,handlers/rest.go}: before any handler's own work
import { failure, newMethodNotSupported } from "../../api/status-errors.ts";
import { type Run, refuse } from "../state.ts";
import type { Gate } from "./gates.ts";

const BODY_LIMIT = 3_145_728;
const SERVED = ["application/json", "application/yaml", "application/vnd.kubernetes.protobuf"];
const STREAMED = [...SERVED, "application/json;stream=watch", "application/vnd.kubernetes.protobuf;stream=watch"];
const PATCHES = ["application/json-patch+json", "application/merge-patch+json", "application/strategic-merge-patch+json", "application/apply-patch+yaml"];
const typeOf = (text: string): string => (text.split(";")[0] ?? "").trim();

/** Whether an answer in one of the types is welcome. */
const accepts = (header: string): boolean => header === "" || header.split(",").some((part) => ["*/*", "application/*", ...SERVED].includes(typeOf(part)));

const unsupported = (accepted: readonly string[]) => failure(415, "UnsupportedMediaType", `the body of the request was in an unknown format - accepted media types include: ${accepted.join(", ")}`);

/** A method that the path does not have at all. */
function wrongMethod(run: Run): boolean {
  const { info, request } = run.request;
  return info.api !== undefined && !info.api.createOnly && info.name === "" && (request.method === "PUT" || request.method === "PATCH");
}

/** Media types and size of the request. Simplified: only a user's body is measured; components send no such ones. */
export const negotiationGate: Gate = {
  name: "Negotiation",
  share: 0,
  run(run) {
    const { info, request, teach } = run.request;
    if (info.resource === "") return;
    if (wrongMethod(run)) return refuse(run, newMethodNotSupported({ group: info.group, resource: info.resource }, info.verb));
    const accept = request.headers["Accept"] ?? "";
    if (accept !== "application/json" && !accepts(accept)) return refuse(run, failure(406, "NotAcceptable", `only the following media types are accepted: ${STREAMED.join(", ")}`));
    if (request.body === undefined) return;
    const sent = request.headers["Content-Type"] ?? "application/json";
    if (request.method === "PATCH" ? !PATCHES.includes(typeOf(sent)) : sent !== "application/json" && !SERVED.includes(typeOf(sent))) return refuse(run, unsupported(request.method === "PATCH" ? PATCHES : SERVED));
    if (teach === "write" && JSON.stringify(request.body).length > BODY_LIMIT) refuse(run, failure(413, "RequestEntityTooLarge", `Request entity too large: limit is ${BODY_LIMIT}`));
  },
};
