// Models the +listType, +mapType and +structType markers of kubernetes/staging/src/k8s.io/api/*/types.go

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

/** Structs that are owned as a whole (+structType=atomic). */
export const ATOMIC_STRUCTS = words(
  "ConfigMapKeySelector CrossVersionObjectReference EndpointAddress EndpointPort EndpointPort@discovery FileKeySelector LabelSelector " +
    "LocalObjectReference MatchResources NamedRuleWithOperations NodeSelector NodeSelectorTerm ObjectFieldSelector ObjectReference OwnerReference ParamKind ParamRef " +
    "ResourceFieldSelector RoleRef ScopeSelector SecretKeySelector SecretReference ServiceBackendPort Subject TopologySelectorTerm TypedLocalObjectReference Variable",
);

/** Fields that hold such a struct and yet own it field by field (+structType=granular). */
export const GRANULAR_FIELDS = words("PersistentVolumeSpec.claimRef");

/** Maps that are owned as a whole (+mapType=atomic). */
export const ATOMIC_MAPS = words("PodSpec.nodeSelector ReplicationControllerSpec.selector Scheduling.nodeSelector ServiceSpec.selector");

/** Lists with a strategic merge key that are owned as a whole nevertheless (+listType=atomic). */
export const ATOMIC_LISTS = words("JobStatus.conditions PodStatus.hostIPs");

/** What a key of a map-like list counts as when an item leaves it out (+default). */
export const KEY_DEFAULTS: ReadonlyMap<string, string> = new Map([["ContainerPort.protocol", "TCP"], ["ServicePort.protocol", "TCP"]]);
