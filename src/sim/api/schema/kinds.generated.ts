// Facts of the Kubernetes v1.36 API: kinds, field names, Go types, enums, list merge keys. Read by schema.ts.
// "=group/version Kind ..." | "Type:field type,..." | "StringType|value|..."; "X@pkg" tells equal names of two packages apart.
// Types: s string, b bool, i int32, l int64, f float64, y []byte, T Time, M MicroTime, D Duration, Q Quantity, I IntOrString,
// R RawExtension, J any JSON, F FieldsV1, UID types.UID. Then: ? omitted when zero, * pointer, ~ omitted when a zero struct, ! null when unset.
// Then "%key" merge patch strategy with its key, "^" retainKeys, "#k+k" keys of a map-like list ("#" alone: a set).
export const KINDS = `=v1 PersistentVolume PersistentVolumeClaim Pod PodTemplate ReplicationController Service ServiceAccount Endpoints Node Namespace Binding Event LimitRange ResourceQuota Secret ConfigMap Status DeleteOptions
=apps/v1 StatefulSet Deployment DaemonSet ReplicaSet ControllerRevision
=batch/v1 Job CronJob
=autoscaling/v1 HorizontalPodAutoscaler Scale
=autoscaling/v2 HorizontalPodAutoscaler@v2
=policy/v1 PodDisruptionBudget Eviction
=networking.k8s.io/v1 NetworkPolicy Ingress IngressClass IPAddress ServiceCIDR
=rbac.authorization.k8s.io/v1 Role RoleBinding ClusterRole ClusterRoleBinding
=storage.k8s.io/v1 StorageClass VolumeAttachment CSIDriver CSINode CSIStorageCapacity VolumeAttributesClass
=scheduling.k8s.io/v1 PriorityClass
=coordination.k8s.io/v1 Lease
=discovery.k8s.io/v1 EndpointSlice
=node.k8s.io/v1 RuntimeClass
=events.k8s.io/v1 Event@events
=admissionregistration.k8s.io/v1 ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding ValidatingWebhookConfiguration MutatingWebhookConfiguration MutatingAdmissionPolicy MutatingAdmissionPolicyBinding
=apiextensions.k8s.io/v1 CustomResourceDefinition
=certificates.k8s.io/v1 CertificateSigningRequest
=resource.k8s.io/v1 ResourceSlice ResourceClaim@resource DeviceClass ResourceClaimTemplate
=flowcontrol.apiserver.k8s.io/v1 FlowSchema PriorityLevelConfiguration
=authorization.k8s.io/v1 SubjectAccessReview SelfSubjectAccessReview LocalSubjectAccessReview SelfSubjectRulesReview
=authentication.k8s.io/v1 TokenReview TokenRequest@authentication SelfSubjectReview
AWSElasticBlockStoreVolumeSource:volumeID s,fsType s?,partition i?,readOnly b?
Affinity:nodeAffinity NodeAffinity*,podAffinity PodAffinity*,podAntiAffinity PodAntiAffinity*
AggregationRule:clusterRoleSelectors []LabelSelector?
AllocatedDeviceStatus:driver s,pool s,device s,shareID s*,conditions []Condition#type,data R*,networkData NetworkDeviceData*
AllocationResult:devices DeviceAllocationResult,nodeSelector NodeSelector*,allocationTimestamp T*
AppArmorProfile:type AppArmorProfileType,localhostProfile s*
ApplyConfiguration:expression s?
AttachedVolume:name UniqueVolumeName,devicePath s
AuditAnnotation:key s,valueExpression s
AzureDiskVolumeSource:diskName s,diskURI s,cachingMode AzureDataDiskCachingMode*,fsType s*,readOnly b*,kind AzureDataDiskKind*
AzureFilePersistentVolumeSource:secretName s,shareName s,readOnly b?,secretNamespace s!
AzureFileVolumeSource:secretName s,shareName s,readOnly b?
Binding:kind s?,apiVersion s?,metadata ObjectMeta,target ObjectReference
BoundObjectReference:kind s?,apiVersion s?,name s?,uid UID?
CELDeviceSelector:expression s
CSIDriver:kind s?,apiVersion s?,metadata ObjectMeta,spec CSIDriverSpec
CSIDriverSpec:attachRequired b*,podInfoOnMount b*,volumeLifecycleModes []VolumeLifecycleMode?#,storageCapacity b*,fsGroupPolicy FSGroupPolicy*,tokenRequests []TokenRequest?,requiresRepublish b*,seLinuxMount b*,nodeAllocatableUpdatePeriodSeconds l*,serviceAccountTokenInSecrets b*,preventPodSchedulingIfMissing b*
CSINode:kind s?,apiVersion s?,metadata ObjectMeta,spec CSINodeSpec
CSINodeDriver:name s,nodeID s,topologyKeys []s,allocatable VolumeNodeResources*
CSINodeSpec:drivers []CSINodeDriver%name
CSIPersistentVolumeSource:driver s,volumeHandle s,readOnly b?,fsType s?,volumeAttributes {}s?,controllerPublishSecretRef SecretReference*,nodeStageSecretRef SecretReference*,nodePublishSecretRef SecretReference*,controllerExpandSecretRef SecretReference*,nodeExpandSecretRef SecretReference*
CSIStorageCapacity:kind s?,apiVersion s?,metadata ObjectMeta,nodeTopology LabelSelector*,storageClassName s,capacity Q*,maximumVolumeSize Q*
CSIVolumeSource:driver s,readOnly b*,fsType s*,volumeAttributes {}s?,nodePublishSecretRef LocalObjectReference*
Capabilities:add []Capability?,drop []Capability?
CapacityRequestPolicy:default Q*,validValues []Q?,validRange CapacityRequestPolicyRange*
CapacityRequestPolicyRange:min Q*,max Q*,step Q*
CapacityRequirements:requests {}Q?
CephFSPersistentVolumeSource:monitors []s,path s?,user s?,secretFile s?,secretRef SecretReference*,readOnly b?
CephFSVolumeSource:monitors []s,path s?,user s?,secretFile s?,secretRef LocalObjectReference*,readOnly b?
CertificateSigningRequest:kind s?,apiVersion s?,metadata ObjectMeta,spec CertificateSigningRequestSpec,status CertificateSigningRequestStatus
CertificateSigningRequestCondition:type RequestConditionType,status ConditionStatus@core,reason s?,message s?,lastUpdateTime T,lastTransitionTime T
CertificateSigningRequestSpec:request y,signerName s,expirationSeconds i*,usages []KeyUsage?,username s?,uid s?,groups []s?,extra {}[]s?
CertificateSigningRequestStatus:conditions []CertificateSigningRequestCondition?#type,certificate y?
CinderPersistentVolumeSource:volumeID s,fsType s?,readOnly b?,secretRef SecretReference*
CinderVolumeSource:volumeID s,fsType s?,readOnly b?,secretRef LocalObjectReference*
ClientIPConfig:timeoutSeconds i*
ClusterRole:kind s?,apiVersion s?,metadata ObjectMeta,rules []PolicyRule,aggregationRule AggregationRule*
ClusterRoleBinding:kind s?,apiVersion s?,metadata ObjectMeta,subjects []Subject?,roleRef RoleRef
ClusterTrustBundleProjection:name s*,signerName s*,labelSelector LabelSelector*,optional b*,path s
Condition:type s,status ConditionStatus,observedGeneration l?,lastTransitionTime T,reason s,message s
ConfigMap:kind s?,apiVersion s?,metadata ObjectMeta,immutable b*,data {}s?,binaryData {}y?
ConfigMapEnvSource:name s?,optional b*
ConfigMapKeySelector:name s?,key s,optional b*
ConfigMapNodeConfigSource:namespace s,name s,uid UID?,resourceVersion s?,kubeletConfigKey s
ConfigMapProjection:name s?,items []KeyToPath?,optional b*
ConfigMapVolumeSource:name s?,items []KeyToPath?,defaultMode i*,optional b*
Container:name s,image s?,command []s?,args []s?,workingDir s?,ports []ContainerPort?%containerPort#containerPort+protocol,envFrom []EnvFromSource?,env []EnvVar?%name,resources ResourceRequirements,resizePolicy []ContainerResizePolicy?,restartPolicy ContainerRestartPolicy*,restartPolicyRules []ContainerRestartRule?,volumeMounts []VolumeMount?%mountPath,volumeDevices []VolumeDevice?%devicePath,livenessProbe Probe*,readinessProbe Probe*,startupProbe Probe*,lifecycle Lifecycle*,terminationMessagePath s?,terminationMessagePolicy TerminationMessagePolicy?,imagePullPolicy PullPolicy?,securityContext SecurityContext*,stdin b?,stdinOnce b?,tty b?
ContainerExtendedResourceRequest:containerName s,resourceName s,requestName s
ContainerImage:names []s,sizeBytes l?
ContainerPort:name s?,hostPort i?,containerPort i,protocol Protocol?,hostIP s?
ContainerResizePolicy:resourceName ResourceName,restartPolicy ResourceResizeRestartPolicy
ContainerResourceMetricSource@v2:name ResourceName,target MetricTarget@v2,container s
ContainerResourceMetricStatus@v2:name ResourceName,current MetricValueStatus@v2,container s
ContainerRestartRule:action ContainerRestartRuleAction?,exitCodes ContainerRestartRuleOnExitCodes*
ContainerRestartRuleOnExitCodes:operator ContainerRestartRuleOnExitCodesOperator?,values []i?#
ContainerState:waiting ContainerStateWaiting*,running ContainerStateRunning*,terminated ContainerStateTerminated*
ContainerStateRunning:startedAt T
ContainerStateTerminated:exitCode i,signal i?,reason s?,message s?,startedAt T,finishedAt T,containerID s?
ContainerStateWaiting:reason s?,message s?
ContainerStatus:name s,state ContainerState,lastState ContainerState,ready b,restartCount i,image s,imageID s,containerID s?,started b*,allocatedResources {}Q?,resources ResourceRequirements*,volumeMounts []VolumeMountStatus?%mountPath,user ContainerUser*,allocatedResourcesStatus []ResourceStatus?%name,stopSignal Signal*
ContainerUser:linux LinuxContainerUser*
ControllerRevision:kind s?,apiVersion s?,metadata ObjectMeta,data R,revision l
Counter:value Q
CounterSet:name s,counters {}Counter?
CronJob:kind s?,apiVersion s?,metadata ObjectMeta,spec CronJobSpec,status CronJobStatus
CronJobSpec:schedule s,timeZone s*,startingDeadlineSeconds l*,concurrencyPolicy ConcurrencyPolicy?,suspend b*,jobTemplate JobTemplateSpec,successfulJobsHistoryLimit i*,failedJobsHistoryLimit i*
CronJobStatus:active []ObjectReference?,lastScheduleTime T*,lastSuccessfulTime T*
CrossVersionObjectReference:kind s,name s,apiVersion s?
CrossVersionObjectReference@v2:kind s,name s,apiVersion s?
CustomResourceColumnDefinition:name s,type s,format s?,description s?,priority i?,jsonPath s
CustomResourceConversion:strategy ConversionStrategyType,webhook WebhookConversion*
CustomResourceDefinition:kind s?,apiVersion s?,metadata ObjectMeta,spec CustomResourceDefinitionSpec,status CustomResourceDefinitionStatus
CustomResourceDefinitionCondition:type CustomResourceDefinitionConditionType,status ConditionStatus@apiext,lastTransitionTime T,reason s?,message s?,observedGeneration l?
CustomResourceDefinitionNames:plural s,singular s?,shortNames []s?,kind s,listKind s?,categories []s?
CustomResourceDefinitionSpec:group s,names CustomResourceDefinitionNames,scope ResourceScope,versions []CustomResourceDefinitionVersion,conversion CustomResourceConversion*,preserveUnknownFields b?
CustomResourceDefinitionStatus:conditions []CustomResourceDefinitionCondition#type,acceptedNames CustomResourceDefinitionNames,storedVersions []s,observedGeneration l?
CustomResourceDefinitionVersion:name s,served b,storage b,deprecated b?,deprecationWarning s*,schema CustomResourceValidation*,subresources CustomResourceSubresources*,additionalPrinterColumns []CustomResourceColumnDefinition?,selectableFields []SelectableField?
CustomResourceSubresourceScale:specReplicasPath s,statusReplicasPath s,labelSelectorPath s*
CustomResourceSubresources:status J*,scale CustomResourceSubresourceScale*
CustomResourceValidation:openAPIV3Schema JSONSchemaProps*
DaemonEndpoint:Port i
DaemonSet:kind s?,apiVersion s?,metadata ObjectMeta,spec DaemonSetSpec,status DaemonSetStatus
DaemonSetCondition:type DaemonSetConditionType,status ConditionStatus@core,lastTransitionTime T,reason s?,message s?
DaemonSetSpec:selector LabelSelector*,template PodTemplateSpec,updateStrategy DaemonSetUpdateStrategy,minReadySeconds i?,revisionHistoryLimit i*
DaemonSetStatus:currentNumberScheduled i,numberMisscheduled i,desiredNumberScheduled i,numberReady i,observedGeneration l?,updatedNumberScheduled i?,numberAvailable i?,numberUnavailable i?,collisionCount i*,conditions []DaemonSetCondition?%type
DaemonSetUpdateStrategy:type DaemonSetUpdateStrategyType?,rollingUpdate RollingUpdateDaemonSet*
DeleteOptions:kind s?,apiVersion s?,gracePeriodSeconds l*,preconditions Preconditions*,orphanDependents b*,propagationPolicy DeletionPropagation*,dryRun []s?,ignoreStoreReadErrorWithClusterBreakingPotential b*
Deployment:kind s?,apiVersion s?,metadata ObjectMeta,spec DeploymentSpec,status DeploymentStatus
DeploymentCondition:type DeploymentConditionType,status ConditionStatus@core,lastUpdateTime T,lastTransitionTime T,reason s?,message s?
DeploymentSpec:replicas i*,selector LabelSelector*,template PodTemplateSpec,strategy DeploymentStrategy^,minReadySeconds i?,revisionHistoryLimit i*,paused b?,progressDeadlineSeconds i*
DeploymentStatus:observedGeneration l?,replicas i?,updatedReplicas i?,readyReplicas i?,availableReplicas i?,unavailableReplicas i?,terminatingReplicas i*,conditions []DeploymentCondition?%type,collisionCount i*
DeploymentStrategy:type DeploymentStrategyType?,rollingUpdate RollingUpdateDeployment*
Device:name s,attributes {}DeviceAttribute?,capacity {}DeviceCapacity?,consumesCounters []DeviceCounterConsumption?,nodeName s*,nodeSelector NodeSelector*,allNodes b*,taints []DeviceTaint?,bindsToNode b*,bindingConditions []s?,bindingFailureConditions []s?,allowMultipleAllocations b*,nodeAllocatableResourceMappings {}NodeAllocatableResourceMapping?
DeviceAllocationConfiguration:source AllocationConfigSource,requests []s?,opaque OpaqueDeviceConfiguration*
DeviceAllocationResult:results []DeviceRequestAllocationResult?,config []DeviceAllocationConfiguration?
DeviceAttribute:int l*,bool b*,string s*,version s*,ints []l?,bools []b?,strings []s?,versions []s?
DeviceCapacity:value Q,requestPolicy CapacityRequestPolicy*
DeviceClaim:requests []DeviceRequest,constraints []DeviceConstraint?,config []DeviceClaimConfiguration?
DeviceClaimConfiguration:requests []s?,opaque OpaqueDeviceConfiguration*
DeviceClass:kind s?,apiVersion s?,metadata ObjectMeta,spec DeviceClassSpec
DeviceClassConfiguration:opaque OpaqueDeviceConfiguration*
DeviceClassSpec:selectors []DeviceSelector?,config []DeviceClassConfiguration?,extendedResourceName s*
DeviceConstraint:requests []s?,matchAttribute FullyQualifiedName*,distinctAttribute FullyQualifiedName*
DeviceCounterConsumption:counterSet s,counters {}Counter?
DeviceRequest:name s,exactly ExactDeviceRequest*,firstAvailable []DeviceSubRequest?
DeviceRequestAllocationResult:request s,driver s,pool s,device s,adminAccess b*,tolerations []DeviceToleration?,bindingConditions []s?,bindingFailureConditions []s?,shareID UID*,consumedCapacity {}Q?
DeviceSelector:cel CELDeviceSelector*
DeviceSubRequest:name s,deviceClassName s,selectors []DeviceSelector?,allocationMode DeviceAllocationMode?,count l?,tolerations []DeviceToleration?,capacity CapacityRequirements*
DeviceTaint:key s,value s?,effect DeviceTaintEffect,timeAdded T*
DeviceToleration:key s?,operator DeviceTolerationOperator?,value s?,effect DeviceTaintEffect?,tolerationSeconds l*
DownwardAPIProjection:items []DownwardAPIVolumeFile?
DownwardAPIVolumeFile:path s,fieldRef ObjectFieldSelector*,resourceFieldRef ResourceFieldSelector*,mode i*
DownwardAPIVolumeSource:items []DownwardAPIVolumeFile?,defaultMode i*
EmptyDirVolumeSource:medium StorageMedium?,sizeLimit Q*
Endpoint:addresses []s#,conditions EndpointConditions,hostname s*,targetRef ObjectReference*,deprecatedTopology {}s?,nodeName s*,zone s*,hints EndpointHints*
EndpointAddress:ip s,hostname s?,nodeName s*,targetRef ObjectReference*
EndpointConditions:ready b*,serving b*,terminating b*
EndpointHints:forZones []ForZone?,forNodes []ForNode?
EndpointPort:name s?,port i,protocol Protocol?,appProtocol s*
EndpointPort@discovery:name s*,protocol Protocol*,port i*,appProtocol s*
EndpointSlice:kind s?,apiVersion s?,metadata ObjectMeta,addressType AddressType,endpoints []Endpoint,ports []EndpointPort@discovery
EndpointSubset:addresses []EndpointAddress?,notReadyAddresses []EndpointAddress?,ports []EndpointPort?
Endpoints:kind s?,apiVersion s?,metadata ObjectMeta,subsets []EndpointSubset?
EnvFromSource:prefix s?,configMapRef ConfigMapEnvSource*,secretRef SecretEnvSource*
EnvVar:name s,value s?,valueFrom EnvVarSource*
EnvVarSource:fieldRef ObjectFieldSelector*,resourceFieldRef ResourceFieldSelector*,configMapKeyRef ConfigMapKeySelector*,secretKeyRef SecretKeySelector*,fileKeyRef FileKeySelector*
EphemeralContainer:name s,image s?,command []s?,args []s?,workingDir s?,ports []ContainerPort?%containerPort#containerPort+protocol,envFrom []EnvFromSource?,env []EnvVar?%name,resources ResourceRequirements,resizePolicy []ContainerResizePolicy?,restartPolicy ContainerRestartPolicy*,restartPolicyRules []ContainerRestartRule?,volumeMounts []VolumeMount?%mountPath,volumeDevices []VolumeDevice?%devicePath,livenessProbe Probe*,readinessProbe Probe*,startupProbe Probe*,lifecycle Lifecycle*,terminationMessagePath s?,terminationMessagePolicy TerminationMessagePolicy?,imagePullPolicy PullPolicy?,securityContext SecurityContext*,stdin b?,stdinOnce b?,tty b?,targetContainerName s?
EphemeralVolumeSource:volumeClaimTemplate PersistentVolumeClaimTemplate*
Event:kind s?,apiVersion s?,metadata ObjectMeta,involvedObject ObjectReference,reason s?,message s?,source EventSource,firstTimestamp T,lastTimestamp T,count i?,type s?,eventTime M,series EventSeries*,action s?,related ObjectReference*,reportingComponent s,reportingInstance s
Event@events:kind s?,apiVersion s?,metadata ObjectMeta,eventTime M,series EventSeries@events*,reportingController s?,reportingInstance s?,action s?,reason s?,regarding ObjectReference,related ObjectReference*,note s?,type s?,deprecatedSource EventSource,deprecatedFirstTimestamp T,deprecatedLastTimestamp T,deprecatedCount i?
EventSeries:count i?,lastObservedTime M
EventSeries@events:count i,lastObservedTime M
EventSource:component s?,host s?
Eviction:kind s?,apiVersion s?,metadata ObjectMeta,deleteOptions DeleteOptions*
ExactDeviceRequest:deviceClassName s,selectors []DeviceSelector?,allocationMode DeviceAllocationMode?,count l?,adminAccess b*,tolerations []DeviceToleration?,capacity CapacityRequirements*
ExecAction:command []s?
ExemptPriorityLevelConfiguration:nominalConcurrencyShares i*,lendablePercent i*
ExpressionWarning:fieldRef s,warning s
ExternalDocumentation:description s?,url s?
ExternalMetricSource@v2:metric MetricIdentifier@v2,target MetricTarget@v2
ExternalMetricStatus@v2:metric MetricIdentifier@v2,current MetricValueStatus@v2
FCVolumeSource:targetWWNs []s?,lun i*,fsType s?,readOnly b?,wwids []s?
FieldSelectorAttributes:rawSelector s?,requirements []FieldSelectorRequirement?
FieldSelectorRequirement:key s,operator FieldSelectorOperator,values []s?
FileKeySelector:volumeName s,path s,key s,optional b*
FlexPersistentVolumeSource:driver s,fsType s?,secretRef SecretReference*,readOnly b?,options {}s?
FlexVolumeSource:driver s,fsType s?,secretRef LocalObjectReference*,readOnly b?,options {}s?
FlockerVolumeSource:datasetName s?,datasetUUID s?
FlowDistinguisherMethod:type FlowDistinguisherMethodType
FlowSchema:kind s?,apiVersion s?,metadata ObjectMeta,spec FlowSchemaSpec,status FlowSchemaStatus
FlowSchemaCondition:type FlowSchemaConditionType?,status ConditionStatus@flowcontrol?,lastTransitionTime T,reason s?,message s?
FlowSchemaSpec:priorityLevelConfiguration PriorityLevelConfigurationReference,matchingPrecedence i,distinguisherMethod FlowDistinguisherMethod*,rules []PolicyRulesWithSubjects?
FlowSchemaStatus:conditions []FlowSchemaCondition?%type
ForNode:name s
ForZone:name s
GCEPersistentDiskVolumeSource:pdName s,fsType s?,partition i?,readOnly b?
GRPCAction:port i,service s*
GitRepoVolumeSource:repository s,revision s?,directory s?
GlusterfsPersistentVolumeSource:endpoints s,path s,readOnly b?,endpointsNamespace s*
GlusterfsVolumeSource:endpoints s,path s,readOnly b?
GroupSubject:name s
HPAScalingPolicy@v2:type HPAScalingPolicyType@v2,value i,periodSeconds i
HPAScalingRules@v2:stabilizationWindowSeconds i*,selectPolicy ScalingPolicySelect@v2*,policies []HPAScalingPolicy@v2*,tolerance Q*
HTTPGetAction:path s?,port I,host s?,scheme URIScheme?,httpHeaders []HTTPHeader?
HTTPHeader:name s,value s
HTTPIngressPath:path s?,pathType PathType*,backend IngressBackend
HTTPIngressRuleValue:paths []HTTPIngressPath
HorizontalPodAutoscaler:kind s?,apiVersion s?,metadata ObjectMeta,spec HorizontalPodAutoscalerSpec,status HorizontalPodAutoscalerStatus
HorizontalPodAutoscaler@v2:kind s?,apiVersion s?,metadata ObjectMeta,spec HorizontalPodAutoscalerSpec@v2,status HorizontalPodAutoscalerStatus@v2
HorizontalPodAutoscalerBehavior@v2:scaleUp HPAScalingRules@v2*,scaleDown HPAScalingRules@v2*
HorizontalPodAutoscalerCondition@v2:type HorizontalPodAutoscalerConditionType@v2,status ConditionStatus@core,lastTransitionTime T,reason s?,message s?
HorizontalPodAutoscalerSpec:scaleTargetRef CrossVersionObjectReference,minReplicas i*,maxReplicas i,targetCPUUtilizationPercentage i*
HorizontalPodAutoscalerSpec@v2:scaleTargetRef CrossVersionObjectReference@v2,minReplicas i*,maxReplicas i,metrics []MetricSpec@v2?,behavior HorizontalPodAutoscalerBehavior@v2*
HorizontalPodAutoscalerStatus:observedGeneration l*,lastScaleTime T*,currentReplicas i,desiredReplicas i,currentCPUUtilizationPercentage i*
HorizontalPodAutoscalerStatus@v2:observedGeneration l*,lastScaleTime T*,currentReplicas i?,desiredReplicas i,currentMetrics []MetricStatus@v2,conditions []HorizontalPodAutoscalerCondition@v2?%type
HostAlias:ip s,hostnames []s?
HostIP:ip s
HostPathVolumeSource:path s,type HostPathType*
IPAddress:kind s?,apiVersion s?,metadata ObjectMeta,spec IPAddressSpec
IPAddressSpec:parentRef ParentReference*
IPBlock:cidr s,except []s?
ISCSIPersistentVolumeSource:targetPortal s,iqn s,lun i,iscsiInterface s?,fsType s?,readOnly b?,portals []s?,chapAuthDiscovery b?,chapAuthSession b?,secretRef SecretReference*,initiatorName s*
ISCSIVolumeSource:targetPortal s,iqn s,lun i,iscsiInterface s?,fsType s?,readOnly b?,portals []s?,chapAuthDiscovery b?,chapAuthSession b?,secretRef LocalObjectReference*,initiatorName s*
ImageVolumeSource:reference s?,pullPolicy PullPolicy?
ImageVolumeStatus:imageRef s?
Ingress:kind s?,apiVersion s?,metadata ObjectMeta,spec IngressSpec,status IngressStatus
IngressBackend:service IngressServiceBackend*,resource TypedLocalObjectReference*
IngressClass:kind s?,apiVersion s?,metadata ObjectMeta,spec IngressClassSpec
IngressClassParametersReference:apiGroup s*,kind s,name s,scope s*,namespace s*
IngressClassSpec:controller s?,parameters IngressClassParametersReference*
IngressLoadBalancerIngress:ip s?,hostname s?,ports []IngressPortStatus?
IngressLoadBalancerStatus:ingress []IngressLoadBalancerIngress?
IngressPortStatus:port i,protocol Protocol,error s*
IngressRule:host s?,http HTTPIngressRuleValue*
IngressServiceBackend:name s,port ServiceBackendPort
IngressSpec:ingressClassName s*,defaultBackend IngressBackend*,tls []IngressTLS?,rules []IngressRule?
IngressStatus:loadBalancer IngressLoadBalancerStatus
IngressTLS:hosts []s?,secretName s?
JSONPatch:expression s?
JSONSchemaProps:id s?,$schema s?,$ref s*,description s?,type s?,format s?,title s?,default J*,maximum f*,exclusiveMaximum b?,minimum f*,exclusiveMinimum b?,maxLength l*,minLength l*,pattern s?,maxItems l*,minItems l*,uniqueItems b?,multipleOf f*,enum []J?,maxProperties l*,minProperties l*,required []s?,items JSONSchemaProps*,allOf []JSONSchemaProps?,oneOf []JSONSchemaProps?,anyOf []JSONSchemaProps?,not JSONSchemaProps*,properties {}JSONSchemaProps?,additionalProperties JSONSchemaProps*,patternProperties {}JSONSchemaProps?,dependencies {}JSONSchemaProps?,additionalItems JSONSchemaProps*,definitions {}JSONSchemaProps?,externalDocs ExternalDocumentation*,example J*,nullable b?,x-kubernetes-preserve-unknown-fields b*,x-kubernetes-embedded-resource b?,x-kubernetes-int-or-string b?,x-kubernetes-list-map-keys []s?,x-kubernetes-list-type s*,x-kubernetes-map-type s*,x-kubernetes-validations []ValidationRule?%rule
Job:kind s?,apiVersion s?,metadata ObjectMeta,spec JobSpec,status JobStatus
JobCondition:type JobConditionType,status ConditionStatus@core,lastProbeTime T,lastTransitionTime T,reason s?,message s?
JobSpec:parallelism i*,completions i*,activeDeadlineSeconds l*,podFailurePolicy PodFailurePolicy*,successPolicy SuccessPolicy*,backoffLimit i*,backoffLimitPerIndex i*,maxFailedIndexes i*,selector LabelSelector*,manualSelector b*,template PodTemplateSpec,ttlSecondsAfterFinished i*,completionMode CompletionMode*,suspend b*,podReplacementPolicy PodReplacementPolicy*,managedBy s*
JobStatus:conditions []JobCondition?%type,startTime T*,completionTime T*,active i?,succeeded i?,failed i?,terminating i*,completedIndexes s?,failedIndexes s*,uncountedTerminatedPods UncountedTerminatedPods*,ready i*
JobTemplateSpec:metadata ObjectMeta,spec JobSpec
KeyToPath:key s,path s,mode i*
LabelSelector:matchLabels {}s?,matchExpressions []LabelSelectorRequirement?
LabelSelectorAttributes:rawSelector s?,requirements []LabelSelectorRequirement?
LabelSelectorRequirement:key s,operator LabelSelectorOperator,values []s?
Lease:kind s?,apiVersion s?,metadata ObjectMeta,spec LeaseSpec
LeaseSpec:holderIdentity s*,leaseDurationSeconds i*,acquireTime M*,renewTime M*,leaseTransitions i*,strategy CoordinatedLeaseStrategy*,preferredHolder s*
Lifecycle:postStart LifecycleHandler*,preStop LifecycleHandler*,stopSignal Signal*
LifecycleHandler:exec ExecAction*,httpGet HTTPGetAction*,tcpSocket TCPSocketAction*,sleep SleepAction*
LimitRange:kind s?,apiVersion s?,metadata ObjectMeta,spec LimitRangeSpec
LimitRangeItem:type LimitType,max {}Q?,min {}Q?,default {}Q?,defaultRequest {}Q?,maxLimitRequestRatio {}Q?
LimitRangeSpec:limits []LimitRangeItem
LimitResponse:type LimitResponseType,queuing QueuingConfiguration*
LimitedPriorityLevelConfiguration:nominalConcurrencyShares i*,limitResponse LimitResponse,lendablePercent i*,borrowingLimitPercent i*
LinuxContainerUser:uid l,gid l,supplementalGroups []l?
ListMeta:selfLink s?,resourceVersion s?,continue s?,remainingItemCount l*,shardInfo ShardInfo*
LoadBalancerIngress:ip s?,hostname s?,ipMode LoadBalancerIPMode*,ports []PortStatus?
LoadBalancerStatus:ingress []LoadBalancerIngress?
LocalObjectReference:name s?
LocalSubjectAccessReview:kind s?,apiVersion s?,metadata ObjectMeta,spec SubjectAccessReviewSpec,status SubjectAccessReviewStatus
LocalVolumeSource:path s,fsType s*
ManagedFieldsEntry:manager s?,operation ManagedFieldsOperationType?,apiVersion s?,time T*,fieldsType s?,fieldsV1 F*,subresource s?
MatchCondition:name s,expression s
MatchResources:namespaceSelector LabelSelector*,objectSelector LabelSelector*,resourceRules []NamedRuleWithOperations?,excludeResourceRules []NamedRuleWithOperations?,matchPolicy MatchPolicyType*
MetricIdentifier@v2:name s,selector LabelSelector*
MetricSpec@v2:type MetricSourceType@v2,object ObjectMetricSource@v2*,pods PodsMetricSource@v2*,resource ResourceMetricSource@v2*,containerResource ContainerResourceMetricSource@v2*,external ExternalMetricSource@v2*
MetricStatus@v2:type MetricSourceType@v2,object ObjectMetricStatus@v2*,pods PodsMetricStatus@v2*,resource ResourceMetricStatus@v2*,containerResource ContainerResourceMetricStatus@v2*,external ExternalMetricStatus@v2*
MetricTarget@v2:type MetricTargetType@v2,value Q*,averageValue Q*,averageUtilization i*
MetricValueStatus@v2:value Q*,averageValue Q*,averageUtilization i*
ModifyVolumeStatus:targetVolumeAttributesClassName s?,status PersistentVolumeClaimModifyVolumeStatus
MutatingAdmissionPolicy:kind s?,apiVersion s?,metadata ObjectMeta,spec MutatingAdmissionPolicySpec
MutatingAdmissionPolicyBinding:kind s?,apiVersion s?,metadata ObjectMeta,spec MutatingAdmissionPolicyBindingSpec
MutatingAdmissionPolicyBindingSpec:policyName s?,paramRef ParamRef*,matchResources MatchResources*
MutatingAdmissionPolicySpec:paramKind ParamKind*,matchConstraints MatchResources*,variables []Variable?,mutations []Mutation?,failurePolicy FailurePolicyType*,matchConditions []MatchCondition?%name,reinvocationPolicy ReinvocationPolicyType?
MutatingWebhook:name s,clientConfig WebhookClientConfig,rules []RuleWithOperations?,failurePolicy FailurePolicyType*,matchPolicy MatchPolicyType*,namespaceSelector LabelSelector*,objectSelector LabelSelector*,sideEffects SideEffectClass*,timeoutSeconds i*,admissionReviewVersions []s,reinvocationPolicy ReinvocationPolicyType*,matchConditions []MatchCondition?%name
MutatingWebhookConfiguration:kind s?,apiVersion s?,metadata ObjectMeta,webhooks []MutatingWebhook?%name
Mutation:patchType PatchType,applyConfiguration ApplyConfiguration*,jsonPatch JSONPatch*
NFSVolumeSource:server s,path s,readOnly b?
NamedRuleWithOperations:resourceNames []s?,operations []OperationType?,apiGroups []s?,apiVersions []s?,resources []s?,scope ScopeType*
Namespace:kind s?,apiVersion s?,metadata ObjectMeta,spec NamespaceSpec,status NamespaceStatus
NamespaceCondition:type NamespaceConditionType,status ConditionStatus@core,lastTransitionTime T,reason s?,message s?
NamespaceSpec:finalizers []FinalizerName?
NamespaceStatus:phase NamespacePhase?,conditions []NamespaceCondition?%type
NetworkDeviceData:interfaceName s?,ips []s?,hardwareAddress s?
NetworkPolicy:kind s?,apiVersion s?,metadata ObjectMeta,spec NetworkPolicySpec
NetworkPolicyEgressRule:ports []NetworkPolicyPort?,to []NetworkPolicyPeer?
NetworkPolicyIngressRule:ports []NetworkPolicyPort?,from []NetworkPolicyPeer?
NetworkPolicyPeer:podSelector LabelSelector*,namespaceSelector LabelSelector*,ipBlock IPBlock*
NetworkPolicyPort:protocol Protocol*,port I*,endPort i*
NetworkPolicySpec:podSelector LabelSelector,ingress []NetworkPolicyIngressRule?,egress []NetworkPolicyEgressRule?,policyTypes []PolicyType?
Node:kind s?,apiVersion s?,metadata ObjectMeta,spec NodeSpec,status NodeStatus
NodeAddress:type NodeAddressType,address s
NodeAffinity:requiredDuringSchedulingIgnoredDuringExecution NodeSelector*,preferredDuringSchedulingIgnoredDuringExecution []PreferredSchedulingTerm?
NodeAllocatableResourceClaimStatus:resourceClaimName s,containers []s?#,resources {}Q
NodeAllocatableResourceMapping:capacityKey QualifiedName*,allocationMultiplier Q*
NodeCondition:type NodeConditionType,status ConditionStatus@core,lastHeartbeatTime T,lastTransitionTime T,reason s?,message s?
NodeConfigSource:configMap ConfigMapNodeConfigSource*
NodeConfigStatus:assigned NodeConfigSource*,active NodeConfigSource*,lastKnownGood NodeConfigSource*,error s?
NodeDaemonEndpoints:kubeletEndpoint DaemonEndpoint
NodeFeatures:supplementalGroupsPolicy b*
NodeRuntimeHandler:name s,features NodeRuntimeHandlerFeatures*
NodeRuntimeHandlerFeatures:recursiveReadOnlyMounts b*,userNamespaces b*
NodeSelector:nodeSelectorTerms []NodeSelectorTerm
NodeSelectorRequirement:key s,operator NodeSelectorOperator,values []s?
NodeSelectorTerm:matchExpressions []NodeSelectorRequirement?,matchFields []NodeSelectorRequirement?
NodeSpec:podCIDR s?,podCIDRs []s?%,providerID s?,unschedulable b?,taints []Taint?,configSource NodeConfigSource*,externalID s?
NodeStatus:capacity {}Q?,allocatable {}Q?,phase NodePhase?,conditions []NodeCondition?%type,addresses []NodeAddress?%type,daemonEndpoints NodeDaemonEndpoints,nodeInfo NodeSystemInfo,images []ContainerImage?,volumesInUse []UniqueVolumeName?,volumesAttached []AttachedVolume?,config NodeConfigStatus*,runtimeHandlers []NodeRuntimeHandler?,features NodeFeatures*,declaredFeatures []s?
NodeSwapStatus:capacity l*
NodeSystemInfo:machineID s,systemUUID s,bootID s,kernelVersion s,osImage s,containerRuntimeVersion s,kubeletVersion s,kubeProxyVersion s,operatingSystem s,architecture s,swap NodeSwapStatus*
NonResourceAttributes:path s?,verb s?
NonResourcePolicyRule:verbs []s#,nonResourceURLs []s#
NonResourceRule:verbs []s,nonResourceURLs []s?
ObjectFieldSelector:apiVersion s?,fieldPath s
ObjectMeta:name s?,generateName s?,namespace s?,selfLink s?,uid UID?,resourceVersion s?,generation l?,creationTimestamp T~,deletionTimestamp T*,deletionGracePeriodSeconds l*,labels {}s?,annotations {}s?,ownerReferences []OwnerReference?%uid,finalizers []s?%,managedFields []ManagedFieldsEntry?
ObjectMetricSource@v2:describedObject CrossVersionObjectReference@v2,target MetricTarget@v2,metric MetricIdentifier@v2
ObjectMetricStatus@v2:metric MetricIdentifier@v2,current MetricValueStatus@v2,describedObject CrossVersionObjectReference@v2
ObjectReference:kind s?,namespace s?,name s?,uid UID?,apiVersion s?,resourceVersion s?,fieldPath s?
OpaqueDeviceConfiguration:driver s,parameters R
Overhead:podFixed {}Q?
OwnerReference:apiVersion s,kind s,name s,uid UID,controller b*,blockOwnerDeletion b*
ParamKind:apiVersion s?,kind s?
ParamRef:name s?,namespace s?,selector LabelSelector*,parameterNotFoundAction ParameterNotFoundActionType*
ParentReference:group s?,resource s?,namespace s?,name s?
PersistentVolume:kind s?,apiVersion s?,metadata ObjectMeta,spec PersistentVolumeSpec,status PersistentVolumeStatus
PersistentVolumeClaim:kind s?,apiVersion s?,metadata ObjectMeta,spec PersistentVolumeClaimSpec,status PersistentVolumeClaimStatus
PersistentVolumeClaimCondition:type PersistentVolumeClaimConditionType,status ConditionStatus@core,lastProbeTime T,lastTransitionTime T,reason s?,message s?
PersistentVolumeClaimSpec:accessModes []PersistentVolumeAccessMode?,selector LabelSelector*,resources VolumeResourceRequirements,volumeName s?,storageClassName s*,volumeMode PersistentVolumeMode*,dataSource TypedLocalObjectReference*,dataSourceRef TypedObjectReference*,volumeAttributesClassName s*
PersistentVolumeClaimStatus:phase PersistentVolumeClaimPhase?,accessModes []PersistentVolumeAccessMode?,capacity {}Q?,conditions []PersistentVolumeClaimCondition?%type,allocatedResources {}Q?,allocatedResourceStatuses {}ClaimResourceStatus?,currentVolumeAttributesClassName s*,modifyVolumeStatus ModifyVolumeStatus*
PersistentVolumeClaimTemplate:metadata ObjectMeta,spec PersistentVolumeClaimSpec
PersistentVolumeClaimVolumeSource:claimName s,readOnly b?
PersistentVolumeSpec:capacity {}Q?,gcePersistentDisk GCEPersistentDiskVolumeSource*,awsElasticBlockStore AWSElasticBlockStoreVolumeSource*,hostPath HostPathVolumeSource*,glusterfs GlusterfsPersistentVolumeSource*,nfs NFSVolumeSource*,rbd RBDPersistentVolumeSource*,iscsi ISCSIPersistentVolumeSource*,cinder CinderPersistentVolumeSource*,cephfs CephFSPersistentVolumeSource*,fc FCVolumeSource*,flocker FlockerVolumeSource*,flexVolume FlexPersistentVolumeSource*,azureFile AzureFilePersistentVolumeSource*,vsphereVolume VsphereVirtualDiskVolumeSource*,quobyte QuobyteVolumeSource*,azureDisk AzureDiskVolumeSource*,photonPersistentDisk PhotonPersistentDiskVolumeSource*,portworxVolume PortworxVolumeSource*,scaleIO ScaleIOPersistentVolumeSource*,local LocalVolumeSource*,storageos StorageOSPersistentVolumeSource*,csi CSIPersistentVolumeSource*,accessModes []PersistentVolumeAccessMode?,claimRef ObjectReference*,persistentVolumeReclaimPolicy PersistentVolumeReclaimPolicy?,storageClassName s?,mountOptions []s?,volumeMode PersistentVolumeMode*,nodeAffinity VolumeNodeAffinity*,volumeAttributesClassName s*
PersistentVolumeStatus:phase PersistentVolumePhase?,message s?,reason s?,lastPhaseTransitionTime T*
PhotonPersistentDiskVolumeSource:pdID s,fsType s?
Pod:kind s?,apiVersion s?,metadata ObjectMeta,spec PodSpec,status PodStatus
PodAffinity:requiredDuringSchedulingIgnoredDuringExecution []PodAffinityTerm?,preferredDuringSchedulingIgnoredDuringExecution []WeightedPodAffinityTerm?
PodAffinityTerm:labelSelector LabelSelector*,namespaces []s?,topologyKey s,namespaceSelector LabelSelector*,matchLabelKeys []s?,mismatchLabelKeys []s?
PodAntiAffinity:requiredDuringSchedulingIgnoredDuringExecution []PodAffinityTerm?,preferredDuringSchedulingIgnoredDuringExecution []WeightedPodAffinityTerm?
PodCertificateProjection:signerName s?,keyType s?,maxExpirationSeconds i*,credentialBundlePath s?,keyPath s?,certificateChainPath s?,userAnnotations {}s?
PodCondition:type PodConditionType,observedGeneration l?,status ConditionStatus@core,lastProbeTime T,lastTransitionTime T,reason s?,message s?
PodDNSConfig:nameservers []s?,searches []s?,options []PodDNSConfigOption?
PodDNSConfigOption:name s?,value s*
PodDisruptionBudget:kind s?,apiVersion s?,metadata ObjectMeta,spec PodDisruptionBudgetSpec,status PodDisruptionBudgetStatus
PodDisruptionBudgetSpec:minAvailable I*,selector LabelSelector*,maxUnavailable I*,unhealthyPodEvictionPolicy UnhealthyPodEvictionPolicyType*
PodDisruptionBudgetStatus:observedGeneration l?,disruptedPods {}T?,disruptionsAllowed i,currentHealthy i,desiredHealthy i,expectedPods i,conditions []Condition?%type
PodExtendedResourceClaimStatus:requestMappings []ContainerExtendedResourceRequest,resourceClaimName s
PodFailurePolicy:rules []PodFailurePolicyRule
PodFailurePolicyOnExitCodesRequirement:containerName s*,operator PodFailurePolicyOnExitCodesOperator,values []i#
PodFailurePolicyOnPodConditionsPattern:type PodConditionType,status ConditionStatus@core
PodFailurePolicyRule:action PodFailurePolicyAction,onExitCodes PodFailurePolicyOnExitCodesRequirement*,onPodConditions []PodFailurePolicyOnPodConditionsPattern?
PodIP:ip s
PodOS:name OSName
PodReadinessGate:conditionType PodConditionType
PodResourceClaim:name s,resourceClaimName s*,resourceClaimTemplateName s*
PodResourceClaimStatus:name s,resourceClaimName s*
PodSchedulingGate:name s
PodSchedulingGroup:podGroupName s*
PodSecurityContext:seLinuxOptions SELinuxOptions*,windowsOptions WindowsSecurityContextOptions*,runAsUser l*,runAsGroup l*,runAsNonRoot b*,supplementalGroups []l?,supplementalGroupsPolicy SupplementalGroupsPolicy*,fsGroup l*,sysctls []Sysctl?,fsGroupChangePolicy PodFSGroupChangePolicy*,seccompProfile SeccompProfile*,appArmorProfile AppArmorProfile*,seLinuxChangePolicy PodSELinuxChangePolicy*
PodSpec:volumes []Volume?%name^,initContainers []Container?%name,containers []Container%name,ephemeralContainers []EphemeralContainer?%name,restartPolicy RestartPolicy?,terminationGracePeriodSeconds l*,activeDeadlineSeconds l*,dnsPolicy DNSPolicy?,nodeSelector {}s?,serviceAccountName s?,serviceAccount s?,automountServiceAccountToken b*,nodeName s?,hostNetwork b?,hostPID b?,hostIPC b?,shareProcessNamespace b*,securityContext PodSecurityContext*,imagePullSecrets []LocalObjectReference?%name,hostname s?,subdomain s?,affinity Affinity*,schedulerName s?,tolerations []Toleration?,hostAliases []HostAlias?%ip,priorityClassName s?,priority i*,dnsConfig PodDNSConfig*,readinessGates []PodReadinessGate?,runtimeClassName s*,enableServiceLinks b*,preemptionPolicy PreemptionPolicy*,overhead {}Q?,topologySpreadConstraints []TopologySpreadConstraint?%topologyKey#topologyKey+whenUnsatisfiable,setHostnameAsFQDN b*,os PodOS*,hostUsers b*,schedulingGates []PodSchedulingGate?%name,resourceClaims []PodResourceClaim?%name^,resources ResourceRequirements*,hostnameOverride s*,schedulingGroup PodSchedulingGroup*
PodStatus:observedGeneration l?,phase PodPhase?,conditions []PodCondition?%type,message s?,reason s?,nominatedNodeName s?,hostIP s?,hostIPs []HostIP?%ip,podIP s?,podIPs []PodIP?%ip,startTime T*,initContainerStatuses []ContainerStatus?,containerStatuses []ContainerStatus?,qosClass PodQOSClass?,ephemeralContainerStatuses []ContainerStatus?,resize PodResizeStatus?,resourceClaimStatuses []PodResourceClaimStatus?%name^,extendedResourceClaimStatus PodExtendedResourceClaimStatus*,allocatedResources {}Q?,resources ResourceRequirements*,nodeAllocatableResourceClaimStatuses []NodeAllocatableResourceClaimStatus?
PodTemplate:kind s?,apiVersion s?,metadata ObjectMeta,template PodTemplateSpec
PodTemplateSpec:metadata ObjectMeta,spec PodSpec
PodsMetricSource@v2:metric MetricIdentifier@v2,target MetricTarget@v2
PodsMetricStatus@v2:metric MetricIdentifier@v2,current MetricValueStatus@v2
PolicyRule:verbs []s,apiGroups []s?,resources []s?,resourceNames []s?,nonResourceURLs []s?
PolicyRulesWithSubjects:subjects []Subject@flowcontrol,resourceRules []ResourcePolicyRule?,nonResourceRules []NonResourcePolicyRule?
PortStatus:port i,protocol Protocol,error s*
PortworxVolumeSource:volumeID s,fsType s?,readOnly b?
Preconditions:uid UID*,resourceVersion s*
PreferredSchedulingTerm:weight i,preference NodeSelectorTerm
PriorityClass:kind s?,apiVersion s?,metadata ObjectMeta,value i,globalDefault b?,description s?,preemptionPolicy PreemptionPolicy*
PriorityLevelConfiguration:kind s?,apiVersion s?,metadata ObjectMeta,spec PriorityLevelConfigurationSpec,status PriorityLevelConfigurationStatus
PriorityLevelConfigurationCondition:type PriorityLevelConfigurationConditionType?,status ConditionStatus@flowcontrol?,lastTransitionTime T,reason s?,message s?
PriorityLevelConfigurationReference:name s
PriorityLevelConfigurationSpec:type PriorityLevelEnablement,limited LimitedPriorityLevelConfiguration*,exempt ExemptPriorityLevelConfiguration*
PriorityLevelConfigurationStatus:conditions []PriorityLevelConfigurationCondition?%type
Probe:exec ExecAction*,httpGet HTTPGetAction*,tcpSocket TCPSocketAction*,grpc GRPCAction*,initialDelaySeconds i?,timeoutSeconds i?,periodSeconds i?,successThreshold i?,failureThreshold i?,terminationGracePeriodSeconds l*
ProjectedVolumeSource:sources []VolumeProjection,defaultMode i*
QueuingConfiguration:queues i,handSize i,queueLengthLimit i
QuobyteVolumeSource:registry s,volume s,readOnly b?,user s?,group s?,tenant s?
RBDPersistentVolumeSource:monitors []s,image s,fsType s?,pool s?,user s?,keyring s?,secretRef SecretReference*,readOnly b?
RBDVolumeSource:monitors []s,image s,fsType s?,pool s?,user s?,keyring s?,secretRef LocalObjectReference*,readOnly b?
ReplicaSet:kind s?,apiVersion s?,metadata ObjectMeta,spec ReplicaSetSpec,status ReplicaSetStatus
ReplicaSetCondition:type ReplicaSetConditionType,status ConditionStatus@core,lastTransitionTime T,reason s?,message s?
ReplicaSetSpec:replicas i*,minReadySeconds i?,selector LabelSelector*,template PodTemplateSpec
ReplicaSetStatus:replicas i,fullyLabeledReplicas i?,readyReplicas i?,availableReplicas i?,terminatingReplicas i*,observedGeneration l?,conditions []ReplicaSetCondition?%type
ReplicationController:kind s?,apiVersion s?,metadata ObjectMeta,spec ReplicationControllerSpec,status ReplicationControllerStatus
ReplicationControllerCondition:type ReplicationControllerConditionType,status ConditionStatus@core,lastTransitionTime T,reason s?,message s?
ReplicationControllerSpec:replicas i*,minReadySeconds i?,selector {}s?,template PodTemplateSpec*
ReplicationControllerStatus:replicas i,fullyLabeledReplicas i?,readyReplicas i?,availableReplicas i?,observedGeneration l?,conditions []ReplicationControllerCondition?%type
ResourceAttributes:namespace s?,verb s?,group s?,version s?,resource s?,subresource s?,name s?,fieldSelector FieldSelectorAttributes*,labelSelector LabelSelectorAttributes*
ResourceClaim:name s,request s?
ResourceClaim@resource:kind s?,apiVersion s?,metadata ObjectMeta,spec ResourceClaimSpec,status ResourceClaimStatus
ResourceClaimConsumerReference:apiGroup s?,resource s,name s,uid UID
ResourceClaimSpec:devices DeviceClaim
ResourceClaimStatus:allocation AllocationResult*,reservedFor []ResourceClaimConsumerReference?%uid,devices []AllocatedDeviceStatus?#driver+device+pool+shareID
ResourceClaimTemplate:kind s?,apiVersion s?,metadata ObjectMeta,spec ResourceClaimTemplateSpec
ResourceClaimTemplateSpec:metadata ObjectMeta,spec ResourceClaimSpec
ResourceFieldSelector:containerName s?,resource s,divisor Q
ResourceHealth:resourceID ResourceID,health ResourceHealthStatus?,message s*
ResourceMetricSource@v2:name ResourceName,target MetricTarget@v2
ResourceMetricStatus@v2:name ResourceName,current MetricValueStatus@v2
ResourcePolicyRule:verbs []s#,apiGroups []s#,resources []s#,clusterScope b?,namespaces []s#
ResourcePool:name s,generation l,resourceSliceCount l
ResourceQuota:kind s?,apiVersion s?,metadata ObjectMeta,spec ResourceQuotaSpec,status ResourceQuotaStatus
ResourceQuotaSpec:hard {}Q?,scopes []ResourceQuotaScope?,scopeSelector ScopeSelector*
ResourceQuotaStatus:hard {}Q?,used {}Q?
ResourceRequirements:limits {}Q?,requests {}Q?,claims []ResourceClaim?#name
ResourceRule:verbs []s,apiGroups []s?,resources []s?,resourceNames []s?
ResourceSlice:kind s?,apiVersion s?,metadata ObjectMeta,spec ResourceSliceSpec
ResourceSliceSpec:driver s,pool ResourcePool,nodeName s*,nodeSelector NodeSelector*,allNodes b*,devices []Device?,perDeviceNodeSelection b*,sharedCounters []CounterSet?
ResourceStatus:name ResourceName,resources []ResourceHealth?#resourceID
Role:kind s?,apiVersion s?,metadata ObjectMeta,rules []PolicyRule
RoleBinding:kind s?,apiVersion s?,metadata ObjectMeta,subjects []Subject?,roleRef RoleRef
RoleRef:apiGroup s,kind s,name s
RollingUpdateDaemonSet:maxUnavailable I*,maxSurge I*
RollingUpdateDeployment:maxUnavailable I*,maxSurge I*
RollingUpdateStatefulSetStrategy:partition i*,maxUnavailable I*
RuleWithOperations:operations []OperationType?,apiGroups []s?,apiVersions []s?,resources []s?,scope ScopeType*
RuntimeClass:kind s?,apiVersion s?,metadata ObjectMeta,handler s,overhead Overhead*,scheduling Scheduling*
SELinuxOptions:user s?,role s?,type s?,level s?
Scale:kind s?,apiVersion s?,metadata ObjectMeta,spec ScaleSpec,status ScaleStatus
ScaleIOPersistentVolumeSource:gateway s,system s,secretRef SecretReference*,sslEnabled b?,protectionDomain s?,storagePool s?,storageMode s?,volumeName s?,fsType s?,readOnly b?
ScaleIOVolumeSource:gateway s,system s,secretRef LocalObjectReference*,sslEnabled b?,protectionDomain s?,storagePool s?,storageMode s?,volumeName s?,fsType s?,readOnly b?
ScaleSpec:replicas i?
ScaleStatus:replicas i,selector s?
Scheduling:nodeSelector {}s?,tolerations []Toleration?
ScopeSelector:matchExpressions []ScopedResourceSelectorRequirement?
ScopedResourceSelectorRequirement:scopeName ResourceQuotaScope,operator ScopeSelectorOperator,values []s?
SeccompProfile:type SeccompProfileType,localhostProfile s*
Secret:kind s?,apiVersion s?,metadata ObjectMeta,immutable b*,data {}y?,stringData {}s?,type SecretType?
SecretEnvSource:name s?,optional b*
SecretKeySelector:name s?,key s,optional b*
SecretProjection:name s?,items []KeyToPath?,optional b*
SecretReference:name s?,namespace s?
SecretVolumeSource:secretName s?,items []KeyToPath?,defaultMode i*,optional b*
SecurityContext:capabilities Capabilities*,privileged b*,seLinuxOptions SELinuxOptions*,windowsOptions WindowsSecurityContextOptions*,runAsUser l*,runAsGroup l*,runAsNonRoot b*,readOnlyRootFilesystem b*,allowPrivilegeEscalation b*,procMount ProcMountType*,seccompProfile SeccompProfile*,appArmorProfile AppArmorProfile*
SelectableField:jsonPath s
SelfSubjectAccessReview:kind s?,apiVersion s?,metadata ObjectMeta,spec SelfSubjectAccessReviewSpec,status SubjectAccessReviewStatus
SelfSubjectAccessReviewSpec:resourceAttributes ResourceAttributes*,nonResourceAttributes NonResourceAttributes*
SelfSubjectReview:kind s?,apiVersion s?,metadata ObjectMeta,status SelfSubjectReviewStatus
SelfSubjectReviewStatus:userInfo UserInfo
SelfSubjectRulesReview:kind s?,apiVersion s?,metadata ObjectMeta,spec SelfSubjectRulesReviewSpec,status SubjectRulesReviewStatus
SelfSubjectRulesReviewSpec:namespace s?
Service:kind s?,apiVersion s?,metadata ObjectMeta,spec ServiceSpec,status ServiceStatus
ServiceAccount:kind s?,apiVersion s?,metadata ObjectMeta,secrets []ObjectReference?%name,imagePullSecrets []LocalObjectReference?,automountServiceAccountToken b*
ServiceAccountSubject:namespace s,name s
ServiceAccountTokenProjection:audience s?,expirationSeconds l*,path s
ServiceBackendPort:name s?,number i?
ServiceCIDR:kind s?,apiVersion s?,metadata ObjectMeta,spec ServiceCIDRSpec,status ServiceCIDRStatus
ServiceCIDRSpec:cidrs []s?
ServiceCIDRStatus:conditions []Condition?%type
ServicePort:name s?,protocol Protocol?,appProtocol s*,port i,targetPort I,nodePort i?
ServiceReference:namespace s,name s,path s*,port i*
ServiceReference@apiext:namespace s,name s,path s*,port i*
ServiceSpec:ports []ServicePort?%port#port+protocol,selector {}s?,clusterIP s?,clusterIPs []s?,type ServiceType?,externalIPs []s?,sessionAffinity ServiceAffinity?,loadBalancerIP s?,loadBalancerSourceRanges []s?,externalName s?,externalTrafficPolicy ServiceExternalTrafficPolicy?,healthCheckNodePort i?,publishNotReadyAddresses b?,sessionAffinityConfig SessionAffinityConfig*,ipFamilies []IPFamily?,ipFamilyPolicy IPFamilyPolicy*,allocateLoadBalancerNodePorts b*,loadBalancerClass s*,internalTrafficPolicy ServiceInternalTrafficPolicy*,trafficDistribution s*
ServiceStatus:loadBalancer LoadBalancerStatus,conditions []Condition?%type
SessionAffinityConfig:clientIP ClientIPConfig*
ShardInfo:selector s
SleepAction:seconds l
StatefulSet:kind s?,apiVersion s?,metadata ObjectMeta,spec StatefulSetSpec,status StatefulSetStatus
StatefulSetCondition:type StatefulSetConditionType,status ConditionStatus@core,lastTransitionTime T,reason s?,message s?
StatefulSetOrdinals:start i
StatefulSetPersistentVolumeClaimRetentionPolicy:whenDeleted PersistentVolumeClaimRetentionPolicyType?,whenScaled PersistentVolumeClaimRetentionPolicyType?
StatefulSetSpec:replicas i*,selector LabelSelector*,template PodTemplateSpec,volumeClaimTemplates []PersistentVolumeClaim?,serviceName s,podManagementPolicy PodManagementPolicyType?,updateStrategy StatefulSetUpdateStrategy,revisionHistoryLimit i*,minReadySeconds i?,persistentVolumeClaimRetentionPolicy StatefulSetPersistentVolumeClaimRetentionPolicy*,ordinals StatefulSetOrdinals*
StatefulSetStatus:observedGeneration l?,replicas i,readyReplicas i?,currentReplicas i?,updatedReplicas i?,currentRevision s?,updateRevision s?,collisionCount i*,conditions []StatefulSetCondition?%type,availableReplicas i
StatefulSetUpdateStrategy:type StatefulSetUpdateStrategyType?,rollingUpdate RollingUpdateStatefulSetStrategy*
Status:kind s?,apiVersion s?,metadata ListMeta,status s?,message s?,reason StatusReason?,details StatusDetails*,code i?
StatusCause:reason CauseType?,message s?,field s?
StatusDetails:name s?,group s?,kind s?,uid UID?,causes []StatusCause?,retryAfterSeconds i?
StorageClass:kind s?,apiVersion s?,metadata ObjectMeta,provisioner s,parameters {}s?,reclaimPolicy PersistentVolumeReclaimPolicy*,mountOptions []s?,allowVolumeExpansion b*,volumeBindingMode VolumeBindingMode*,allowedTopologies []TopologySelectorTerm?
StorageOSPersistentVolumeSource:volumeName s?,volumeNamespace s?,fsType s?,readOnly b?,secretRef ObjectReference*
StorageOSVolumeSource:volumeName s?,volumeNamespace s?,fsType s?,readOnly b?,secretRef LocalObjectReference*
Subject:kind s,apiGroup s?,name s,namespace s?
Subject@flowcontrol:kind SubjectKind,user UserSubject*,group GroupSubject*,serviceAccount ServiceAccountSubject*
SubjectAccessReview:kind s?,apiVersion s?,metadata ObjectMeta,spec SubjectAccessReviewSpec,status SubjectAccessReviewStatus
SubjectAccessReviewSpec:resourceAttributes ResourceAttributes*,nonResourceAttributes NonResourceAttributes*,user s?,groups []s?,extra {}[]s?,uid s?
SubjectAccessReviewStatus:allowed b,denied b?,reason s?,evaluationError s?
SubjectRulesReviewStatus:resourceRules []ResourceRule,nonResourceRules []NonResourceRule,incomplete b,evaluationError s?
SuccessPolicy:rules []SuccessPolicyRule
SuccessPolicyRule:succeededIndexes s*,succeededCount i*
Sysctl:name s,value s
TCPSocketAction:port I,host s?
Taint:key s,value s?,effect TaintEffect,timeAdded T*
TokenRequest:audience s,expirationSeconds l*
TokenRequest@authentication:kind s?,apiVersion s?,metadata ObjectMeta,spec TokenRequestSpec,status TokenRequestStatus
TokenRequestSpec:audiences []s,expirationSeconds l*,boundObjectRef BoundObjectReference!
TokenRequestStatus:token s,expirationTimestamp T
TokenReview:kind s?,apiVersion s?,metadata ObjectMeta,spec TokenReviewSpec,status TokenReviewStatus
TokenReviewSpec:token s?,audiences []s?
TokenReviewStatus:authenticated b?,user UserInfo,audiences []s?,error s?
Toleration:key s?,operator TolerationOperator?,value s?,effect TaintEffect?,tolerationSeconds l*
TopologySelectorLabelRequirement:key s,values []s
TopologySelectorTerm:matchLabelExpressions []TopologySelectorLabelRequirement?
TopologySpreadConstraint:maxSkew i,topologyKey s,whenUnsatisfiable UnsatisfiableConstraintAction,labelSelector LabelSelector*,minDomains i*,nodeAffinityPolicy NodeInclusionPolicy*,nodeTaintsPolicy NodeInclusionPolicy*,matchLabelKeys []s?
TypeChecking:expressionWarnings []ExpressionWarning?
TypedLocalObjectReference:apiGroup s!,kind s,name s
TypedObjectReference:apiGroup s!,kind s,name s,namespace s*
UncountedTerminatedPods:succeeded []UID?#,failed []UID?#
UserInfo:username s?,uid s?,groups []s?,extra {}[]s?
UserSubject:name s
ValidatingAdmissionPolicy:kind s?,apiVersion s?,metadata ObjectMeta,spec ValidatingAdmissionPolicySpec,status ValidatingAdmissionPolicyStatus
ValidatingAdmissionPolicyBinding:kind s?,apiVersion s?,metadata ObjectMeta,spec ValidatingAdmissionPolicyBindingSpec
ValidatingAdmissionPolicyBindingSpec:policyName s?,paramRef ParamRef*,matchResources MatchResources*,validationActions []ValidationAction?#
ValidatingAdmissionPolicySpec:paramKind ParamKind*,matchConstraints MatchResources*,validations []Validation?,failurePolicy FailurePolicyType*,auditAnnotations []AuditAnnotation?,matchConditions []MatchCondition?%name,variables []Variable?%name
ValidatingAdmissionPolicyStatus:observedGeneration l?,typeChecking TypeChecking*,conditions []Condition?#type
ValidatingWebhook:name s,clientConfig WebhookClientConfig,rules []RuleWithOperations?,failurePolicy FailurePolicyType*,matchPolicy MatchPolicyType*,namespaceSelector LabelSelector*,objectSelector LabelSelector*,sideEffects SideEffectClass*,timeoutSeconds i*,admissionReviewVersions []s,matchConditions []MatchCondition?%name
ValidatingWebhookConfiguration:kind s?,apiVersion s?,metadata ObjectMeta,webhooks []ValidatingWebhook?%name
Validation:expression s,message s?,reason StatusReason*,messageExpression s?
ValidationRule:rule s,message s?,messageExpression s?,reason s*,fieldPath s?,optionalOldSelf b*
Variable:name s,expression s
Volume:name s,hostPath HostPathVolumeSource*,emptyDir EmptyDirVolumeSource*,gcePersistentDisk GCEPersistentDiskVolumeSource*,awsElasticBlockStore AWSElasticBlockStoreVolumeSource*,gitRepo GitRepoVolumeSource*,secret SecretVolumeSource*,nfs NFSVolumeSource*,iscsi ISCSIVolumeSource*,glusterfs GlusterfsVolumeSource*,persistentVolumeClaim PersistentVolumeClaimVolumeSource*,rbd RBDVolumeSource*,flexVolume FlexVolumeSource*,cinder CinderVolumeSource*,cephfs CephFSVolumeSource*,flocker FlockerVolumeSource*,downwardAPI DownwardAPIVolumeSource*,fc FCVolumeSource*,azureFile AzureFileVolumeSource*,configMap ConfigMapVolumeSource*,vsphereVolume VsphereVirtualDiskVolumeSource*,quobyte QuobyteVolumeSource*,azureDisk AzureDiskVolumeSource*,photonPersistentDisk PhotonPersistentDiskVolumeSource*,projected ProjectedVolumeSource*,portworxVolume PortworxVolumeSource*,scaleIO ScaleIOVolumeSource*,storageos StorageOSVolumeSource*,csi CSIVolumeSource*,ephemeral EphemeralVolumeSource*,image ImageVolumeSource*
VolumeAttachment:kind s?,apiVersion s?,metadata ObjectMeta,spec VolumeAttachmentSpec,status VolumeAttachmentStatus
VolumeAttachmentSource:persistentVolumeName s*,inlineVolumeSpec PersistentVolumeSpec*
VolumeAttachmentSpec:attacher s,source VolumeAttachmentSource,nodeName s
VolumeAttachmentStatus:attached b,attachmentMetadata {}s?,attachError VolumeError*,detachError VolumeError*
VolumeAttributesClass:kind s?,apiVersion s?,metadata ObjectMeta,driverName s,parameters {}s?
VolumeDevice:name s,devicePath s
VolumeError:time T,message s?,errorCode i*
VolumeMount:name s,readOnly b?,recursiveReadOnly RecursiveReadOnlyMode*,mountPath s,subPath s?,mountPropagation MountPropagationMode*,subPathExpr s?
VolumeMountStatus:name s,mountPath s,readOnly b?,recursiveReadOnly RecursiveReadOnlyMode*,volumeStatus VolumeStatus*
VolumeNodeAffinity:required NodeSelector*
VolumeNodeResources:count i*
VolumeProjection:secret SecretProjection*,downwardAPI DownwardAPIProjection*,configMap ConfigMapProjection*,serviceAccountToken ServiceAccountTokenProjection*,clusterTrustBundle ClusterTrustBundleProjection*,podCertificate PodCertificateProjection*
VolumeResourceRequirements:limits {}Q?,requests {}Q?
VolumeStatus:image ImageVolumeStatus*
VsphereVirtualDiskVolumeSource:volumePath s,fsType s?,storagePolicyName s?,storagePolicyID s?
WebhookClientConfig:url s*,service ServiceReference*,caBundle y?
WebhookClientConfig@apiext:url s*,service ServiceReference@apiext*,caBundle y?
WebhookConversion:clientConfig WebhookClientConfig@apiext*,conversionReviewVersions []s
WeightedPodAffinityTerm:weight i,podAffinityTerm PodAffinityTerm
WindowsSecurityContextOptions:gmsaCredentialSpecName s*,gmsaCredentialSpec s*,runAsUserName s*,hostProcess b*
FailurePolicyType|Ignore|Fail
MatchPolicyType|Exact|Equivalent
OperationType|*|CREATE|UPDATE|DELETE|CONNECT
ParameterNotFoundActionType|
PatchType|ApplyConfiguration|JSONPatch
ReinvocationPolicyType|Never|IfNeeded
ScopeType|Cluster|Namespaced|*
SideEffectClass|Unknown|None|Some|NoneOnDryRun
ValidationAction|Deny|Warn|Audit
ConditionStatus@apiext|
ConversionStrategyType|
CustomResourceDefinitionConditionType|
ResourceScope|
DaemonSetConditionType|
DaemonSetUpdateStrategyType|RollingUpdate|OnDelete
DeploymentConditionType|
DeploymentStrategyType|Recreate|RollingUpdate
PersistentVolumeClaimRetentionPolicyType|Retain|Delete
PodManagementPolicyType|OrderedReady|Parallel
ReplicaSetConditionType|
StatefulSetConditionType|
StatefulSetUpdateStrategyType|RollingUpdate|OnDelete
CompletionMode|NonIndexed|Indexed
ConcurrencyPolicy|Allow|Forbid|Replace
JobConditionType|
PodFailurePolicyAction|FailJob|FailIndex|Ignore|Count
PodFailurePolicyOnExitCodesOperator|In|NotIn
PodReplacementPolicy|TerminatingOrFailed|Failed
KeyUsage|signing|digital signature|content commitment|key encipherment|key agreement|data encipherment|cert sign|crl sign|encipher only|decipher only|any|server auth|client auth|code signing|email protection|s/mime|ipsec end system|ipsec tunnel|ipsec user|timestamping|ocsp signing|microsoft sgc|netscape sgc
RequestConditionType|
CoordinatedLeaseStrategy|
AppArmorProfileType|Unconfined|RuntimeDefault|Localhost
AzureDataDiskCachingMode|None|ReadOnly|ReadWrite
AzureDataDiskKind|Shared|Dedicated|Managed
Capability|
ClaimResourceStatus|ControllerResizeInProgress|ControllerResizeInfeasible|NodeResizePending|NodeResizeInProgress|NodeResizeInfeasible
ConditionStatus@core|True|False|Unknown
ContainerRestartPolicy|Always|Never|OnFailure
ContainerRestartRuleAction|
ContainerRestartRuleOnExitCodesOperator|
DNSPolicy|ClusterFirstWithHostNet|ClusterFirst|Default|None
FinalizerName|
HostPathType|DirectoryOrCreate|Directory|FileOrCreate|File|Socket|CharDevice|BlockDevice
IPFamily|IPv4|IPv6
IPFamilyPolicy|SingleStack|PreferDualStack|RequireDualStack
LimitType|Pod|Container|PersistentVolumeClaim
LoadBalancerIPMode|
MountPropagationMode|None|HostToContainer|Bidirectional
NamespaceConditionType|
NamespacePhase|Active|Terminating
NodeAddressType|
NodeConditionType|
NodeInclusionPolicy|Ignore|Honor
NodePhase|Pending|Running|Terminated
NodeSelectorOperator|In|NotIn|Exists|DoesNotExist|Gt|Lt
OSName|linux|windows
PersistentVolumeAccessMode|ReadWriteOnce|ReadOnlyMany|ReadWriteMany|ReadWriteOncePod
PersistentVolumeClaimConditionType|
PersistentVolumeClaimModifyVolumeStatus|Pending|InProgress|Infeasible
PersistentVolumeClaimPhase|Pending|Bound|Lost
PersistentVolumeMode|Block|Filesystem
PersistentVolumePhase|Pending|Available|Bound|Released|Failed
PersistentVolumeReclaimPolicy|Recycle|Delete|Retain
PodConditionType|
PodFSGroupChangePolicy|OnRootMismatch|Always
PodPhase|Pending|Running|Succeeded|Failed|Unknown
PodQOSClass|Guaranteed|Burstable|BestEffort
PodResizeStatus|
PodSELinuxChangePolicy|
PreemptionPolicy|PreemptLowerPriority|Never
ProcMountType|Default|Unmasked
Protocol|TCP|UDP|SCTP
PullPolicy|Always|Never|IfNotPresent
RecursiveReadOnlyMode|
ReplicationControllerConditionType|
ResourceHealthStatus|
ResourceID|
ResourceName|
ResourceQuotaScope|Terminating|NotTerminating|BestEffort|NotBestEffort|PriorityClass|CrossNamespacePodAffinity|VolumeAttributesClass
ResourceResizeRestartPolicy|
RestartPolicy|Always|OnFailure|Never
ScopeSelectorOperator|In|NotIn|Exists|DoesNotExist
SeccompProfileType|Unconfined|RuntimeDefault|Localhost
SecretType|
ServiceAffinity|ClientIP|None
ServiceExternalTrafficPolicy|Cluster|Local
ServiceInternalTrafficPolicy|Cluster|Local
ServiceType|ClusterIP|NodePort|LoadBalancer|ExternalName
Signal|SIGABRT|SIGALRM|SIGBUS|SIGCHLD|SIGCLD|SIGCONT|SIGFPE|SIGHUP|SIGILL|SIGINT|SIGIO|SIGIOT|SIGKILL|SIGPIPE|SIGPOLL|SIGPROF|SIGPWR|SIGQUIT|SIGSEGV|SIGSTKFLT|SIGSTOP|SIGSYS|SIGTERM|SIGTRAP|SIGTSTP|SIGTTIN|SIGTTOU|SIGURG|SIGUSR1|SIGUSR2|SIGVTALRM|SIGWINCH|SIGXCPU|SIGXFSZ|SIGRTMIN|SIGRTMIN+1|SIGRTMIN+2|SIGRTMIN+3|SIGRTMIN+4|SIGRTMIN+5|SIGRTMIN+6|SIGRTMIN+7|SIGRTMIN+8|SIGRTMIN+9|SIGRTMIN+10|SIGRTMIN+11|SIGRTMIN+12|SIGRTMIN+13|SIGRTMIN+14|SIGRTMIN+15|SIGRTMAX-14|SIGRTMAX-13|SIGRTMAX-12|SIGRTMAX-11|SIGRTMAX-10|SIGRTMAX-9|SIGRTMAX-8|SIGRTMAX-7|SIGRTMAX-6|SIGRTMAX-5|SIGRTMAX-4|SIGRTMAX-3|SIGRTMAX-2|SIGRTMAX-1|SIGRTMAX
StorageMedium|
SupplementalGroupsPolicy|Merge|Strict
TaintEffect|NoSchedule|PreferNoSchedule|NoExecute
TerminationMessagePolicy|File|FallbackToLogsOnError
TolerationOperator|Exists|Equal|Lt|Gt
URIScheme|HTTP|HTTPS
UniqueVolumeName|
UnsatisfiableConstraintAction|DoNotSchedule|ScheduleAnyway
AddressType|
ConditionStatus@flowcontrol|
FlowDistinguisherMethodType|
FlowSchemaConditionType|
LimitResponseType|
PriorityLevelConfigurationConditionType|
PriorityLevelEnablement|
SubjectKind|
CauseType|
ConditionStatus|
DeletionPropagation|
FieldSelectorOperator|
LabelSelectorOperator|
ManagedFieldsOperationType|
StatusReason|
PathType|
PolicyType|Ingress|Egress
UnhealthyPodEvictionPolicyType|IfHealthyBudget|AlwaysAllow
AllocationConfigSource|FromClass|FromClaim
DeviceAllocationMode|
DeviceTaintEffect|None|NoSchedule|NoExecute
DeviceTolerationOperator|Exists|Equal
FullyQualifiedName|
QualifiedName|
FSGroupPolicy|
VolumeBindingMode|Immediate|WaitForFirstConsumer
VolumeLifecycleMode|
HPAScalingPolicyType@v2|
HorizontalPodAutoscalerConditionType@v2|
MetricSourceType@v2|
MetricTargetType@v2|
ScalingPolicySelect@v2|`;
