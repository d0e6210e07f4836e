import { expect, test } from "vitest";
import { decodeObject } from "../decode.ts";
import { applyDefaults } from "../defaulting/apply-defaults.ts";
import { fieldErrorText } from "../field-error.ts";
import type { KubeObject } from "../types.ts";
import { validateCreate, validateSubresourceUpdate, validateUpdate } from "./validate.ts";

/** An object as a client sends it, with defaults. */
function made(apiVersion: string, kind: string, fields: object, metadata: object = {}): KubeObject {
  const decoded = decodeObject({ apiVersion, kind, metadata: { name: "x", namespace: "default", resourceVersion: "1", ...metadata }, ...fields });
  if (decoded.error !== undefined) throw new Error(decoded.error);
  const object = applyDefaults(decoded.object);
  const { namespace: _namespace, ...cluster } = object.metadata;
  return CLUSTER.has(kind) ? { ...object, metadata: cluster } : object;
}
const CLUSTER = new Set(["Node", "Namespace", "PersistentVolume", "StorageClass", "PriorityClass", "RuntimeClass", "ClusterRole", "IngressClass", "FlowSchema", "PriorityLevelConfiguration", "CertificateSigningRequest", "CSIDriver", "ValidatingWebhookConfiguration", "ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding", "MutatingAdmissionPolicy", "IPAddress", "ServiceCIDR"]);
const texts = (object: KubeObject): string[] => validateCreate(object).map(fieldErrorText);
const updated = (now: KubeObject, old: KubeObject): string[] => [...new Set(validateUpdate(now, old).map(fieldErrorText))];

const podTemplate = { spec: { restartPolicy: "Never", containers: [{ name: "c", image: "i" }] } };
const UID = "0-1";
const jobLabels = { "controller-uid": UID, "batch.kubernetes.io/controller-uid": UID, "job-name": "x", "batch.kubernetes.io/job-name": "x" };
const job = (spec: object, status: object = {}): KubeObject => ({ ...made("batch/v1", "Job", { spec: { selector: { matchLabels: { "batch.kubernetes.io/controller-uid": UID } }, template: { ...podTemplate, metadata: { labels: jobLabels } }, ...spec } }, { uid: UID }), status });
const cron = (spec: object): KubeObject => made("batch/v1", "CronJob", { spec: { schedule: "0 * * * *", jobTemplate: { spec: { template: podTemplate } }, ...spec } });
const hpa = (spec: object): KubeObject => made("autoscaling/v2", "HorizontalPodAutoscaler", { spec: { scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "d" }, maxReplicas: 3, ...spec } });
const quota = (spec: object): KubeObject => made("v1", "ResourceQuota", { spec });
const limits = (item: object): KubeObject => made("v1", "LimitRange", { spec: { limits: [{ type: "Container", ...item }] } });
const secret = (type: string, data: object): KubeObject => made("v1", "Secret", { type, data });
const claim = (spec: object): KubeObject => made("v1", "PersistentVolumeClaim", { spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } }, ...spec } });
const webhook = (hook: object): KubeObject => made("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", { webhooks: [{ name: "a.example.com", sideEffects: "None", admissionReviewVersions: ["v1"], clientConfig: { url: "https://h/p" }, ...hook }] });
const service = (spec: object): KubeObject => made("v1", "Service", { spec: { ports: [{ port: 80 }], ...spec } });

test.each([
  ["indexed job without completions", job({ completionMode: "Indexed", parallelism: 1 }), ["spec.completions: Required value: when completion mode is Indexed"]],
  ["success policy needs indexes", job({ successPolicy: { rules: [{ succeededCount: 1 }] } }), ['spec.successPolicy: Invalid value: {"Rules":[{"SucceededIndexes":null,"SucceededCount":1}]}: requires indexed completion mode']],
  ["labels of a job's Pods", job({ template: { ...podTemplate, metadata: { labels: { ...jobLabels, "job-name": "y" } } } }), [`spec.template.metadata.labels[job-name]: Invalid value: ${JSON.stringify({ ...jobLabels, "job-name": "y" })}: must be 'x'`]],
  ["time zone", cron({ timeZone: "Europe/Nowhere" }), ['spec.timeZone: Invalid value: "Europe/Nowhere": unknown time zone Europe/Nowhere']],
  ["time zone in the schedule", cron({ schedule: "TZ=UTC 0 * * * *" }), ['spec.schedule: Invalid value: "TZ=UTC 0 * * * *": cannot use TZ or CRON_TZ in schedule, use timeZone field instead']],
  ["autoscaler without maximum", hpa({ maxReplicas: 0 }), ["spec.maxReplicas: Required value: must be set and greater than 0", "spec.maxReplicas: Invalid value: 0: must be greater than or equal to `minReplicas`"]],
  ["autoscaler of a core kind", hpa({ scaleTargetRef: { apiVersion: "v1", kind: "Deployment", name: "d" } }), ['spec.scaleTargetRef.apiVersion: Invalid value: "v1": apiVersion must specify API group']],
  ["metric without source", hpa({ metrics: [{ type: "Pods" }] }), ["spec.metrics[0].pods: Required value: must populate information for the given metric source"]],
  ["CPU target of v1", made("autoscaling/v1", "HorizontalPodAutoscaler", { spec: { scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "d" }, maxReplicas: 3, targetCPUUtilizationPercentage: 0 } }), ["spec.metrics[0].resource.target.averageUtilization: Invalid value: 0: must be greater than 0"]],
  ["quota of an unknown resource", quota({ hard: { storage: "1" } }), ['spec.hard[storage]: Invalid value: "storage": must be a standard resource for quota']],
  ["quota scope", quota({ hard: { cpu: "1" }, scopes: ["BestEffort"] }), ['spec.scopes: Invalid value: ["BestEffort"]: unsupported scope applied to resource']],
  ["limit type", limits({ type: "Containers" }), ['spec.limits[0].type: Invalid value: "Containers": must be a standard limit type or fully qualified']],
  ["limits out of order", limits({ max: { cpu: "1" }, default: { cpu: "2" } }), ['spec.limits[0].defaultRequest[cpu]: Invalid value: "2": default request value 2 is greater than max value 1', 'spec.limits[0].default[cpu]: Invalid value: "1": default value 2 is greater than max value 1']],
  ["ratio", limits({ min: { cpu: "1" }, max: { cpu: "2" }, maxLimitRequestRatio: { cpu: "3" } }), ['spec.limits[0].maxLimitRequestRatio[cpu]: Invalid value: "3": ratio 3 is greater than max/min = 2.000000']],
  ["registry password that is no JSON", secret("kubernetes.io/dockerconfigjson", { ".dockerconfigjson": "e30K" }), []],
  ["registry password cut off", secret("kubernetes.io/dockerconfigjson", { ".dockerconfigjson": "ew==" }), ['data[.dockerconfigjson]: Invalid value: "<secret contents redacted>": unexpected end of JSON input']],
  ["TLS without key", secret("kubernetes.io/tls", { "tls.crt": "" }), ["data[tls.key]: Required value"]],
  ["claim without size", claim({ resources: {} }), ["spec.resources[storage]: Required value"]],
  ["claim of a wrong mode", claim({ accessModes: ["ReadWrite"] }), ['spec.accessModes: Unsupported value: "ReadWrite": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"']],
  ["webhook name", webhook({ name: "a" }), ['webhooks[0].name: Invalid value: "a": should be a domain with at least three segments separated by dots']],
  ["webhook URL", webhook({ clientConfig: { url: "http://u@h/p?q" } }), ['webhooks[0].clientConfig.url: Invalid value: "http": \'https\' is the only allowed URL scheme; desired format: https://host[/path]', 'webhooks[0].clientConfig.url: Invalid value: "u": user information is not permitted in the URL', 'webhooks[0].clientConfig.url: Invalid value: "q": query parameters are not permitted in the URL']],
  ["policy without rules", made("admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicy", { spec: { matchConstraints: {}, validations: [{ expression: " " }] } }), ["spec.matchConstraints.resourceRules: Required value", "spec.validations[0].expression: Required value: expression is not specified"]],
  ["binding denies and warns", made("admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicyBinding", { spec: { policyName: "p", validationActions: ["Deny", "Warn"] } }), [expect.stringContaining('spec.validationActions: Invalid value: ["Deny","Warn"]: must not contain both Deny and Warn')]],
  ["flow schema", made("flowcontrol.apiserver.k8s.io/v1", "FlowSchema", { spec: { matchingPrecedence: 1, priorityLevelConfiguration: {} } }), ["spec.matchingPrecedence: Invalid value: 1: only the schema named 'exempt' may have matchingPrecedence 1", "spec.priorityLevelConfiguration.name: Required value: must reference a priority level"]],
  ["hands too many", made("flowcontrol.apiserver.k8s.io/v1", "PriorityLevelConfiguration", { spec: { type: "Limited", limited: { limitResponse: { type: "Queue", queuing: { queues: 1024, handSize: 8, queueLengthLimit: 5 } } } } }), ["spec.limited.limitResponse.queuing.handSize: Invalid value: 8: required entropy bits of deckSize 1024 and handSize 8 should not be greater than 60"]],
  ["signing request", made("certificates.k8s.io/v1", "CertificateSigningRequest", { spec: { request: "eA==", signerName: "example.com/x", usages: ["client"] } }), ['spec.request: Invalid value: "eA==": PEM block type must be CERTIFICATE REQUEST', expect.stringContaining('spec.usages[0]: Unsupported value: "client": supported values: "any", "cert sign"')]],
  ["role rule", made("rbac.authorization.k8s.io/v1", "ClusterRole", { rules: [{ verbs: [] }] }), ["rules[0].verbs: Required value: verbs must contain at least one value", "rules[0].apiGroups: Required value: resource rules must supply at least one api group", "rules[0].resources: Required value: resource rules must supply at least one resource"]],
  ["binding of another kind", made("rbac.authorization.k8s.io/v1", "RoleBinding", { roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Group", name: "x" } }), ['roleRef.kind: Unsupported value: "Group": supported values: "Role", "ClusterRole"']],
  ["budget", made("policy/v1", "PodDisruptionBudget", { spec: { minAvailable: "150%", unhealthyPodEvictionPolicy: "Never" } }), ['spec.minAvailable: Invalid value: "150%": must not be greater than 100%', 'spec.unhealthyPodEvictionPolicy: Unsupported value: "Never": supported values: "AlwaysAllow", "IfHealthyBudget"']],
  ["network policy port", made("networking.k8s.io/v1", "NetworkPolicy", { spec: { podSelector: {}, ingress: [{ ports: [{ port: "http", endPort: 90 }], from: [{}] }] } }), ["spec.ingress[0].ports[0].endPort: Invalid value: 90: may not be specified when `port` is non-numeric", "spec.ingress[0].from[0]: Required value: must specify a peer"]],
  ["ingress path", made("networking.k8s.io/v1", "Ingress", { spec: { rules: [{ http: { paths: [{ path: "x", pathType: "Prefix", backend: { service: { name: "s", port: { number: 80 } } } }] } }] } }), ['spec.rules[0].http.paths[0].path: Invalid value: "x": must be an absolute path']],
  ["runtime class", made("node.k8s.io/v1", "RuntimeClass", { handler: "Bad_" }), [expect.stringContaining('handler: Invalid value: "Bad_": a lowercase RFC 1123 label')]],
  ["revision", made("apps/v1", "ControllerRevision", { revision: -1 }), ["revision: Invalid value: -1: must be greater than or equal to 0", "data: Required value: data is mandatory"]],
  ["event of the new group", made("events.k8s.io/v1", "Event", { type: "Odd", regarding: { namespace: "default" } }), ["eventTime: Required value", 'type: Invalid value: "": has invalid value: Odd']],
  ["range of one family", made("networking.k8s.io/v1", "ServiceCIDR", { spec: { cidrs: ["10.0.0.0/16", "10.1.0.0/16"] } }), ['spec.cidrs: Invalid value: ["10.0.0.0/16","10.1.0.0/16"]: may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64']],
  ["lease", made("coordination.k8s.io/v1", "Lease", { spec: { leaseDurationSeconds: 0 } }), ["spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0"]],
  ["IPv6 where there is none", service({ ipFamilies: ["IPv6"] }), ['spec.ipFamilies[0]: Invalid value: "IPv6": not configured on this cluster']],
  ["external IP of the machine itself", service({ externalIPs: ["127.0.0.1"] }), ['spec.externalIPs[0]: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)']],
] as const)("create: %s", (_name, object, expected) => expect(texts(object as KubeObject)).toEqual(expected));

test.each([
  ["completions of an ordinary job", job({ completions: 2 }), job({ completions: 1 }), ["spec.completions: Invalid value: 2: field is immutable"]],
  ["completions and parallelism together", job({ completionMode: "Indexed", completions: 2, parallelism: 2 }), job({ completionMode: "Indexed", completions: 1, parallelism: 1 }), []],
  ["resources of a suspended job", job({ suspend: true, template: { metadata: { labels: jobLabels }, spec: { ...podTemplate.spec, containers: [{ name: "c", image: "i", resources: { requests: { cpu: "1" } } }] } } }), job({ suspend: true }), []],
  ["a Secret of another type", secret("Opaque", {}), secret("kubernetes.io/basic-auth", { username: "" }), ['type: Invalid value: "Opaque": field is immutable']],
  ["a Service's address", service({ clusterIP: "10.96.0.9", clusterIPs: ["10.96.0.9"], ipFamilies: ["IPv4"] }), service({ clusterIP: "10.96.0.8", clusterIPs: ["10.96.0.8"], ipFamilies: ["IPv4"] }), ['spec.clusterIPs[0]: Invalid value: ["10.96.0.9"]: may not change once set']],
  ["a quota's scopes", quota({ hard: { pods: "1" }, scopes: ["BestEffort"] }), quota({ hard: { pods: "1" } }), ['spec.scopes: Invalid value: ["BestEffort"]: field is immutable']],
  ["a priority", made("scheduling.k8s.io/v1", "PriorityClass", { value: 2 }), made("scheduling.k8s.io/v1", "PriorityClass", { value: 1 }), ["value: Forbidden: may not be changed in an update."]],
  ["a provisioner", made("storage.k8s.io/v1", "StorageClass", { provisioner: "a" }), made("storage.k8s.io/v1", "StorageClass", { provisioner: "b" }), ['provisioner: Invalid value: "a": field is immutable']],
  ["an invalid version of an old target", hpa({ scaleTargetRef: { apiVersion: "v1", kind: "Deployment", name: "e" } }), hpa({ scaleTargetRef: { apiVersion: "v1", kind: "Deployment", name: "d" } }), []],
] as const)("update: %s", (_name, now, old, expected) => expect(updated(now, old)).toEqual(expected));

const pod = (status: object): KubeObject => ({ ...made("v1", "Pod", { spec: { restartPolicy: "OnFailure", containers: [{ name: "c", image: "i" }] } }), status: { qosClass: "BestEffort", ...status } });
const ended = (exitCode: number): object => ({ containerStatuses: [{ name: "c", state: { terminated: { exitCode } } }] });
const running = { containerStatuses: [{ name: "c", state: { running: {} } }] };

test.each([
  ["a failed container starts again", pod(running), pod(ended(1)), []],
  ["a finished one does not", pod(running), pod(ended(0)), ["status.containerStatuses[0].state: Forbidden: may not be transitioned to non-terminated state"]],
  ["the QoS class stays", pod({ qosClass: "Burstable" }), pod({}), ['status.qosClass: Invalid value: "Burstable": field is immutable']],
  ["ready replicas", { ...made("apps/v1", "ReplicaSet", {}), status: { replicas: 1, readyReplicas: 2 } }, { ...made("apps/v1", "ReplicaSet", {}), status: {} }, ["status.readyReplicas: Invalid value: 2: cannot be greater than status.replicas"]],
  ["a namespace's phase", { ...made("v1", "Namespace", {}), status: { phase: "Terminating" } }, made("v1", "Namespace", {}), ['status.Phase: Invalid value: "Terminating": may only be \'Active\' if `deletionTimestamp` is empty']],
] as const)("status: %s", (_name, now, old, expected) => expect(validateSubresourceUpdate(now as KubeObject, old as KubeObject, "status").map(fieldErrorText)).toEqual(expected));
