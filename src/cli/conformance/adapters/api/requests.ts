import { applyDefaults } from "../../../../sim/api/defaulting/apply-defaults.ts";
import { decodeRequest } from "../../../../sim/api/decode.ts";
import { parseJson } from "../../../../sim/api/json.ts";
import { applyStrategicMergePatch } from "../../../../sim/api/patch.ts";
import { isFailure, newBadRequest } from "../../../../sim/api/status-errors.ts";
import type { KubeObject, Status } from "../../../../sim/api/types.ts";
import type { Adapter } from "../../adapter.ts";
import { parseManifest } from "./manifest.ts";
import { SmallCluster } from "./request.ts";
import { compareResponse, type ExpectedResponse, type Response, toResponse } from "./response.ts";

const CREATED = 201;
const OK = 200;

interface PodRequest {
  readonly manifest?: string;
  readonly body?: string;
  readonly existing?: string;
  readonly patch?: unknown;
}

function post(cluster: SmallCluster, input: PodRequest): Response {
  if (input.body === undefined) return toResponse(cluster.create(parseManifest(input.manifest ?? "")), CREATED);
  const parsed = parseJson(input.body);
  return toResponse(parsed ? cluster.create(parsed.value, parsed.duplicates) : newBadRequest("invalid JSON"), CREATED);
}

function patch(cluster: SmallCluster, input: PodRequest): Response {
  const stored = cluster.create(parseManifest(input.existing ?? ""));
  if (isFailure(stored)) return toResponse(stored, CREATED);
  const old: KubeObject = { ...(stored as KubeObject), metadata: { ...(stored as KubeObject).metadata, resourceVersion: "1" } };
  const patched = applyStrategicMergePatch(old, input.patch, old);
  if (typeof patched === "string") return toResponse(newBadRequest(patched), OK);
  const decoded = decodeRequest(patched);
  const result: KubeObject | Status = isFailure(decoded) ? decoded : cluster.update((decoded as { readonly object: KubeObject }).object, old);
  return toResponse(result, OK);
}

const singleRequest = (kind: string): Adapter => ({
  kind,
  run(input) {
    const request = input as PodRequest;
    const cluster = new SmallCluster("default");
    return request.existing === undefined ? post(cluster, request) : patch(cluster, request);
  },
  compare: (actual, expect) => compareResponse(actual as Response, expect as ExpectedResponse),
});

export const podValidationError = singleRequest("pod-validation-error");
export const podDefaulting = singleRequest("pod-defaulting");

/** Cases that name only fields of the created Pod. */
const createdPod = (kind: string): Adapter => ({ ...singleRequest(kind), compare: (actual, expect) => compareResponse(actual as Response, { statusCode: CREATED, ...(expect as ExpectedResponse) }) });

export const qosClass = createdPod("qos-class");
/** Defaulting alone: some of these images are not fit to be created. */
export const imagePullPolicy: Adapter = {
  kind: "image-pull-policy",
  run(input) {
    const { manifest } = input as { readonly manifest: string };
    const decoded = decodeRequest(parseManifest(manifest));
    return toResponse(isFailure(decoded) ? decoded : applyDefaults((decoded as { readonly object: KubeObject }).object), CREATED);
  },
  compare: (actual, expect) => compareResponse(actual as Response, { statusCode: CREATED, ...(expect as ExpectedResponse) }),
};

/** Requests one after the other in a namespace that was set up. */
const requestSequence = (kind: string): Adapter => ({
  kind,
  run(input) {
    const { setup, requests } = input as { readonly setup: readonly string[]; readonly requests: readonly PodRequest[] };
    const cluster = new SmallCluster("test");
    for (const manifest of setup) cluster.setup(parseManifest(manifest));
    return { responses: requests.map((request) => post(cluster, request)) };
  },
  compare(actual, expect) {
    const got = (actual as { readonly responses: readonly Response[] }).responses;
    const want = (expect as { readonly responses: readonly ExpectedResponse[] }).responses;
    if (got.length !== want.length) return `expected ${want.length} responses, got ${got.length}`;
    const found = want.map((w, i) => compareResponse(got[i] ?? { statusCode: 0 }, w)).find((d) => d !== undefined);
    return found;
  },
});

export const limitRangeQuota = requestSequence("limitrange-quota");
export const priorityAdmission = requestSequence("priority-admission");
