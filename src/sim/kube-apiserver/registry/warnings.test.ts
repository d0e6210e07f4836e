import { expect, test } from "vitest";
import type { KubeObject } from "../../api/types.ts";
import { warningsFor } from "./warnings.ts";

const made = (apiVersion: string, kind: string, fields: object, metadata: object = {}): KubeObject => ({ apiVersion, kind, metadata: { name: "x", ...metadata }, ...fields }) as KubeObject;
const pod = (spec: object): KubeObject => made("v1", "Pod", { spec: { containers: [{ name: "c", image: "i" }], ...spec } });
const ports = (...all: object[]): KubeObject => pod({ containers: [{ name: "c", ports: all }] });
const at = (i: number): string => `spec.containers[0].ports[${i}]`;
const service = (spec: object): KubeObject => made("v1", "Service", { spec });

test.each([
  ["the same port twice", ports({ containerPort: 80, protocol: "TCP" }, { containerPort: 80, protocol: "TCP" }), [`${at(1)}: duplicate port definition with ${at(0)}`]],
  ["a port with and without a host port", ports({ containerPort: 80, protocol: "TCP" }, { containerPort: 80, protocol: "TCP", hostPort: 80 }), [`${at(1)}: overlapping port definition with ${at(0)}`]],
  ["names of ports", ports({ containerPort: 80, name: "a" }, { containerPort: 81, name: "a" }), [`${at(1)}: duplicate port name "a" with ${at(0)}, services and probes that select ports by name will use ${at(0)}`]],
  ["a host IP alone", ports({ containerPort: 80, protocol: "TCP", hostIP: "10.0.0.1" }), [`${at(0)}: hostIP set without hostPort: {Name: HostPort:0 ContainerPort:80 Protocol:TCP HostIP:10.0.0.1}`]],
  ["bytes in parts", pod({ containers: [{ name: "c", resources: { requests: { memory: "100m" } } }] }), ['spec.containers[0].resources.requests[memory]: fractional byte value "100m" is invalid, must be an integer']],
  ["a variable that builds on the one it hides", pod({ containers: [{ name: "c", env: [{ name: "A", value: "1" }, { name: "A", value: "$(A)2" }] }] }), []],
  ["spread of nothing", pod({ topologySpreadConstraints: [{ topologyKey: "k" }] }), ["spec.topologySpreadConstraints[0].labelSelector: a null labelSelector results in matching no pod"]],
  ["paths over each other", pod({ volumes: [{ name: "v", configMap: { name: "m", items: [{ key: "a", path: "d" }, { key: "b", path: "d/e" }] } }] }), ['volume "v" (ConfigMap "m"): overlapping paths: "d/e" with "d"']],
  ["a volume of old", pod({ volumes: [{ name: "v", gitRepo: { repository: "r" } }] }), ["spec.volumes[0].gitRepo: deprecated in v1.11, and disabled by default in v1.33+"]],
  ["a negative grace", pod({ terminationGracePeriodSeconds: -1 }), ["spec.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1"]],
  ["a headless Service", service({ type: "ClusterIP", clusterIP: "None", sessionAffinity: "ClientIP" }), ["spec.SessionAffinity is ignored for headless services"]],
  ["the old traffic distribution", service({ type: "ClusterIP", trafficDistribution: "PreferClose" }), ['spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"']],
  ["an Ingress by annotation", made("networking.k8s.io/v1", "Ingress", { spec: {} }, { annotations: { "kubernetes.io/ingress.class": "nginx" } }), ["annotation \"kubernetes.io/ingress.class\" is deprecated, please use 'spec.ingressClassName' instead"]],
  ["a recycled volume", made("v1", "PersistentVolume", { spec: { persistentVolumeReclaimPolicy: "Recycle" } }), ["spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning."]],
  ["a quota upside down", made("v1", "ResourceQuota", { spec: { hard: { cpu: "2", "limits.cpu": "1" } } }), ["ResourceQuota cpu (2) should be less than limits.cpu (1)"]],
  ["a certificate that is none", made("v1", "Secret", { type: "kubernetes.io/tls", data: { "tls.crt": "eA==", "tls.key": "eA==" } }), ["tls: failed to find any PEM data in certificate input"]],
  ["a name with dots", made("apps/v1", "Deployment", { spec: {} }, { name: "a.b" }), ["metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [must not contain dots]"]],
])("%s", (_name, object, expected) => expect(warningsFor(object, undefined)).toEqual(expected));

test("an update that changes no Pod says nothing about Pods", () => {
  const old = made("apps/v1", "Deployment", { spec: { template: { spec: { containers: [{ name: "c", env: [{ name: "A" }, { name: "A" }] }] } } } }, { generation: 1 });
  expect(warningsFor(old, old)).toEqual([]);
  expect(warningsFor({ ...old, metadata: { ...old.metadata, generation: 2 } }, old)).toHaveLength(1);
});
