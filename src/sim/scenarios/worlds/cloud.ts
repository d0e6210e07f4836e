import type { KubeObject } from "../../api/types.ts";
import { ingressNginx } from "./ingress-nginx.ts";
import { threeNodes } from "./small.ts";
import type { WorldFile } from "./world-file.ts";

const PROVIDER = "millipod-cloud";

/** A node as the cloud's node controller leaves it: the cloud knows it by an identity of its own. */
function inCloud(object: KubeObject): KubeObject {
  if (object.kind !== "Node") return object;
  const excluded = object.metadata.labels?.["node-role.kubernetes.io/control-plane"] === undefined ? {} : { "node.kubernetes.io/exclude-from-external-load-balancers": "" };
  return { ...object, metadata: { ...object.metadata, labels: { ...object.metadata.labels, ...excluded } }, spec: { ...(object.spec as object), providerID: `${PROVIDER}:///${object.metadata.labels?.["topology.kubernetes.io/zone"] ?? ""}/${object.metadata.name ?? ""}` } } as KubeObject;
}

const KUBE_PROXY: KubeObject = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "kube-proxy", namespace: "kube-system", labels: { app: "kube-proxy" } }, data: { "config.conf": "apiVersion: kubeproxy.config.k8s.io/v1alpha1\nclusterCIDR: 10.244.0.0/16\nkind: KubeProxyConfiguration\nmode: nftables\n" } } as KubeObject;

/** Three workers in a cloud that makes load balancers, with ingress-nginx, and kube-proxy in nftables mode. */
export const cloud: WorldFile = { id: "cloud", title: "Three workers in a cloud, with ingress-nginx (nftables)", objects: [...threeNodes.objects.map(inCloud), KUBE_PROXY, ...ingressNginx("worker-node-01")] };
