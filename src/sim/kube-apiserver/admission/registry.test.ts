import { expect, test } from "vitest";
import { isFailure } from "../../api/status-errors.ts";
import type { KubeObject, Pod } from "../../api/types.ts";
import type { AdmissionAttributes } from "./attributes.ts";
import { detailText, evaluatePod, type Level } from "./pod-security-levels.ts";
import { admit, ADMISSION_PLUGINS, validateAdmission } from "./registry.ts";
import { checkQuotas } from "./resource-quota.ts";

const cluster = (objects: Readonly<Record<string, KubeObject | readonly KubeObject[]>>, attrs: Partial<AdmissionAttributes> = {}): AdmissionAttributes => ({
  operation: "CREATE", group: "", resource: "pods", subresource: "", namespace: "default", name: "", user: { name: "u" }, dryRun: false,
  lookup: (resource, namespace, name) => objects[`${resource}/${namespace}/${name}`] as KubeObject | undefined,
  list: (resource) => (objects[resource] ?? []) as readonly KubeObject[],
  rand: (_purpose, n) => n,
  ...attrs,
});
const base = {
  "namespaces//default": { apiVersion: "v1", kind: "Namespace", metadata: { name: "default" }, status: { phase: "Active" } },
  "serviceaccounts/default/default": { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "default" } },
};
const pod = (spec: Partial<Pod["spec"]> = {}): Pod => ({ apiVersion: "v1", kind: "Pod", metadata: { name: "p", namespace: "default" }, spec: { containers: [{ name: "c", image: "i" }], ...spec } });

test("upstream's order", () => {
  expect(ADMISSION_PLUGINS.map((p) => p.name)).toEqual([
    "NamespaceLifecycle", "LimitRanger", "ServiceAccount", "NodeRestriction", "TaintNodesByCondition", "PodSecurity", "Priority", "DefaultTolerationSeconds", "DefaultStorageClass", "StorageObjectInUseProtection",
    "PodGroupProtection", "PersistentVolumeClaimResize", "RuntimeClass", "CertificateApproval", "CertificateSigning", "ClusterTrustBundleAttest", "CertificateSubjectRestriction", "DefaultIngressClass", "PodTopologyLabels",
    "PodGroupWorkloadExists", "NodeDeclaredFeatureValidator", "JobValidation", "PodResizeValidator",
    "MutatingAdmissionPolicy", "MutatingAdmissionWebhook", "ValidatingAdmissionPolicy", "ValidatingAdmissionWebhook", "ResourceQuota",
  ]);
});

test("a plain Pod gets an identity, a priority and two tolerations; once is enough", () => {
  const attrs = cluster(base);
  const admitted = admit(pod(), attrs) as Pod;
  expect(admitted.spec).toMatchObject({
    serviceAccountName: "default", serviceAccount: "default", priority: 0, preemptionPolicy: "PreemptLowerPriority", tolerations: [{ key: "node.kubernetes.io/not-ready" }, { key: "node.kubernetes.io/unreachable" }],
    volumes: [{ name: "kube-api-access-bcdfg" }], containers: [{ volumeMounts: [{ name: "kube-api-access-bcdfg", mountPath: "/var/run/secrets/kubernetes.io/serviceaccount", readOnly: true }] }],
  });
  expect(admit(admitted, attrs)).toEqual(admitted);
  expect(validateAdmission(admitted, attrs)).toBeUndefined();
});

test.each([
  { name: "no namespace", attrs: cluster({}), of: pod(), want: 'namespaces "default" not found' },
  { name: "terminating namespace", attrs: cluster({ ...base, "namespaces//default": { ...base["namespaces//default"], status: { phase: "Terminating" } } }), of: pod(), want: 'pods "p" is forbidden: unable to create new content in namespace default because it is being terminated' },
  { name: "immortal namespace", attrs: cluster(base, { operation: "DELETE", resource: "namespaces", namespace: "", name: "kube-system" }), of: pod(), want: 'namespaces "kube-system" is forbidden: this namespace may not be deleted' },
  { name: "no service account", attrs: cluster(base), of: pod({ serviceAccountName: "nope" }), want: 'pods "p" is forbidden: error looking up service account default/nope: serviceaccount "nope" not found' },
  { name: "no priority class", attrs: cluster(base), of: pod({ priorityClassName: "nope" }), want: 'pods "p" is forbidden: no PriorityClass with name nope was found' },
  { name: "no runtime class", attrs: cluster(base), of: pod({ runtimeClassName: "nope" }), want: 'pods "p" is forbidden: pod rejected: RuntimeClass "nope" not found' },
])("refused: $name", ({ attrs, of, want }) => {
  const result = admit(of, attrs);
  expect(isFailure(result) && result.message).toBe(want);
});

test("quota: needs a request, counts, and names only what is exceeded", () => {
  const quota: KubeObject = { apiVersion: "v1", kind: "ResourceQuota", metadata: { name: "q" }, spec: {}, status: { hard: { pods: "2", "requests.cpu": "1" }, used: { pods: "1", "requests.cpu": "600m" } } };
  const attrs = cluster({ ...base, resourcequotas: [quota] });
  expect(checkQuotas(pod(), attrs)).toMatchObject({ message: 'pods "p" is forbidden: failed quota: q: must specify requests.cpu for: c' });
  const asking = (cpu: string): Pod => pod({ containers: [{ name: "c", resources: { requests: { cpu } } }] });
  expect(checkQuotas(asking("600m"), attrs)).toMatchObject({ message: 'pods "p" is forbidden: exceeded quota: q, requested: requests.cpu=600m, used: requests.cpu=600m, limited: requests.cpu=1' });
  expect(checkQuotas(asking("400m"), attrs)).toMatchObject([{ status: { used: { pods: "2", "requests.cpu": "1" } } }]);
});

test("pod security levels", () => {
  const podSecurityViolations = (of: Pod, level: Level, minor: number | "latest" = "latest"): string | undefined => detailText(evaluatePod({ level, minor }, of.metadata, of.spec)) || undefined;
  expect(podSecurityViolations(pod(), "privileged")).toBeUndefined();
  expect(podSecurityViolations(pod(), "restricted")).toBe(
    'allowPrivilegeEscalation != false (container "c" must set securityContext.allowPrivilegeEscalation=false), unrestricted capabilities (container "c" must set securityContext.capabilities.drop=["ALL"]), runAsNonRoot != true (pod or container "c" must set securityContext.runAsNonRoot=true), seccompProfile (pod or container "c" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")',
  );
  const wide = pod({ hostNetwork: true, hostPID: true, volumes: [{ name: "h", hostPath: { path: "/" } }], containers: [{ name: "c", ports: [{ containerPort: 80, hostPort: 80 }], securityContext: { capabilities: { add: ["NET_ADMIN"] } } }] });
  expect(podSecurityViolations(wide, "baseline")).toBe('non-default capabilities (container "c" must not include "NET_ADMIN" in securityContext.capabilities.add), host namespaces (hostNetwork=true, hostPID=true), hostPath volumes (volume "h"), hostPort (container "c" uses hostPort 80)');
});
