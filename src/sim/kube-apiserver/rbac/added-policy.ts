// Models kubernetes/cmd/kubeadm/app/phases/{bootstraptoken,addons,uploadconfig,kubelet} and the manifests of the CSI sidecars.
// The notation is that of policy.generated.ts.

export const ADDED_CLUSTER_ROLES = `kubeadm:get-nodes | g - nodes
system:coredns | lw - endpoints,services,pods,namespaces; lw discovery.k8s.io endpointslices
external-provisioner-runner | g - secrets; glwcpd - persistentvolumes; glwu - persistentvolumeclaims; glw storage.k8s.io storageclasses; lwcup - events; glw storage.k8s.io csinodes,volumeattachments; glw - nodes
external-attacher-runner | glwp - persistentvolumes; glw storage.k8s.io csinodes,csidrivers; glwp storage.k8s.io volumeattachments; p storage.k8s.io volumeattachments/status; lwcup - events
external-resizer-runner | glwp - persistentvolumes; glw - persistentvolumeclaims; p - persistentvolumeclaims/status; lwcup - events`;

/** "name role subjects" */
export const ADDED_CLUSTER_BINDINGS = `kubeadm:cluster-admins cluster-admin g:kubeadm:cluster-admins
kubeadm:apiserver-kubelet-client system:kubelet-api-admin u:kube-apiserver-kubelet-client
kubeadm:get-nodes kubeadm:get-nodes g:system:bootstrappers:kubeadm:default-node-token
kubeadm:kubelet-bootstrap system:node-bootstrapper g:system:bootstrappers:kubeadm:default-node-token
kubeadm:node-autoapprove-bootstrap system:certificates.k8s.io:certificatesigningrequests:nodeclient g:system:bootstrappers:kubeadm:default-node-token
kubeadm:node-autoapprove-certificate-rotation system:certificates.k8s.io:certificatesigningrequests:selfnodeclient g:system:nodes
kubeadm:node-proxier system:node-proxier s:kube-system/kube-proxy
system:coredns system:coredns s:kube-system/coredns
csi-provisioner-role external-provisioner-runner s:kube-system/csi-provisioner
csi-attacher-role external-attacher-runner s:kube-system/csi-attacher
csi-resizer-role external-resizer-runner s:kube-system/csi-resizer`;

export const ADDED_ROLES = `kube-public/kubeadm:bootstrap-signer-clusterinfo | g - configmaps cluster-info
kube-system/kube-proxy | g - configmaps kube-proxy
kube-system/kubeadm:kubelet-config | g - configmaps kubelet-config
kube-system/kubeadm:nodes-kubeadm-config | g - configmaps kubeadm-config`;

export const ADDED_BINDINGS = `kube-public/kubeadm:bootstrap-signer-clusterinfo kubeadm:bootstrap-signer-clusterinfo u:system:anonymous
kube-system/kube-proxy kube-proxy g:system:bootstrappers:kubeadm:default-node-token
kube-system/kubeadm:kubelet-config kubeadm:kubelet-config g:system:nodes g:system:bootstrappers:kubeadm:default-node-token
kube-system/kubeadm:nodes-kubeadm-config kubeadm:nodes-kubeadm-config g:system:bootstrappers:kubeadm:default-node-token g:system:nodes`;
