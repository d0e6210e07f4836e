import { describe, expect, test } from "vitest";
import type { CelAccessQuery } from "../../api/cel/cel.ts";
import { isFailure } from "../../api/status-errors.ts";
import type { KubeObject, Pod, Status } from "../../api/types.ts";
import type { AdmissionAttributes, AdmissionPlugin } from "./attributes.ts";
import { certificateApproval, certificateSubjectRestriction } from "./certificates.ts";
import { limitRanger } from "./limit-ranger.ts";
import { nodeRestriction } from "./node-restriction.ts";
import { persistentVolumeClaimResize } from "./persistent-volume-claim-resize.ts";
import { nodeDeclaredFeatureValidator, podResizeValidator } from "./pod-resize.ts";
import { podSecurity } from "./pod-security.ts";
import { detailText, evaluatePod, type Level } from "./pod-security-levels.ts";
import { checkQuotas, resourceQuota } from "./resource-quota.ts";
import { serviceAccount } from "./service-account.ts";

type Objects = Readonly<Record<string, KubeObject | readonly KubeObject[]>>;
const warnings: string[] = [];
const attrs = (objects: Objects, given: Partial<AdmissionAttributes> = {}): AdmissionAttributes => ({
  operation: "CREATE", group: "", resource: "pods", subresource: "", namespace: "default", name: "", user: { name: "u" }, dryRun: false,
  lookup: (resource, namespace, name) => objects[`${resource}/${namespace}/${name}`] as KubeObject | undefined,
  list: (resource) => (objects[resource] ?? []) as readonly KubeObject[],
  rand: (_purpose, n) => n,
  warn: (text) => warnings.push(text),
  ...given,
});
const thing = (kind: string, name: string, rest: object = {}, meta: object = {}): KubeObject => ({ apiVersion: "v1", kind, metadata: { name, namespace: "default", ...meta }, ...rest }) as KubeObject;
const pod = (spec: object = {}, meta: object = {}, rest: object = {}): Pod => thing("Pod", "p", { spec: { containers: [{ name: "c", image: "i" }], ...spec }, ...rest }, meta) as Pod;

/** The refusal of a plugin, whichever half it has. */
function refusal(plugin: AdmissionPlugin, object: KubeObject, at: AdmissionAttributes): string | undefined {
  if (!plugin.handles(at)) return "not handled";
  const found: Status | KubeObject | undefined = plugin.validate === undefined ? plugin.admit?.(object, at) : plugin.validate(object, at);
  return isFailure(found) ? (found.message ?? "").replace(/^.*?is forbidden: /, "") : undefined;
}

describe("PodSecurity", () => {
  const violations = (of: Pod, level: Level, minor: number | "latest" = "latest"): string => detailText(evaluatePod({ level, minor }, of.metadata, of.spec));
  test.each([
    ["AppArmor", pod({ securityContext: { appArmorProfile: { type: "Unconfined" } } }, { annotations: { "container.apparmor.security.beta.kubernetes.io/c": "bogus" } }), "latest", 'forbidden AppArmor profiles (pod and annotation must not set AppArmor profile type to "Unconfined", "container.apparmor.security.beta.kubernetes.io/c=\\"bogus\\"")'],
    ["SELinux", pod({ containers: [{ name: "c", securityContext: { seLinuxOptions: { type: "x", role: "r", user: "u" } } }] }), "latest", 'seLinuxOptions (container "c" set forbidden securityContext.seLinuxOptions: type "x"; user may not be set; role may not be set)'],
    ["container_engine_t is new in 1.31", pod({ securityContext: { seLinuxOptions: { type: "container_engine_t" } } }), 30, 'seLinuxOptions (pod set forbidden securityContext.seLinuxOptions: type "container_engine_t")'],
    ["container_engine_t", pod({ securityContext: { seLinuxOptions: { type: "container_engine_t" } } }), 31, ""],
    ["Windows", pod({ securityContext: { windowsOptions: { hostProcess: true } } }), "latest", "hostProcess (pod must not set securityContext.windowsOptions.hostProcess=true)"],
    ["old seccomp", pod({ securityContext: { seccompProfile: { type: "Unconfined" } } }, { annotations: { "seccomp.security.alpha.kubernetes.io/pod": "unconfined" } }), 18, 'seccompProfile (forbidden annotation seccomp.security.alpha.kubernetes.io/pod="unconfined")'],
    ["a sysctl of 1.32", pod({ securityContext: { sysctls: [{ name: "net.ipv4.tcp_rmem" }, { name: "net.ipv4.tcp_keepalive_time" }] } }), 29, "forbidden sysctls (net.ipv4.tcp_rmem)"],
    ["probe hosts are older than 1.34", pod({ containers: [{ name: "c", livenessProbe: { httpGet: { host: "h" } } }] }), 33, ""],
  ] as const)("baseline: %s", (_name, of, minor, text) => expect(violations(of, "baseline", minor)).toBe(text));

  test("restricted: user namespaces and Windows relax; baseline first", () => {
    const context = { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } };
    const safe = { name: "c", securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } } };
    expect(violations(pod({ securityContext: context, containers: [safe] }), "restricted")).toBe("");
    expect(violations(pod({ hostUsers: false, securityContext: { ...context, runAsNonRoot: false, runAsUser: 0 }, containers: [safe] }), "restricted")).toBe("");
    expect(violations(pod({ hostUsers: false, securityContext: { ...context, runAsUser: 0 }, containers: [safe] }), "restricted", 34)).toBe("runAsUser=0 (pod must not set runAsUser=0)");
    expect(violations(pod({ os: { name: "windows" }, securityContext: { runAsNonRoot: true } }), "restricted")).toBe("");
    expect(violations(pod({ hostPID: true, securityContext: context }), "restricted")).toMatch(/^host namespaces \(hostPID=true\), allowPrivilegeEscalation/);
  });

  test("workloads and namespaces are warned about", () => {
    const labels = { "pod-security.kubernetes.io/enforce": "baseline" };
    const namespace = thing("Namespace", "default", {}, { labels, namespace: undefined });
    warnings.length = 0;
    const template = { spec: { containers: [{ name: "c", securityContext: { privileged: true } }] } };
    expect(refusal(podSecurity, thing("Deployment", "d", { spec: { template } }), attrs({ "namespaces//default": namespace }, { group: "apps", resource: "deployments" }))).toBeUndefined();
    const privileged = (name: string): Pod => ({ ...pod(template.spec), metadata: { name } });
    expect(refusal(podSecurity, namespace, attrs({ pods: [privileged("b"), privileged("a")] }, { resource: "namespaces", operation: "UPDATE", namespace: "", oldObject: thing("Namespace", "default") }))).toBeUndefined();
    expect(warnings).toEqual(['would violate PodSecurity "baseline:latest": privileged (container "c" must not set securityContext.privileged=true)', 'existing pods in namespace "default" violate the new PodSecurity enforce level "baseline:latest"', "a (and 1 other pod): privileged"]);
    expect(refusal(podSecurity, thing("Namespace", "n", {}, { labels: { "pod-security.kubernetes.io/enforce": "bogus" } }), attrs({}, { resource: "namespaces", namespace: "" }))).toContain('metadata.labels[pod-security.kubernetes.io/enforce]: Invalid value: "bogus": must be one of privileged, baseline, restricted');
  });
});

describe("ServiceAccount", () => {
  const account = thing("ServiceAccount", "default", { secrets: [{ name: "listed" }], imagePullSecrets: [{ name: "pull" }] }, { annotations: { "kubernetes.io/enforce-mountable-secrets": "true" } });
  const at = attrs({ "serviceaccounts/default/default": account });
  const named = { serviceAccountName: "default" };
  test.each([
    ["a listed volume", pod({ ...named, volumes: [{ name: "v", secret: { secretName: "listed" } }] }), undefined],
    ["an unlisted volume", pod({ ...named, volumes: [{ name: "v", secret: { secretName: "other" } }] }), 'volume with secret.secretName="other" is not allowed because service account default does not reference that secret'],
    ["an unlisted variable", pod({ ...named, containers: [{ name: "c", env: [{ name: "E", valueFrom: { secretKeyRef: { name: "other", key: "k" } } }] }] }), 'container c with envVar E referencing secret.secretName="other" is not allowed because service account default does not reference that secret'],
    ["an unlisted pull secret", pod({ ...named, imagePullSecrets: [{ name: "other" }] }), 'imagePullSecrets[0].name="other" is not allowed because service account default does not reference that imagePullSecret'],
    ["a mirror Pod with a Secret", pod({ volumes: [{ name: "v", secret: { secretName: "x" } }] }, { annotations: { "kubernetes.io/config.mirror": "1" } }), "a mirror pod may not reference secrets"],
  ])("%s", (_name, of, text) => expect(refusal(serviceAccount, of, at)).toBe(text));
});

describe("NodeRestriction", () => {
  const kubelet = { user: { name: "system:node:n1", groups: ["system:nodes"] } };
  const bound = pod({ nodeName: "n2" });
  test.each([
    ["no node's name", pod(), attrs({}, { user: { name: "x", groups: ["system:nodes"] } }), 'could not determine node from user "x"'],
    ["a plain Pod", pod(), attrs({}, kubelet), 'pod does not have "kubernetes.io/config.mirror" annotation, node "n1" can only create mirror pods'],
    ["another node's Pod", bound, attrs({}, { ...kubelet, operation: "DELETE", oldObject: bound }), 'node "n1" can only delete pods with spec.nodeName set to itself'],
    ["another node's status", bound, attrs({}, { ...kubelet, operation: "UPDATE", subresource: "status", oldObject: bound }), 'node "n1" can only update pod status for pods with spec.nodeName set to itself'],
    ["another node", thing("Node", "n2"), attrs({}, { ...kubelet, resource: "nodes", operation: "UPDATE", name: "n2" }), 'node "n1" is not allowed to modify node "n2"'],
    ["its own taints", thing("Node", "n1", { spec: { taints: [] } }), attrs({}, { ...kubelet, resource: "nodes", operation: "UPDATE", name: "n1", oldObject: thing("Node", "n1", { spec: { taints: [{ key: "k", effect: "NoSchedule" }] } }) }), 'node "n1" is not allowed to modify taints'],
    ["its own role", thing("Node", "n1", {}, { labels: { "node-role.kubernetes.io/x": "", "node.kubernetes.io/ok": "" } }), attrs({}, { ...kubelet, resource: "nodes" }), 'node "n1" is not allowed to set the following labels: node-role.kubernetes.io/x'],
    ["another lease", thing("Lease", "n2"), attrs({}, { ...kubelet, group: "coordination.k8s.io", resource: "leases", namespace: "kube-node-lease" }), "can only access node lease with the same name as the requesting node"],
    ["anybody else", pod(), attrs({}), "not handled"],
  ])("%s", (_name, object, at, text) => expect(refusal(nodeRestriction, object, at)).toBe(text));
});

describe("sizes", () => {
  const claim = (size: string, rest: object = {}): KubeObject => thing("PersistentVolumeClaim", "c", { spec: { storageClassName: "fast", resources: { requests: { storage: size } } }, status: { phase: "Bound" }, ...rest });
  const growing = (old: KubeObject, objects: Objects = {}): AdmissionAttributes => attrs(objects, { resource: "persistentvolumeclaims", operation: "UPDATE", oldObject: old });
  test("a claim grows only when bound and allowed", () => {
    expect(refusal(persistentVolumeClaimResize, claim("2Gi"), growing(claim("1Gi", { status: { phase: "Pending" } })))).toBe("Only bound persistent volume claims can be expanded");
    expect(refusal(persistentVolumeClaimResize, claim("2Gi"), growing(claim("1Gi")))).toContain("only dynamically provisioned pvc can be resized");
    expect(refusal(persistentVolumeClaimResize, claim("2Gi"), growing(claim("1Gi"), { "storageclasses//fast": thing("StorageClass", "fast", { allowVolumeExpansion: true }) }))).toBeUndefined();
  });

  test("a Pod grows only within its node", () => {
    const node = thing("Node", "n1", { status: { allocatable: { cpu: "1", memory: "1Gi" } } }, { labels: { "kubernetes.io/os": "linux" } });
    const sized = (cpu: string, generation: number): Pod => pod({ nodeName: "n1", containers: [{ name: "c", resources: { requests: { cpu } } }] }, { generation });
    const at = attrs({ "nodes//n1": node }, { operation: "UPDATE", subresource: "resize", oldObject: sized("1", 1) });
    expect(refusal(podResizeValidator, sized("2", 2), at)).toBe("node didn't have enough allocatable resources: cpu, requested: 2000, allocatable: 1000");
    expect(refusal(podResizeValidator, sized("500m", 2), at)).toBeUndefined();
    expect(refusal(nodeDeclaredFeatureValidator, pod({ nodeName: "n1", resources: { requests: { cpu: "1" } } }, { generation: 2 }), at)).toBe('pod update requires features InPlacePodLevelResourcesVerticalScaling which are not available on node "n1"');
  });

  test("a resize is held to the LimitRange too", () => {
    const range = thing("LimitRange", "l", { spec: { limits: [{ type: "Container", max: { cpu: "1" } }] } });
    expect(refusal(limitRanger, pod({ containers: [{ name: "c", resources: { limits: { cpu: "2" } } }] }), attrs({ limitranges: [range] }, { operation: "UPDATE", subresource: "resize" }))).toBe("maximum cpu usage per Container is 1, but limit is 2");
  });
});

describe("ResourceQuota", () => {
  const quota = (hard: object, used: object, spec: object = {}): KubeObject => thing("ResourceQuota", "q", { spec, status: { hard, used } });
  const used = (found: ReturnType<typeof checkQuotas>): unknown => (Array.isArray(found) ? (found as readonly KubeObject[]).map((q) => (q.status as { readonly used?: unknown }).used) : (found as Status).message);
  test("an update is charged the difference; less is not given back", () => {
    const claim = (size: string): KubeObject => thing("PersistentVolumeClaim", "c", { spec: { storageClassName: "fast", resources: { requests: { storage: size } } } });
    const q = quota({ "requests.storage": "10Gi", "fast.storageclass.storage.k8s.io/requests.storage": "5Gi" }, { "requests.storage": "2Gi", "fast.storageclass.storage.k8s.io/requests.storage": "2Gi" });
    const at = (old: KubeObject): AdmissionAttributes => attrs({ resourcequotas: [q] }, { resource: "persistentvolumeclaims", operation: "UPDATE", oldObject: old });
    expect(used(checkQuotas(claim("4Gi"), at(claim("2Gi"))))).toEqual([{ "requests.storage": "4Gi", "fast.storageclass.storage.k8s.io/requests.storage": "4Gi" }]);
    expect(used(checkQuotas(claim("1Gi"), at(claim("2Gi"))))).toEqual([]);
    expect(used(checkQuotas(claim("6Gi"), at(claim("2Gi"))))).toContain("exceeded quota: q, requested: fast.storageclass.storage.k8s.io/requests.storage=4Gi");
  });
  test("a Pod that moves into a scope is charged all of it", () => {
    const q = quota({ pods: "1" }, { pods: "0" }, { scopes: ["Terminating"] });
    const at = attrs({ resourcequotas: [q] }, { operation: "UPDATE", oldObject: pod() });
    expect(resourceQuota.handles(at)).toBe(true);
    expect(used(checkQuotas(pod({ activeDeadlineSeconds: 5 }), at))).toEqual([{ pods: "1" }]);
    expect(used(checkQuotas(pod(), at))).toEqual([]);
  });
  test("node ports of a load balancer that allocates none", () => {
    const service = thing("Service", "s", { spec: { type: "LoadBalancer", allocateLoadBalancerNodePorts: false, ports: [{ port: 1, nodePort: 30000 }, { port: 2 }] } });
    expect(used(checkQuotas(service, attrs({ resourcequotas: [quota({ "services.nodeports": "2", "services.loadbalancers": "1" }, { "services.nodeports": "0", "services.loadbalancers": "0" })] }, { resource: "services" })))).toEqual([{ "services.nodeports": "1", "services.loadbalancers": "1" }]);
  });
});

test("certificates: approval asks the authorizer for the signer or its domain; nobody becomes master", () => {
  const request = (spec: object): KubeObject => thing("CertificateSigningRequest", "r", { spec });
  const asked: CelAccessQuery[] = [];
  const at = (allowed: string): AdmissionAttributes => attrs({}, { group: "certificates.k8s.io", resource: "certificatesigningrequests", subresource: "approval", operation: "UPDATE", oldObject: request({ signerName: "a.b/c" }), authorize: (query) => (asked.push(query), { allowed: query.name === allowed, reason: "" }) });
  expect(refusal(certificateApproval, request({}), at("none"))).toBe('user not permitted to approve requests with signerName "a.b/c"');
  expect(refusal(certificateApproval, request({}), at("a.b/*"))).toBeUndefined();
  expect(asked.at(-1)).toMatchObject({ verb: "approve", resource: "signers", name: "a.b/*" });
  const csr = { group: "certificates.k8s.io", resource: "certificatesigningrequests" };
  expect(refusal(certificateSubjectRestriction, request({ signerName: "kubernetes.io/kube-apiserver-client", request: "" }), attrs({}, csr))).toBeUndefined();
});
