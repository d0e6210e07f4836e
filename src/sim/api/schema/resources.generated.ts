// What API discovery of Kubernetes v1.36 answers. Read by resources.ts.
// "=group/version", then one resource a line: plural, Kind, (n)amespaced or (c)luster, short names, subresources, categories.
export const RESOURCES = `=v1
bindings Binding n - - - create-only
componentstatuses ComponentStatus c cs - -
configmaps ConfigMap n cm - -
endpoints Endpoints n ep - -
events Event n ev - -
limitranges LimitRange n limits - -
namespaces Namespace c ns finalize,status -
nodes Node c no proxy,status -
persistentvolumeclaims PersistentVolumeClaim n pvc status -
persistentvolumes PersistentVolume c pv status -
pods Pod n po attach,binding,ephemeralcontainers,eviction,exec,log,portforward,proxy,resize,status all
podtemplates PodTemplate n - - -
replicationcontrollers ReplicationController n rc scale,status all
resourcequotas ResourceQuota n quota status -
secrets Secret n - - -
serviceaccounts ServiceAccount n sa token -
services Service n svc proxy,status all
=apps/v1
controllerrevisions ControllerRevision n - - -
daemonsets DaemonSet n ds status all
deployments Deployment n deploy scale,status all
replicasets ReplicaSet n rs scale,status all
statefulsets StatefulSet n sts scale,status all
=batch/v1
cronjobs CronJob n cj status all
jobs Job n - status all
=autoscaling/v2
horizontalpodautoscalers HorizontalPodAutoscaler n hpa status all
=autoscaling/v1
horizontalpodautoscalers HorizontalPodAutoscaler n hpa status all
=policy/v1
poddisruptionbudgets PodDisruptionBudget n pdb status -
=networking.k8s.io/v1
ingressclasses IngressClass c - - -
ingresses Ingress n ing status -
ipaddresses IPAddress c ip - -
networkpolicies NetworkPolicy n netpol - -
servicecidrs ServiceCIDR c - status -
=rbac.authorization.k8s.io/v1
clusterrolebindings ClusterRoleBinding c - - -
clusterroles ClusterRole c - - -
rolebindings RoleBinding n - - -
roles Role n - - -
=storage.k8s.io/v1
csidrivers CSIDriver c - - -
csinodes CSINode c - - -
csistoragecapacities CSIStorageCapacity n - - -
storageclasses StorageClass c sc - -
volumeattachments VolumeAttachment c - status -
volumeattributesclasses VolumeAttributesClass c vac - -
=scheduling.k8s.io/v1
priorityclasses PriorityClass c pc - -
=coordination.k8s.io/v1
leases Lease n - - -
=discovery.k8s.io/v1
endpointslices EndpointSlice n - - -
=node.k8s.io/v1
runtimeclasses RuntimeClass c - - -
=events.k8s.io/v1
events Event n ev - -
=admissionregistration.k8s.io/v1
mutatingadmissionpolicies MutatingAdmissionPolicy c - - api-extensions
mutatingadmissionpolicybindings MutatingAdmissionPolicyBinding c - - api-extensions
mutatingwebhookconfigurations MutatingWebhookConfiguration c - - api-extensions
validatingadmissionpolicies ValidatingAdmissionPolicy c - status api-extensions
validatingadmissionpolicybindings ValidatingAdmissionPolicyBinding c - - api-extensions
validatingwebhookconfigurations ValidatingWebhookConfiguration c - - api-extensions
=apiextensions.k8s.io/v1
customresourcedefinitions CustomResourceDefinition c crd,crds status api-extensions
=apiregistration.k8s.io/v1
apiservices APIService c - status api-extensions
=certificates.k8s.io/v1
certificatesigningrequests CertificateSigningRequest c csr approval,status -
=resource.k8s.io/v1
deviceclasses DeviceClass c - - -
resourceclaims ResourceClaim n - status -
resourceclaimtemplates ResourceClaimTemplate n - - -
resourceslices ResourceSlice c - - -
=flowcontrol.apiserver.k8s.io/v1
flowschemas FlowSchema c - status -
prioritylevelconfigurations PriorityLevelConfiguration c - status -
=authorization.k8s.io/v1
localsubjectaccessreviews LocalSubjectAccessReview n - - - create-only
selfsubjectaccessreviews SelfSubjectAccessReview c - - - create-only
selfsubjectrulesreviews SelfSubjectRulesReview c - - - create-only
subjectaccessreviews SubjectAccessReview c - - - create-only
=authentication.k8s.io/v1
selfsubjectreviews SelfSubjectReview c - - - create-only
tokenreviews TokenReview c - - - create-only`;
