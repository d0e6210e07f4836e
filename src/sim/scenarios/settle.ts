import { applyDefaults } from "../api/defaulting/apply-defaults.ts";
import type { WatchSpec } from "../api/http.ts";
import { hexId, uuid } from "../api/ids.ts";
import { computePodQOS } from "../api/qos.ts";
import { isTrue, type CustomResourceDefinition, isCrd, withCondition } from "../api/apiextensions/types.ts";
import { customKinds } from "../api/apiextensions/served.ts";
import { type ApiResource, resourceForKind } from "../api/schema/resources.ts";
import { MILLIPOD_DRIVER, type PersistentVolume } from "../api/storage.ts";
import { rfc3339, rfc3339Micro, SECOND } from "../api/time.ts";
import type { Condition, KubeObject, Node, OwnerReference, Pod, PodSpec } from "../api/types.ts";
import type { World, WorldNode } from "../api/world.ts";
import { randomSuffix } from "../api/random-suffix.ts";
import { settledLease } from "../client-go/leader-election.ts";
import { keyedRandom } from "../kernel/random.ts";
import { settledFlowControl } from "../kube-apiserver/flowcontrol/bootstrap.ts";
import { boundAccounts, settledPolicy } from "../kube-apiserver/rbac/bootstrap-policy.ts";
import { secondsFor, TTL_ANNOTATION } from "../kube-controller-manager/ttl/ttl-controller.ts";
import { settledEndpoints } from "./settled-endpoints.ts";
import { missingDns } from "./worlds/coredns.ts";
import { ROOT_CA_DESCRIPTION } from "../kube-controller-manager/rootcacertpublisher/root-ca-cert-publisher.ts";
import type { WorldFile } from "./worlds/world-file.ts";

const DAY = 86_400 * SECOND;
/** The cluster is a month old and its Pods a week when the story begins. */
const CLUSTER_AGE = 30 * DAY;
const POD_AGE = 7 * DAY;
/** Kinds whose spec is not counted in metadata.generation. */
const WITHOUT_GENERATION = new Set(["Node", "Namespace", "PersistentVolume", "PersistentVolumeClaim", "CSIDriver", "CSINode", "VolumeAttachment", "Lease"]);
const SYSTEM_NAMESPACES = ["default", "kube-node-lease", "kube-public", "kube-system"];
export const SERVICE_CIDR = "10.96.0.0/12";
export const POD_CIDR = "10.244.0.0/16";
/** kubeadm's usual range has room for 256 nodes of 254 Pods. */
const LARGE_POD_CIDR = "10.128.0.0/9";

/** Where the processes run that hold the leases. */
function controlPlaneHost({ objects }: WorldFile, nodes: readonly WorldNode[]): string {
  const labelled = objects.find((object) => object.kind === "Node" && object.metadata.labels?.["node-role.kubernetes.io/control-plane"] !== undefined);
  return labelled?.metadata.name ?? nodes[0]?.name ?? "control-plane";
}

/** Objects that any kubeadm cluster holds after its controllers have run. */
function systemObjects(nodes: readonly OwningNode[], host: string | undefined): KubeObject[] {
  const objects: KubeObject[] = [];
  for (const name of SYSTEM_NAMESPACES) {
    objects.push({ apiVersion: "v1", kind: "Namespace", metadata: { name, labels: { "kubernetes.io/metadata.name": name } }, spec: { finalizers: ["kubernetes"] }, status: { phase: "Active" } });
    objects.push({ apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "default", namespace: name } });
    objects.push({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "kube-root-ca.crt", namespace: name, annotations: ROOT_CA_DESCRIPTION }, data: { "ca.crt": "-----BEGIN CERTIFICATE-----\n(the cluster's CA)\n-----END CERTIFICATE-----\n" } } as KubeObject);
  }
  objects.push(priorityClass("system-cluster-critical", 2_000_000_000, "Used for system critical pods that must run in the cluster, but can be moved to another node if necessary."));
  objects.push(priorityClass("system-node-critical", 2_000_001_000, "Used for system critical pods that must not be moved from their current node."));
  for (const node of nodes) {
    objects.push({ apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata: { name: node.name, namespace: "kube-node-lease", ownerReferences: [node.owner] }, spec: { holderIdentity: node.name, leaseDurationSeconds: 40, renewTime: rfc3339Micro(-1 * SECOND) } });
  }
  if (host !== undefined) for (const lock of ["kube-controller-manager", "kube-scheduler"]) objects.push(settledLease(lock, host, -CLUSTER_AGE));
  objects.push(...storageObjects(nodes));
  return objects;
}

/** What the installation of a CSI driver leaves in a cluster, with a class of volumes for those who name none. */
function storageObjects(nodes: readonly OwningNode[]): KubeObject[] {
  return [
    { apiVersion: "storage.k8s.io/v1", kind: "CSIDriver", metadata: { name: MILLIPOD_DRIVER }, spec: { attachRequired: true, podInfoOnMount: false, volumeLifecycleModes: ["Persistent", "Ephemeral"] } },
    { apiVersion: "storage.k8s.io/v1", kind: "StorageClass", metadata: { name: "standard", annotations: { "storageclass.kubernetes.io/is-default-class": "true" } }, provisioner: MILLIPOD_DRIVER, reclaimPolicy: "Delete", allowVolumeExpansion: true, volumeBindingMode: "WaitForFirstConsumer" } as KubeObject,
    ...nodes.map((node): KubeObject => ({ apiVersion: "storage.k8s.io/v1", kind: "CSINode", metadata: { name: node.name, ownerReferences: [node.owner] }, spec: { drivers: [{ name: MILLIPOD_DRIVER, nodeID: node.name, topologyKeys: null }] } })),
  ];
}

let bootstrap: { readonly policy: readonly KubeObject[]; readonly rest: readonly KubeObject[] } | undefined;

/** Written when the cluster was made, before everything that a world lists: their revisions are below the first of those. */
function bootstrapObjects(): { readonly policy: readonly KubeObject[]; readonly rest: readonly KubeObject[] } {
  if (bootstrap !== undefined) return bootstrap;
  let revision = 0;
  const creationTimestamp = rfc3339(-CLUSTER_AGE);
  const stored = (object: KubeObject): KubeObject => {
    revision += 1;
    const generation = object.spec === undefined ? {} : { generation: 1 };
    return { ...object, metadata: { ...generation, uid: uuid(1, identity(object)), creationTimestamp, ...object.metadata, resourceVersion: String(revision) } };
  };
  const accounts = boundAccounts().map((name): KubeObject => ({ apiVersion: "v1", kind: "ServiceAccount", metadata: { name, namespace: "kube-system" } }));
  bootstrap = { policy: settledPolicy().map(stored), rest: [...settledFlowControl(-CLUSTER_AGE), ...accounts].map(stored) };
  return bootstrap;
}

/** A world that brings its own roles and flow schemas keeps them as they are. */
function missingBootstrap(known: ReadonlySet<string>, nodes: readonly WorldNode[], controlPlane: WorldNode | undefined): readonly KubeObject[] {
  const { policy, rest } = bootstrapObjects();
  const own = known.has("rbac.authorization.k8s.io/v1/ClusterRole//cluster-admin");
  const first = policy.length + rest.length + 1;
  const service = kubernetesService((controlPlane ?? nodes[0])?.address).map((object, i): KubeObject => ({ ...object, metadata: { uid: uuid(1, identity(object)), creationTimestamp: rfc3339(-CLUSTER_AGE), ...object.metadata, resourceVersion: String(first + i) } }));
  return [...(own ? [] : policy), ...rest, ...service].filter((object) => !known.has(identity(object)));
}

/** The Service under which Pods find the API server, as the API server itself keeps it (pkg/controlplane/controller/kubernetesservice). */
function kubernetesService(address: string | undefined): KubeObject[] {
  if (address === undefined) return [];
  const name = "kubernetes";
  const port = { name: "https", port: 6443, protocol: "TCP" };
  const clusterIP = "10.96.0.1";
  return [
    {
      apiVersion: "v1", kind: "Service", metadata: { name, namespace: "default", labels: { component: "apiserver", provider: "kubernetes" } },
      spec: { clusterIP, clusterIPs: [clusterIP], internalTrafficPolicy: "Cluster", ipFamilies: ["IPv4"], ipFamilyPolicy: "SingleStack", ports: [{ name: "https", port: 443, protocol: "TCP", targetPort: 6443 }], sessionAffinity: "None", type: "ClusterIP" }, status: { loadBalancer: {} },
    },
    { apiVersion: "v1", kind: "Endpoints", metadata: { name, namespace: "default", labels: { "endpointslice.kubernetes.io/skip-mirror": "true" } }, subsets: [{ addresses: [{ ip: address }], ports: [port] }] } as KubeObject,
    { apiVersion: "discovery.k8s.io/v1", kind: "EndpointSlice", metadata: { name, namespace: "default", generation: 1, labels: { "kubernetes.io/service-name": name } }, addressType: "IPv4", endpoints: [{ addresses: [address], conditions: { ready: true } }], ports: [port] } as KubeObject,
  ];
}

const priorityClass = (name: string, value: number, description: string): KubeObject =>
  ({ apiVersion: "scheduling.k8s.io/v1", kind: "PriorityClass", metadata: { name }, value, description, preemptionPolicy: "PreemptLowerPriority" }) as KubeObject;

/** Both kubelet and node lifecycle controller write them beside the stable ones. */
const BETA_LABELS = ["kubernetes.io/arch", "kubernetes.io/os"];

function settleNode(node: Node, at: WorldNode, count: number): Node {
  const { labels } = node.metadata;
  const heartbeat = rfc3339(-2 * SECOND);
  const since = rfc3339(-CLUSTER_AGE);
  return {
    ...node,
    metadata: { ...node.metadata, ...(labels === undefined ? {} : { labels: { ...Object.fromEntries(BETA_LABELS.flatMap((key) => (labels[key] === undefined ? [] : [[`beta.${key}`, labels[key]]]))), ...labels } }), annotations: { [TTL_ANNOTATION]: String(secondsFor(count)), ...node.metadata.annotations } },
    spec: { podCIDR: at.podCIDR, podCIDRs: [at.podCIDR], ...node.spec },
    status: {
      ...node.status,
      addresses: node.status?.addresses ?? [{ type: "InternalIP", address: at.address }, { type: "Hostname", address: at.name }],
      conditions: (node.status?.conditions ?? []).map((condition): Condition => ({ lastHeartbeatTime: heartbeat, lastTransitionTime: since, ...condition })),
      nodeInfo: node.status?.nodeInfo ?? {
        machineID: hexId(1, `machine/${at.name}`, 32), systemUUID: uuid(1, `system/${at.name}`), bootID: uuid(1, `boot/${at.name}`),
        kernelVersion: "6.12.0-amd64", osImage: "Debian GNU/Linux 13 (trixie)", containerRuntimeVersion: "containerd://2.3.4",
        kubeletVersion: "v1.36.2", kubeProxyVersion: "", operatingSystem: "linux", architecture: "amd64",
      },
      // What a kubelet v1.36 with default feature gates says that it can do.
      declaredFeatures: node.status?.declaredFeatures ?? ["ExtendWebSocketsToKubelet", "InPlacePodLevelResourcesVerticalScaling", "InPlacePodVerticalScalingInitContainers", "RestartAllContainersOnContainerExits"],
    },
  };
}

const TOKEN_MOUNT = "/var/run/secrets/kubernetes.io/serviceaccount";

/** What admission added to the Pod when it was created (facts: ServiceAccount, Priority, DefaultTolerationSeconds). */
function admitted(spec: PodSpec, suffix: string): PodSpec {
  const volume = `kube-api-access-${suffix}`;
  const mount = { name: volume, readOnly: true, mountPath: TOKEN_MOUNT };
  const toleration = (key: string) => ({ key, operator: "Exists", effect: "NoExecute", tolerationSeconds: 300 });
  return {
    ...spec,
    serviceAccountName: "default",
    serviceAccount: "default",
    priority: spec.priority ?? 0,
    preemptionPolicy: "PreemptLowerPriority",
    tolerations: [...(spec.tolerations ?? []), toleration("node.kubernetes.io/not-ready"), toleration("node.kubernetes.io/unreachable")],
    volumes: [
      ...(spec.volumes ?? []),
      {
        name: volume,
        projected: {
          defaultMode: 420,
          sources: [
            { serviceAccountToken: { expirationSeconds: 3607, path: "token" } },
            { configMap: { name: "kube-root-ca.crt", items: [{ key: "ca.crt", path: "ca.crt" }] } },
            { downwardAPI: { items: [{ path: "namespace", fieldRef: { apiVersion: "v1", fieldPath: "metadata.namespace" } }] } },
          ],
        },
      },
    ],
    containers: spec.containers.map((container) => ({ ...container, volumeMounts: [...(container.volumeMounts ?? []), mount] })),
  };
}

/** A Pod on a node has been running for days; one without a node waits, as in any pasted cluster. */
function settlePod(pod: Pod, node: WorldNode | undefined, podIP: string, uid: string): Pod {
  const spec = pod.spec.serviceAccountName ? pod.spec : admitted(pod.spec, randomSuffix((i) => keyedRandom(1, "suffix", uid, i)));
  const qosClass = computePodQOS(spec);
  if (!node) return { ...pod, spec, status: pod.status ?? { phase: "Pending", qosClass } };
  if (pod.status?.containerStatuses) return pod;
  const started = rfc3339(-POD_AGE);
  const condition = (type: string): Condition => ({ type, status: "True", lastProbeTime: null, lastTransitionTime: started, observedGeneration: 1 });
  return {
    ...pod,
    spec,
    status: {
      observedGeneration: 1,
      phase: "Running",
      conditions: ["PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady", "PodScheduled"].map(condition),
      hostIP: node.address,
      hostIPs: [{ ip: node.address }],
      podIP,
      podIPs: [{ ip: podIP }],
      startTime: started,
      containerStatuses: spec.containers.map((container) => ({
        name: container.name,
        state: { running: { startedAt: started } },
        lastState: {},
        ready: true,
        restartCount: 0,
        image: container.image ?? "",
        imageID: `${(container.image ?? "").split(":")[0]}@sha256:${hexId(1, `image/${container.image}`)}`,
        containerID: `containerd://${hexId(1, `container/${uid}/${container.name}`)}`,
        started: true,
      })),
      qosClass,
    },
  };
}

/** A volume has been looked at by its controllers: what is not reserved for a claim is Available. */
function settleVolume(volume: PersistentVolume): PersistentVolume {
  const phase = volume.spec.claimRef ? volume.status?.phase : (volume.status?.phase === "Pending" ? "Available" : volume.status?.phase);
  return { ...volume, metadata: { finalizers: ["kubernetes.io/pv-protection"], ...volume.metadata }, status: { lastPhaseTransitionTime: rfc3339(-CLUSTER_AGE), ...volume.status, phase: phase ?? "Available" } };
}

/** A node, and the reference under which it owns what its kubelet made for it. */
interface OwningNode extends WorldNode {
  readonly owner: OwnerReference;
}

const nodeOwner = (node: KubeObject): OwnerReference => ({ apiVersion: "v1", kind: "Node", name: node.metadata.name ?? "", uid: node.metadata.uid ?? uuid(1, identity(node)) });

const podRange = (index: number, count: number): string => (count <= 256 ? `10.244.${index}.0/24` : `10.${128 + (index >> 8)}.${index & 255}.0/24`);

/** The machines' own network, 192.168.50.0/24 or, for more than fit there, 172.16.0.0/16. */
const hostAddress = (index: number, count: number): string => (count <= 240 ? `192.168.50.${10 + index}` : `172.16.${(10 + index) >> 8}.${(10 + index) & 255}`);

function nodesOf(objects: readonly KubeObject[]): WorldNode[] {
  const nodes = objects.filter((object): object is Node => object.kind === "Node");
  return nodes.map((node, index) => ({
    name: node.metadata.name ?? `node-${index}`,
    podCIDR: node.spec?.podCIDR ?? podRange(index, nodes.length),
    address: node.status?.addresses?.find((address) => address.type === "InternalIP")?.address ?? hostAddress(index, nodes.length),
    index,
  }));
}

/**
 * Turns a world file into the cluster at time 0, as etcd and every cache hold it: defaults and admission applied,
 * statuses written, one revision an object. Deterministic: ids depend on names alone.
 */
export function settle(file: WorldFile, seed: number, watches: (world: World) => readonly WatchSpec[]): World {
  const nodes = nodesOf(file.objects);
  const byName = new Map(nodes.map((node) => [node.name, node]));
  const used = new Map<string, number>();
  let revision = 1000;
  const known = new Set(file.objects.map((object) => identity(object)));
  const owning = nodes.map((node): OwningNode => ({ ...node, owner: nodeOwner(file.objects.find(({ kind, metadata }) => kind === "Node" && metadata.name === node.name) as KubeObject) }));
  const all = [...systemObjects(owning, file.leaderElection === false ? undefined : controlPlaneHost(file, nodes)).filter((object) => !known.has(identity(object))), ...file.objects, ...missingDns(file.objects, nodes[0]?.address)];
  const defaulted = all.map((raw) => settleDefinition(applyDefaults(raw)));
  const custom = customKinds(defaulted);
  const typeOf = ({ apiVersion, kind }: KubeObject): ApiResource | undefined => resourceForKind(apiVersion, kind) ?? custom.get(`${apiVersion}/${kind}`);
  const objects = defaulted.map((raw) => {
    const object = withNamespace(raw, typeOf(raw)?.namespaced ?? false);
    revision += 1;
    const uid = object.metadata.uid ?? uuid(1, identity(object));
    let settled: KubeObject = object;
    if (object.kind === "Node") settled = settleNode(object as Node, byName.get(object.metadata.name ?? "") as WorldNode, nodes.length);
    if (object.kind === "Pod") {
      const pod = object as Pod;
      const node = nodes.find((candidate) => candidate.name === pod.spec.nodeName);
      const host = (used.get(node?.name ?? "") ?? 1) + 1;
      used.set(node?.name ?? "", host);
      settled = settlePod(pod, node, pod.status?.podIP ?? (node ? node.podCIDR.replace(/0\/\d+$/, String(host)) : ""), uid);
    }
    if (object.kind === "PersistentVolume") settled = settleVolume(object as PersistentVolume);
    if (object.kind === "Pod" && object.metadata.uid === undefined) settled = { ...settled, metadata: { uid, ...settled.metadata } };
    const age = object.kind === "Pod" ? POD_AGE : CLUSTER_AGE;
    const generation = typeOf(object) && object.spec !== undefined && !WITHOUT_GENERATION.has(object.kind) ? { generation: 1 } : {};
    return { ...settled, metadata: { ...generation, uid, creationTimestamp: rfc3339(-age), ...settled.metadata, resourceVersion: String(revision) } };
  });
  for (const object of settledEndpoints(objects)) {
    revision += 1;
    objects.push({ ...object, metadata: { uid: uuid(1, identity(object)), creationTimestamp: rfc3339(-CLUSTER_AGE), ...(object.kind === "EndpointSlice" ? { generation: 1 } : {}), ...object.metadata, resourceVersion: String(revision) } });
  }
  const world: World = { name: file.id, seed, objects: [...missingBootstrap(known, nodes, nodes.find(({ name }) => isControlPlane(file.objects, name))), ...objects], resourceVersion: String(revision), nodes, watches: [], ...(file.etcdMembers === undefined ? {} : { etcdMembers: file.etcdMembers }), ...(file.leaderElection === undefined ? {} : { leaderElection: file.leaderElection }), clusterDomain: "cluster.local", serviceCIDR: SERVICE_CIDR, podCIDR: nodes.length <= 256 ? POD_CIDR : LARGE_POD_CIDR, dnsServiceIP: "10.96.0.10" };
  return { ...world, watches: watches(world) };
}

const isControlPlane = (objects: readonly KubeObject[], name: string): boolean => objects.some((object) => object.kind === "Node" && object.metadata.name === name && object.metadata.labels?.["node-role.kubernetes.io/control-plane"] !== undefined);

const identity = (object: KubeObject): string => `${object.apiVersion}/${object.kind}/${object.metadata.namespace ?? ""}/${object.metadata.name ?? ""}`;

/** A definition that has been there for long is established. */
function settleDefinition(object: KubeObject): KubeObject {
  if (!isCrd(object) || isTrue(object, "Established")) return object;
  const storedVersions = object.spec.versions.filter((version) => version.storage).map(({ name }) => name);
  const named: CustomResourceDefinition = { ...object, status: { ...object.status, acceptedNames: object.spec.names, storedVersions } };
  const at = rfc3339(-CLUSTER_AGE);
  return withCondition(withCondition(named, { type: "NamesAccepted", status: "True", reason: "NoConflicts", message: "no conflicts found" }, at), { type: "Established", status: "True", reason: "InitialNamesAccepted", message: "the initial names have been accepted" }, at);
}

function withNamespace<T extends KubeObject>(object: T, namespaced: boolean): T {
  if (!namespaced || object.metadata.namespace) return object;
  return { ...object, metadata: { ...object.metadata, namespace: "default" } };
}
