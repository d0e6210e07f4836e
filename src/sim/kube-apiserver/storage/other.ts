// Models kubernetes/pkg/registry/core/pod/rest/log.go and the API server's own endpoints
import { newBadRequest, newNotFound, newUnknownServerError } from "../../api/status-errors.ts";
import type { Pod } from "../../api/types.ts";
import type { Gate } from "../filters/gates.ts";
import type { LogsRequest } from "../messages.ts";
import { answer, refuse, type Run } from "../state.ts";
import { unavailable, withAggregated } from "../aggregator/proxy.ts";
import { openApiDocument, published } from "../apiextensions/openapi.ts";
import { discoveredCustom } from "../apiextensions/resources.ts";
import { discoveryDocument } from "../discovery.ts";
import { healthBody } from "../health.ts";
import { reviewFor } from "./access-review.ts";
import { getObject } from "../watch-cache/lookup.ts";
import { pageNotFound } from "./read.ts";
import { beginStream, followerOf } from "./streams.ts";

/** GET pods/NAME/log: the API server asks the node's kubelet and passes on what it says. */
export const logsGate: Gate = {
  name: "Logs",
  share: 92,
  run(run) {
    const { info, request, answer: got } = run.request;
    const pod = getObject(run.state, "pods", info.namespace, info.name) as Pod | undefined;
    if (got?.type === "logs.response") {
      if (got.status === 400) return refuse(run, newBadRequest(got.body));
      answer(run, got.status, got.body);
      return got.status < 400 ? beginStream(run, pod?.spec.nodeName ?? "", got.follows === true) : undefined;
    }
    if (pod === undefined) return refuse(run, newNotFound({ resource: "pods" }, info.name));
    const names = containerNames(pod);
    const container = request.query?.["container"] ?? (pod.spec.containers.length === 1 ? pod.spec.containers[0]?.name : undefined);
    if (container === undefined) return refuse(run, newBadRequest(`a container name must be specified for pod ${info.name}, choose one of: [${names.join(" ")}]`));
    if (!names.includes(container)) return refuse(run, newBadRequest(`container ${container} is not valid for pod ${info.name}`));
    if (got?.type === "unreachable") {
      const address = `${nodeAddress(run)}:10250`;
      return refuse(run, newUnknownServerError(`Get "https://${address}/containerLogs/${info.namespace}/${info.name}/${container}${request.query?.["previous"] === "true" ? "?previous=true" : ""}": ${got.message.replace("dial tcp", `dial tcp ${address}`)}`));
    }
    if ((pod.spec.nodeName ?? "") === "") {
      answer(run, 204, "");
      return beginStream(run, "", false);
    }
    const { nodeName = "" } = pod.spec;
    const kubelet = `kubelet@${nodeName}`;
    const message = { type: "logs.request", namespace: info.namespace, name: info.name, uid: pod.metadata.uid ?? "", container, ...optionsOf(run) } satisfies LogsRequest;
    const mail = run.ctx.send(kubelet, message, { protocol: "HTTPS", latency: run.ctx.latency("link.lan", `logs/${info.path}/${run.ctx.now}`), verb: "GET", subject: `containerLogs/${info.namespace}/${info.name}/${container}` });
    run.state.outstanding = run.state.outstanding.set(`m${mail}`, { key: run.request.key, at: run.ctx.now, message });
    run.result = "wait";
  },
};

/** Of all kinds. */
const containerNames = ({ spec }: Pod): readonly string[] => [...(spec.initContainers ?? []), ...spec.containers, ...(spec.ephemeralContainers ?? [])].map(({ name }) => name);

/** v1.PodLogOptions in a query. */
function optionsOf(run: Run): Pick<LogsRequest, "previous" | "tailLines" | "limitBytes" | "sinceSeconds" | "sinceTime" | "timestamps" | "follow"> {
  const { query = {} } = run.request.request;
  const number = (name: "tailLines" | "limitBytes" | "sinceSeconds"): object => (query[name] === undefined ? {} : { [name]: Number(query[name]) });
  const follow = query["follow"] === "true" ? followerOf(run) : undefined;
  return { previous: query["previous"] === "true", ...number("tailLines"), ...number("limitBytes"), ...number("sinceSeconds"), ...(query["sinceTime"] === undefined ? {} : { sinceTime: query["sinceTime"] }), timestamps: query["timestamps"] === "true", ...(follow === undefined ? {} : { follow }) };
}

const nodeAddress = (run: Run): string => {
  const pod = getObject(run.state, "pods", run.request.info.namespace, run.request.info.name) as Pod | undefined;
  const node = getObject(run.state, "nodes", "", pod?.spec.nodeName ?? "");
  return ((node?.status ?? {}) as { readonly addresses?: readonly { readonly type: string; readonly address: string }[] }).addresses?.find((address) => address.type === "InternalIP")?.address ?? "";
};

/** Endpoints of the server itself: discovery, OpenAPI, health, version; and access reviews. */
export const otherGate: Gate = {
  name: "Answer",
  share: 92,
  run(run) {
    const { info, request } = run.request;
    const review = reviewFor(run);
    if (review !== undefined) return review(run);
    if (info.resource !== "" || info.path.startsWith("/nope")) return refuse(run, pageNotFound());
    if (info.path === "/version") return answer(run, 200, VERSION);
    const health = healthBody(info.path, request.query ?? {});
    if (health !== undefined) return answer(run, 200, health);
    if (request.method !== "GET") return refuse(run, pageNotFound());
    const custom = withAggregated(run.state, discoveredCustom(run.state));
    if (info.path.startsWith("/openapi/")) {
      // Simplified: of OpenAPI only custom resources are described; the documents of built-in types (1.6 MB) are not built, kubectl's knowledge of them is compiled in.
      return answer(run, 200, openApiDocument(info.path, published(custom, run.ctx.now)));
    }
    const document = info.path.startsWith("/api") ? discoveryDocument(info.path.replace(/\/$/, ""), custom, request.headers["Accept"]?.includes("as=APIGroupDiscoveryList") === true, unavailable(run.state)) : undefined;
    return document === undefined ? refuse(run, pageNotFound()) : answer(run, 200, document);
  },
};

/** What /version says. */
const VERSION = { major: "1", minor: "36", emulationMajor: "1", emulationMinor: "36", minCompatibilityMajor: "1", minCompatibilityMinor: "35", gitVersion: "v1.36.2", gitCommit: "$Format:%H$", gitTreeState: "", buildDate: "1970-01-01T00:00:00Z", goVersion: "go1.26.10", compiler: "gc", platform: "linux/amd64" };
