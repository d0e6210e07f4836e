/** The steps of the kubelet's flows as the simulation names them: kept equal to src/sim/kubelet by a test. */
export const SYNC_STEPS: Readonly<Record<string, readonly string[]>> = {
  syncPod: ["generateAPIPodStatus", "podCgroupAndDataDirs", "reconcileMirrorPod", "waitForVolumes", "getPullSecrets", "addProbes", "computePodActions", "killContainers", "resetContainers", "stopPodSandbox", "lookupRuntimeHandler", "createPodSandbox", "podSandboxStatus", "resizeContainers", "getImageVolumes", "startContainers", "updateReasonCache"],
  syncTerminatingPod: ["generateAPIPodStatus", "killContainers", "stopPodSandbox", "readBack"],
  syncTerminatedPod: ["unpublishVolumes", "unmountVolumes", "removeCgroupAndTerminate"],
  startContainer: ["doBackOff", "imageVolumes", "imageStatus", "pullImage", "readObjects", "generateContainerConfig", "createContainer", "startContainer", "postStart"],
};

/** "4 of 16: waitForVolumes"; "" for a worker that rests. */
export function stepText(flow: string, step: number | undefined): string {
  const steps = SYNC_STEPS[flow];
  if (flow === "" || step === undefined) return "";
  const name = steps?.[step];
  return name === undefined ? `step ${step + 1}` : `${step + 1} of ${steps?.length ?? 0}: ${name}`;
}
