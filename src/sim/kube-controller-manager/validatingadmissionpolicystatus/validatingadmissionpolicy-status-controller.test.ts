import { expect, test } from "vitest";
import { http, requestsOf, runWith, stored, T } from "../../testdata/control-plane.ts";
import { createValidatingAdmissionPolicyStatusController, validatingAdmissionPolicyStatusWatches } from "./validatingadmissionpolicy-status-controller.ts";

const POLICIES = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies";
const policy = { apiVersion: "admissionregistration.k8s.io/v1", kind: "ValidatingAdmissionPolicy", metadata: { name: "p" }, spec: { failurePolicy: "Fail", matchConstraints: { resourceRules: [{ apiGroups: ["apps"], apiVersions: ["v1"], operations: ["CREATE"], resources: ["deployments"] }] }, validations: [{ expression: "object.spec.replicas <= 5" }] } };

test("each generation of a policy is looked at once", () => {
  const sim = runWith([{ watches: validatingAdmissionPolicyStatusWatches, create: createValidatingAdmissionPolicyStatusController as never }], [
    http(1 * T, { method: "POST", path: POLICIES, body: policy }),
    http(2 * T, { method: "PATCH", path: `${POLICIES}/p`, body: { spec: { failurePolicy: "Ignore" } } }),
  ], 4 * T);
  expect(stored(sim, "ValidatingAdmissionPolicy")[0]?.status).toEqual({ observedGeneration: 2, typeChecking: {} });
  expect(requestsOf(sim, "validatingadmissionpolicy-status-controller").map(({ at, call, status }) => `${Math.floor(at / T)} ${call} ${status}`)).toEqual([`1 PATCH ${POLICIES}/p/status 200`, `2 PATCH ${POLICIES}/p/status 200`]);
});
