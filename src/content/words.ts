/** How objects are worded in every panel. Pure text, no React. */

/** "pod/default/nginx" as a reader says it: "Pod default/nginx". */
export function subjectText(subject: string): string {
  const slash = subject.indexOf("/");
  if (slash <= 0) return subject;
  return `${KINDS[subject.slice(0, slash)] ?? subject.slice(0, slash)} ${subject.slice(slash + 1)}`;
}

const KINDS: Readonly<Record<string, string>> = {
  pod: "Pod",
  node: "Node",
  service: "Service",
  endpointslice: "EndpointSlice",
  endpoints: "Endpoints",
  deployment: "Deployment",
  replicaset: "ReplicaSet",
  event: "Event",
  lease: "Lease",
  namespace: "Namespace",
  configmap: "ConfigMap",
  secret: "Secret",
  serviceaccount: "ServiceAccount",
};
