// Models the EventsToRegister of kubernetes/pkg/scheduler/framework/plugins/*

/** What may make a Pod schedulable that the plugin rejected, as far as the plugin asks to be told. */
export const WAKES: Readonly<Record<string, string>> = {
  NodeUnschedulable: "a node is added or its taints change; the Pod's own tolerations change",
  NodeName: "a node is added",
  TaintToleration: "a node is added or its taints change; the Pod's own tolerations change",
  NodeAffinity: "a node is added or its labels change, and now match",
  NodePorts: "a node is added; a Pod that holds a wanted host port is deleted",
  NodeResourcesFit: "a node is added or has more to give, and is large enough; a Pod is deleted or asks for less",
  VolumeRestrictions: "a node or one of its claims is added; a Pod that uses the same disk is deleted",
  NodeVolumeLimits: "a CSINode changes; a Pod with volumes is deleted; one of its claims is added; a disk is detached",
  VolumeBinding: "one of its claims, a volume, a StorageClass, a CSINode, a driver or its capacity changes; a node is added or its labels change",
  VolumeZone: "one of its claims, a volume or a StorageClass changes; a node is added or its labels change",
  PodTopologySpread: "a Pod that its constraints count comes, goes or changes labels; a node comes, goes or changes labels or taints",
  InterPodAffinity: "a Pod comes or changes labels that it wants near, or one goes that it must not be near; a node is added or its labels change",
  NodeDeclaredFeatures: "a node is added or declares other features",
  DefaultPreemption: "a Pod is deleted, once the Pods that it drives out are on their way",
  DynamicResources: "a resource claim, a resource slice or a device class changes",
};
