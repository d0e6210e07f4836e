import { expect, test } from "vitest";
import type { KubeObject } from "../../api/types.ts";
import { warningsFor } from "./warnings.ts";

const pod = (spec: object): KubeObject => ({ apiVersion: "v1", kind: "Pod", metadata: { name: "web" }, spec: { containers: [{ name: "web", image: "nginx" }], ...spec } });

test.each([
  ["nothing", pod({}), []],
  ["an old label in the node selector", pod({ nodeSelector: { "beta.kubernetes.io/os": "linux" } }), ['spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use "kubernetes.io/os" instead']],
  ["a variable set twice", pod({ containers: [{ name: "web", env: [{ name: "A" }, { name: "B" }, { name: "A" }] }] }), ['spec.containers[0].env[2]: hides previous definition of "A", which may be dropped when using apply']],
  ["a projected volume of nothing", pod({ volumes: [{ name: "v", projected: { sources: [{}] } }] }), ['volume "v" (Projected) has no sources provided']],
  ["in a template", { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "d" }, spec: { template: { spec: { containers: [], affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [{ key: "failure-domain.beta.kubernetes.io/zone" }] }] } } } } } } } as KubeObject, ['spec.template.spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].key: failure-domain.beta.kubernetes.io/zone is deprecated since v1.17; use "topology.kubernetes.io/zone" instead']],
])("%s", (_name, object, expected) => expect(warningsFor(object, undefined)).toEqual(expected));
