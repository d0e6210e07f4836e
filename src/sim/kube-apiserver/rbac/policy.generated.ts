// The default policy that kube-apiserver v1.36 writes (plugin/pkg/auth/authorizer/rbac/bootstrappolicy), as a server answered it. Read by bootstrap-policy.ts.
// A role: "name >labels-of-aggregation <label-it-aggregates | rules". A rule: verbs, groups, resources, names; or verbs and paths.
// Verbs are letters (get list watch create update patch delete Deletecollection) or "+" and words; "-" is the core group. Subjects: u(ser), g(roup), s(ervice account).

/** Every "system:controller:NAME" is also bound to the ServiceAccount kube-system/NAME. */
export const CLUSTER_ROLES = `admin <admin |
cluster-admin | +* * *; +* *
edit >admin <edit |
system:aggregate-to-admin >admin | c authorization.k8s.io localsubjectaccessreviews; cdDglpuw rbac.authorization.k8s.io rolebindings,roles
system:aggregate-to-edit >edit | glw - pods/attach,pods/exec,pods/portforward,pods/proxy,secrets,services/proxy; +impersonate - serviceaccounts; cdDpu - pods,pods/attach,pods/exec,pods/portforward,pods/proxy; c - pods/eviction; cdDpu - configmaps,persistentvolumeclaims,replicationcontrollers,replicationcontrollers/scale,secrets,serviceaccounts,services,services/proxy; c - serviceaccounts/token; cdDpu -,events.k8s.io events; cdDpu apps daemonsets,deployments,deployments/rollback,deployments/scale,replicasets,replicasets/scale,statefulsets,statefulsets/scale; cdDpu autoscaling horizontalpodautoscalers; cdDpu batch cronjobs,jobs; cdDpu extensions daemonsets,deployments,deployments/rollback,deployments/scale,ingresses,networkpolicies,replicasets,replicasets/scale,replicationcontrollers/scale; cdDpu policy poddisruptionbudgets; cdDpu networking.k8s.io ingresses,networkpolicies; cdDglpuw coordination.k8s.io leases; cdDpu resource.k8s.io resourceclaims,resourceclaimtemplates
system:aggregate-to-view >view | glw - configmaps,endpoints,persistentvolumeclaims,persistentvolumeclaims/status,pods,replicationcontrollers,replicationcontrollers/scale,serviceaccounts,services,services/status; glw - bindings,limitranges,namespaces/status,pods/log,pods/status,replicationcontrollers/status,resourcequotas,resourcequotas/status; glw - namespaces; glw -,events.k8s.io events; glw discovery.k8s.io endpointslices; glw apps controllerrevisions,daemonsets,daemonsets/status,deployments,deployments/scale,deployments/status,replicasets,replicasets/scale,replicasets/status,statefulsets,statefulsets/scale,statefulsets/status; glw autoscaling horizontalpodautoscalers,horizontalpodautoscalers/status; glw batch cronjobs,cronjobs/status,jobs,jobs/status; glw extensions daemonsets,daemonsets/status,deployments,deployments/scale,deployments/status,ingresses,ingresses/status,networkpolicies,replicasets,replicasets/scale,replicasets/status,replicationcontrollers/scale; glw policy poddisruptionbudgets,poddisruptionbudgets/status; glw networking.k8s.io ingresses,ingresses/status,networkpolicies; glw resource.k8s.io resourceclaims,resourceclaims/status,resourceclaimtemplates
system:auth-delegator | c authentication.k8s.io tokenreviews; c authorization.k8s.io subjectaccessreviews
system:basic-user | c authorization.k8s.io selfsubjectaccessreviews,selfsubjectrulesreviews; c authentication.k8s.io selfsubjectreviews
system:certificates.k8s.io:certificatesigningrequests:nodeclient | c certificates.k8s.io certificatesigningrequests/nodeclient
system:certificates.k8s.io:certificatesigningrequests:selfnodeclient | c certificates.k8s.io certificatesigningrequests/selfnodeclient
system:certificates.k8s.io:kube-apiserver-client-approver | +approve certificates.k8s.io signers kubernetes.io/kube-apiserver-client
system:certificates.k8s.io:kube-apiserver-client-kubelet-approver | +approve certificates.k8s.io signers kubernetes.io/kube-apiserver-client-kubelet
system:certificates.k8s.io:kubelet-serving-approver | +approve certificates.k8s.io signers kubernetes.io/kubelet-serving
system:certificates.k8s.io:legacy-unknown-approver | +approve certificates.k8s.io signers kubernetes.io/legacy-unknown
system:controller:attachdetach-controller | lw - persistentvolumeclaims,persistentvolumes; glw - nodes; pu - nodes/status; lw - pods; cpu -,events.k8s.io events; cdglw storage.k8s.io volumeattachments; glw storage.k8s.io csidrivers; glw storage.k8s.io csinodes
system:controller:certificate-controller | dglw certificates.k8s.io certificatesigningrequests; u certificates.k8s.io certificatesigningrequests/approval,certificatesigningrequests/status; +approve certificates.k8s.io signers kubernetes.io/kube-apiserver-client-kubelet; +sign certificates.k8s.io signers kubernetes.io/kube-apiserver-client,kubernetes.io/kube-apiserver-client-kubelet,kubernetes.io/kubelet-serving,kubernetes.io/legacy-unknown; c authorization.k8s.io subjectaccessreviews; cpu -,events.k8s.io events
system:controller:clusterrole-aggregation-controller | +escalate,get,list,patch,update,watch rbac.authorization.k8s.io clusterroles
system:controller:cronjob-controller | gluw batch cronjobs; cdglpuw batch jobs; u batch cronjobs/status; u batch cronjobs/finalizers; dlw - pods; cpu -,events.k8s.io events
system:controller:daemon-set-controller | glw apps,extensions daemonsets; u apps,extensions daemonsets/status; u apps,extensions daemonsets/finalizers; lw - nodes; cdlpw - pods; c - pods/binding; cdglpuw apps controllerrevisions; cpu -,events.k8s.io events
system:controller:deployment-controller | gluw apps,extensions deployments; u apps,extensions deployments/status; u apps,extensions deployments/finalizers; cdglpuw apps,extensions replicasets; gluw - pods; cpu -,events.k8s.io events
system:controller:device-taint-eviction-controller | dglw - pods; pu - pods/status; glw resource.k8s.io resourceclaims; glw resource.k8s.io resourceslices; glw resource.k8s.io deviceclasses; cpu -,events.k8s.io events
system:controller:disruption-controller | glw apps,extensions deployments; glw apps,extensions replicasets; glw - replicationcontrollers; glw policy poddisruptionbudgets; glw apps statefulsets; u policy poddisruptionbudgets/status; pu - pods/status; g * */scale; cpu -,events.k8s.io events
system:controller:endpoint-controller | glw - pods,services; cdgluw - endpoints; c - endpoints/restricted; cpu -,events.k8s.io events
system:controller:endpointslice-controller | glw - nodes,pods,services; u - services/finalizers; cdgluw discovery.k8s.io endpointslices; c discovery.k8s.io endpointslices/restricted; cpu -,events.k8s.io events
system:controller:endpointslicemirroring-controller | glw - endpoints,services; u - services/finalizers; cdgluw discovery.k8s.io endpointslices; c discovery.k8s.io endpointslices/restricted; cpu -,events.k8s.io events
system:controller:ephemeral-volume-controller | glw - pods; u - pods/finalizers; cglw - persistentvolumeclaims; cpu -,events.k8s.io events
system:controller:expand-controller | glpuw - persistentvolumes; pu - persistentvolumeclaims/status; glw - persistentvolumeclaims; cpu -,events.k8s.io events
system:controller:generic-garbage-collector | dglpuw * *; cpu -,events.k8s.io events
system:controller:horizontal-pod-autoscaler | glw autoscaling horizontalpodautoscalers; u autoscaling horizontalpodautoscalers/status; gu * */scale; lw - pods; lw metrics.k8s.io pods; glw custom.metrics.k8s.io *; glw external.metrics.k8s.io *; cpu -,events.k8s.io events
system:controller:job-controller | glpuw batch jobs; u batch jobs/status; u batch jobs/finalizers; cdlpw - pods; cpu -,events.k8s.io events
system:controller:legacy-service-account-token-cleaner | g - configmaps kube-apiserver-legacy-service-account-token-tracking; dp - secrets
system:controller:namespace-controller | dglw - namespaces; u - namespaces/finalize,namespaces/status; dDglw * *
system:controller:node-controller | dglpuw - nodes; pu - nodes/status; pu - pods/status; dglw - pods; cpu -,events.k8s.io events
system:controller:persistent-volume-binder | cdgluw - persistentvolumes; u - persistentvolumes/status; gluw - persistentvolumeclaims; u - persistentvolumeclaims/status; cdglw - pods; glw storage.k8s.io storageclasses; lw - nodes; cpu -,events.k8s.io events; w - events
system:controller:pod-garbage-collector | dlw - pods; glw - nodes; p - pods/status
system:controller:pv-protection-controller | gluw - persistentvolumes; cpu -,events.k8s.io events
system:controller:pvc-protection-controller | gluw - persistentvolumeclaims; u - persistentvolumeclaims/status; glw - pods; cpu -,events.k8s.io events
system:controller:replicaset-controller | gluw apps,extensions replicasets; u apps,extensions replicasets/status; u apps,extensions replicasets/finalizers; cdlpw - pods; cpu -,events.k8s.io events
system:controller:replication-controller | gluw - replicationcontrollers; u - replicationcontrollers/status; u - replicationcontrollers/finalizers; cdlpw - pods; cpu -,events.k8s.io events
system:controller:resource-claim-controller | glw - pods; u - pods/finalizers; cdglw resource.k8s.io resourceclaims; pu resource.k8s.io resourceclaims,resourceclaims/status; pu - pods/status; cpu -,events.k8s.io events; pu resource.k8s.io resourceclaims/binding
system:controller:resourcequota-controller | lw * *; u - resourcequotas/status; cpu -,events.k8s.io events
system:controller:root-ca-cert-publisher | cu - configmaps; cpu -,events.k8s.io events
system:controller:route-controller | lw - nodes; p - nodes/status; cpu -,events.k8s.io events
system:controller:selinux-warning-controller | cpu -,events.k8s.io events; glw - persistentvolumes; glw - persistentvolumeclaims; glw - pods; glw storage.k8s.io csidrivers
system:controller:service-account-controller | c - serviceaccounts; cpu -,events.k8s.io events
system:controller:service-cidrs-controller | glpuw networking.k8s.io servicecidrs; pu networking.k8s.io servicecidrs/finalizers; pu networking.k8s.io servicecidrs/status; glw networking.k8s.io ipaddresses; cpu -,events.k8s.io events
system:controller:service-controller | glw - services; pu - services/status; lw - nodes; cpu -,events.k8s.io events
system:controller:statefulset-controller | lw - pods; glw apps statefulsets; u apps statefulsets/status; u apps statefulsets/finalizers; cdgpu - pods; cdglpuw apps controllerrevisions; cglw - persistentvolumeclaims; du - persistentvolumeclaims; u - pods/finalizers; cpu -,events.k8s.io events
system:controller:ttl-after-finished-controller | dglw batch jobs; cpu -,events.k8s.io events
system:controller:ttl-controller | lpuw - nodes; cpu -,events.k8s.io events
system:controller:validatingadmissionpolicy-status-controller | glw admissionregistration.k8s.io validatingadmissionpolicies; gpu admissionregistration.k8s.io validatingadmissionpolicies/status; cpu -,events.k8s.io events
system:controller:volumeattributesclass-protection-controller | glw - persistentvolumeclaims; glw - persistentvolumes; gluw storage.k8s.io volumeattributesclasses; cpu -,events.k8s.io events
system:discovery | g /api,/api/*,/apis,/apis/*,/healthz,/livez,/openapi,/openapi/*,/readyz,/version,/version/
system:heapster | glw - events,namespaces,nodes,pods; glw extensions deployments
system:kube-aggregator | glw - endpoints,services
system:kube-controller-manager | cpu -,events.k8s.io events; c coordination.k8s.io leases; gu coordination.k8s.io leases kube-controller-manager; c - secrets,serviceaccounts; d - secrets; g - configmaps,namespaces,secrets,serviceaccounts; u - secrets,serviceaccounts; c authentication.k8s.io tokenreviews; c authorization.k8s.io subjectaccessreviews; lw * *; c - serviceaccounts/token
system:kube-dns | lw - endpoints,services
system:kube-scheduler | cpu -,events.k8s.io events; c coordination.k8s.io leases; gluw coordination.k8s.io leases kube-scheduler; cdDglpuw coordination.k8s.io leasecandidates; glw - nodes; dglw - pods; c - bindings,pods/binding; pu - pods/status; glw - replicationcontrollers,services; glw apps,extensions replicasets; glw apps statefulsets; glw policy poddisruptionbudgets; glw - persistentvolumeclaims,persistentvolumes; c authentication.k8s.io tokenreviews; c authorization.k8s.io subjectaccessreviews; glw storage.k8s.io csinodes; glw storage.k8s.io volumeattachments; glw - namespaces; glw storage.k8s.io csidrivers; glw storage.k8s.io csistoragecapacities; glw resource.k8s.io deviceclasses; glpuw resource.k8s.io resourceclaims; glpuw resource.k8s.io resourceclaims/status; u - pods/finalizers; glw resource.k8s.io resourceslices; cd resource.k8s.io resourceclaims; pu resource.k8s.io resourceclaims/binding
system:kubelet-api-admin | glw - nodes; +proxy - nodes; +* - nodes/log,nodes/metrics,nodes/proxy,nodes/stats; +* - nodes/configz,nodes/healthz,nodes/pods
system:monitoring | g /flagz,/healthz,/healthz/*,/livez,/livez/*,/metrics,/metrics/slis,/readyz,/readyz/*,/statusz; g - nodes/metrics
system:node | c authentication.k8s.io tokenreviews; c authorization.k8s.io localsubjectaccessreviews,subjectaccessreviews; glw - services; cglw - nodes; pu - nodes/status; pu - nodes; cpu -,events.k8s.io events; glw - pods; cd - pods; pu - pods/status; c - pods/eviction; glw - configmaps,secrets; g - persistentvolumeclaims,persistentvolumes; g - endpoints; cglw certificates.k8s.io certificatesigningrequests; cdgpu coordination.k8s.io leases; g storage.k8s.io volumeattachments; c - serviceaccounts/token; gpu - persistentvolumeclaims/status; glw storage.k8s.io csidrivers; cdgpu storage.k8s.io csinodes; glw node.k8s.io runtimeclasses; g resource.k8s.io resourceclaims; D resource.k8s.io resourceslices; g - serviceaccounts
system:node-bootstrapper | cglw certificates.k8s.io certificatesigningrequests
system:node-problem-detector | g - nodes; p - nodes/status; cpu -,events.k8s.io events
system:node-proxier | lw - endpoints,services; glw - nodes; cpu -,events.k8s.io events; lw networking.k8s.io servicecidrs; lw discovery.k8s.io endpointslices
system:persistent-volume-provisioner | cdglw - persistentvolumes; gluw - persistentvolumeclaims; glw storage.k8s.io storageclasses; w - events; cpu -,events.k8s.io events
system:public-info-viewer | g /healthz,/livez,/readyz,/version,/version/
system:service-account-issuer-discovery | g /.well-known/openid-configuration,/.well-known/openid-configuration/,/openid/v1/jwks,/openid/v1/jwks/
system:volume-scheduler | glpuw - persistentvolumes; glw storage.k8s.io storageclasses; glpuw - persistentvolumeclaims
view >edit <view |`;

/** "name subjects": the role has the binding's name. */
export const CLUSTER_ROLE_BINDINGS = `cluster-admin g:system:masters
system:basic-user g:system:authenticated
system:discovery g:system:authenticated
system:kube-controller-manager u:system:kube-controller-manager
system:kube-dns s:kube-system/kube-dns
system:kube-scheduler u:system:kube-scheduler
system:monitoring g:system:monitoring
system:node
system:node-proxier u:system:kube-proxy
system:public-info-viewer g:system:authenticated g:system:unauthenticated
system:service-account-issuer-discovery g:system:serviceaccounts
system:volume-scheduler u:system:kube-scheduler`;

export const ROLES = `kube-public/system:controller:bootstrap-signer | glw - configmaps; u - configmaps cluster-info; cpu -,events.k8s.io events
kube-system/extension-apiserver-authentication-reader | glw - configmaps extension-apiserver-authentication
kube-system/system::leader-locking-kube-controller-manager | cgluw coordination.k8s.io leases; cgluw coordination.k8s.io leasecandidates
kube-system/system::leader-locking-kube-scheduler | cgluw coordination.k8s.io leases; cgluw coordination.k8s.io leasecandidates
kube-system/system:controller:bootstrap-signer | glw - secrets
kube-system/system:controller:cloud-provider | cglw - configmaps
kube-system/system:controller:token-cleaner | dglw - secrets; cpu -,events.k8s.io events`;

/** "namespace/name role subjects" */
export const ROLE_BINDINGS = `kube-public/system:controller:bootstrap-signer system:controller:bootstrap-signer s:kube-system/bootstrap-signer
kube-system/system::extension-apiserver-authentication-reader extension-apiserver-authentication-reader u:system:kube-controller-manager u:system:kube-scheduler
kube-system/system::leader-locking-kube-controller-manager system::leader-locking-kube-controller-manager u:system:kube-controller-manager s:kube-system/kube-controller-manager s:kube-system/leader-election-controller
kube-system/system::leader-locking-kube-scheduler system::leader-locking-kube-scheduler u:system:kube-scheduler s:kube-system/kube-scheduler
kube-system/system:controller:bootstrap-signer system:controller:bootstrap-signer s:kube-system/bootstrap-signer
kube-system/system:controller:cloud-provider system:controller:cloud-provider s:kube-system/cloud-provider
kube-system/system:controller:token-cleaner system:controller:token-cleaner s:kube-system/token-cleaner`;
