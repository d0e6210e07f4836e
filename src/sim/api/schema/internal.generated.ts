// Field order of Kubernetes' internal (unversioned) types, pkg/apis/*/types.go of v1.36: refusals quote them.
// One "Type:Field type,..." a line; types as in kinds.generated.ts. Rare volume sources are left out and print as written.
export const INTERNAL = `PodSpec:Volumes []Volume,InitContainers []Container,Containers []Container,EphemeralContainers []EphemeralContainer,RestartPolicy s,TerminationGracePeriodSeconds i*,ActiveDeadlineSeconds i*,DNSPolicy s,NodeSelector {}s,ServiceAccountName s,AutomountServiceAccountToken b*,NodeName s,SecurityContext PodSecurityContext*,ImagePullSecrets []LocalObjectReference,Hostname s,Subdomain s,SetHostnameAsFQDN b*,Affinity Affinity*,SchedulerName s,Tolerations []Toleration,HostAliases []HostAlias,PriorityClassName s,Priority i*,PreemptionPolicy s*,DNSConfig PodDNSConfig*,ReadinessGates []PodReadinessGate,RuntimeClassName s*,Overhead {}Q,EnableServiceLinks b*,TopologySpreadConstraints []TopologySpreadConstraint,OS PodOS*,SchedulingGates []PodSchedulingGate,ResourceClaims []PodResourceClaim,Resources ResourceRequirements*,HostnameOverride s*,SchedulingGroup PodSchedulingGroup*
Volume:Name s,HostPath HostPathVolumeSource*,EmptyDir EmptyDirVolumeSource*,GCEPersistentDisk GCEPersistentDiskVolumeSource*,AWSElasticBlockStore AWSElasticBlockStoreVolumeSource*,GitRepo GitRepoVolumeSource*,Secret SecretVolumeSource*,NFS NFSVolumeSource*,ISCSI ISCSIVolumeSource*,Glusterfs GlusterfsVolumeSource*,PersistentVolumeClaim PersistentVolumeClaimVolumeSource*,RBD RBDVolumeSource*,Quobyte QuobyteVolumeSource*,FlexVolume FlexVolumeSource*,Cinder CinderVolumeSource*,CephFS CephFSVolumeSource*,Flocker FlockerVolumeSource*,DownwardAPI DownwardAPIVolumeSource*,FC FCVolumeSource*,AzureFile AzureFileVolumeSource*,ConfigMap ConfigMapVolumeSource*,VsphereVolume VsphereVirtualDiskVolumeSource*,AzureDisk AzureDiskVolumeSource*,PhotonPersistentDisk PhotonPersistentDiskVolumeSource*,Projected ProjectedVolumeSource*,PortworxVolume PortworxVolumeSource*,ScaleIO ScaleIOVolumeSource*,StorageOS StorageOSVolumeSource*,CSI CSIVolumeSource*,Ephemeral EphemeralVolumeSource*,Image ImageVolumeSource*
Container:Name s,Image s,Command []s,Args []s,WorkingDir s,Ports []ContainerPort,EnvFrom []EnvFromSource,Env []EnvVar,Resources ResourceRequirements,ResizePolicy []ContainerResizePolicy,RestartPolicy s*,RestartPolicyRules []ContainerRestartRule,VolumeMounts []VolumeMount,VolumeDevices []VolumeDevice,LivenessProbe Probe*,ReadinessProbe Probe*,StartupProbe Probe*,Lifecycle Lifecycle*,TerminationMessagePath s,TerminationMessagePolicy s,ImagePullPolicy s,SecurityContext SecurityContext*,Stdin b,StdinOnce b,TTY b
EphemeralContainer:Name s,Image s,Command []s,Args []s,WorkingDir s,Ports []ContainerPort,EnvFrom []EnvFromSource,Env []EnvVar,Resources ResourceRequirements,ResizePolicy []ContainerResizePolicy,RestartPolicy s*,RestartPolicyRules []ContainerRestartRule,VolumeMounts []VolumeMount,VolumeDevices []VolumeDevice,LivenessProbe Probe*,ReadinessProbe Probe*,StartupProbe Probe*,Lifecycle Lifecycle*,TerminationMessagePath s,TerminationMessagePolicy s,ImagePullPolicy s,SecurityContext SecurityContext*,Stdin b,StdinOnce b,TTY b,TargetContainerName s
PodSecurityContext:HostNetwork b,HostPID b,HostIPC b,ShareProcessNamespace b*,HostUsers b*,SELinuxOptions SELinuxOptions*,WindowsOptions WindowsSecurityContextOptions*,RunAsUser i*,RunAsGroup i*,RunAsNonRoot b*,SupplementalGroups []i,SupplementalGroupsPolicy s*,FSGroup i*,FSGroupChangePolicy s*,Sysctls []Sysctl,SeccompProfile SeccompProfile*,AppArmorProfile AppArmorProfile*,SELinuxChangePolicy s*
LocalObjectReference:Name s
Affinity:NodeAffinity NodeAffinity*,PodAffinity PodAffinity*,PodAntiAffinity PodAntiAffinity*
Toleration:Key s,Operator s,Value s,Effect s,TolerationSeconds i*
HostAlias:IP s,Hostnames []s
PodDNSConfig:Nameservers []s,Searches []s,Options []PodDNSConfigOption
PodReadinessGate:ConditionType s
TopologySpreadConstraint:MaxSkew i,TopologyKey s,WhenUnsatisfiable s,LabelSelector V*,MinDomains i*,NodeAffinityPolicy s*,NodeTaintsPolicy s*,MatchLabelKeys []s
PodOS:Name s
PodSchedulingGate:Name s
PodResourceClaim:Name s,ResourceClaimName s*,ResourceClaimTemplateName s*
ResourceRequirements:Limits {}Q,Requests {}Q,Claims []ResourceClaim
PodSchedulingGroup:PodGroupName s*
HostPathVolumeSource:Path s,Type s*
EmptyDirVolumeSource:Medium s,SizeLimit Q*
SecretVolumeSource:SecretName s,Items []KeyToPath,DefaultMode i*,Optional b*
NFSVolumeSource:Server s,Path s,ReadOnly b
PersistentVolumeClaimVolumeSource:ClaimName s,ReadOnly b
DownwardAPIVolumeSource:Items []DownwardAPIVolumeFile,DefaultMode i*
ConfigMapVolumeSource:Name s,Items []KeyToPath,DefaultMode i*,Optional b*
ProjectedVolumeSource:Sources []VolumeProjection,DefaultMode i*
CSIVolumeSource:Driver s,ReadOnly b*,FSType s*,VolumeAttributes {}s,NodePublishSecretRef LocalObjectReference*
EphemeralVolumeSource:VolumeClaimTemplate PersistentVolumeClaimTemplate*
ImageVolumeSource:Reference s,PullPolicy s
ContainerPort:Name s,HostPort i,ContainerPort i,Protocol s,HostIP s
EnvFromSource:Prefix s,ConfigMapRef ConfigMapEnvSource*,SecretRef SecretEnvSource*
EnvVar:Name s,Value s,ValueFrom EnvVarSource*
ContainerResizePolicy:ResourceName s,RestartPolicy s
ContainerRestartRule:Action s,ExitCodes ContainerRestartRuleOnExitCodes*
VolumeMount:Name s,ReadOnly b,RecursiveReadOnly s*,MountPath s,SubPath s,MountPropagation s*,SubPathExpr s
VolumeDevice:Name s,DevicePath s
Probe:Exec ExecAction*,HTTPGet HTTPGetAction*,TCPSocket TCPSocketAction*,GRPC GRPCAction*,InitialDelaySeconds i,TimeoutSeconds i,PeriodSeconds i,SuccessThreshold i,FailureThreshold i,TerminationGracePeriodSeconds i*
Lifecycle:PostStart LifecycleHandler*,PreStop LifecycleHandler*,StopSignal s*
SecurityContext:Capabilities Capabilities*,Privileged b*,SELinuxOptions SELinuxOptions*,WindowsOptions WindowsSecurityContextOptions*,RunAsUser i*,RunAsGroup i*,RunAsNonRoot b*,ReadOnlyRootFilesystem b*,AllowPrivilegeEscalation b*,ProcMount s*,SeccompProfile SeccompProfile*,AppArmorProfile AppArmorProfile*
Sysctl:Name s,Value s
SeccompProfile:Type s,LocalhostProfile s*
AppArmorProfile:Type s,LocalhostProfile s*
NodeAffinity:RequiredDuringSchedulingIgnoredDuringExecution NodeSelector*,PreferredDuringSchedulingIgnoredDuringExecution []PreferredSchedulingTerm
PodAffinity:RequiredDuringSchedulingIgnoredDuringExecution []PodAffinityTerm,PreferredDuringSchedulingIgnoredDuringExecution []WeightedPodAffinityTerm
PodAntiAffinity:RequiredDuringSchedulingIgnoredDuringExecution []PodAffinityTerm,PreferredDuringSchedulingIgnoredDuringExecution []WeightedPodAffinityTerm
PodDNSConfigOption:Name s,Value s*
ResourceClaim:Name s,Request s
KeyToPath:Key s,Path s,Mode i*
DownwardAPIVolumeFile:Path s,FieldRef ObjectFieldSelector*,ResourceFieldRef ResourceFieldSelector*,Mode i*
VolumeProjection:Secret SecretProjection*,DownwardAPI DownwardAPIProjection*,ConfigMap ConfigMapProjection*,ServiceAccountToken ServiceAccountTokenProjection*,ClusterTrustBundle ClusterTrustBundleProjection*,PodCertificate PodCertificateProjection*
ConfigMapEnvSource:Name s,Optional b*
SecretEnvSource:Name s,Optional b*
EnvVarSource:FieldRef ObjectFieldSelector*,ResourceFieldRef ResourceFieldSelector*,ConfigMapKeyRef ConfigMapKeySelector*,SecretKeyRef SecretKeySelector*,FileKeyRef FileKeySelector*
ContainerRestartRuleOnExitCodes:Operator s,Values []i
ExecAction:Command []s
HTTPGetAction:Path s,Port I,Host s,Scheme s,HTTPHeaders []HTTPHeader
TCPSocketAction:Port I,Host s
GRPCAction:Port i,Service s*
LifecycleHandler:Exec ExecAction*,HTTPGet HTTPGetAction*,TCPSocket TCPSocketAction*,Sleep SleepAction*
Capabilities:Add []s,Drop []s
NodeSelector:NodeSelectorTerms []NodeSelectorTerm
PreferredSchedulingTerm:Weight i,Preference NodeSelectorTerm
PodAffinityTerm:LabelSelector V*,Namespaces []s,TopologyKey s,NamespaceSelector V*,MatchLabelKeys []s,MismatchLabelKeys []s
WeightedPodAffinityTerm:Weight i,PodAffinityTerm PodAffinityTerm
ObjectFieldSelector:APIVersion s,FieldPath s
ResourceFieldSelector:ContainerName s,Resource s,Divisor Q
SecretProjection:Name s,Items []KeyToPath,Optional b*
DownwardAPIProjection:Items []DownwardAPIVolumeFile
ConfigMapProjection:Name s,Items []KeyToPath,Optional b*
ServiceAccountTokenProjection:Audience s,ExpirationSeconds i,Path s
ConfigMapKeySelector:Name s,Key s,Optional b*
SecretKeySelector:Name s,Key s,Optional b*
FileKeySelector:VolumeName s,Path s,Key s,Optional b*
HTTPHeader:Name s,Value s
SleepAction:Seconds i
NodeSelectorTerm:MatchExpressions []NodeSelectorRequirement,MatchFields []NodeSelectorRequirement
NodeSelectorRequirement:Key s,Operator s,Values []s
PersistentVolumeClaimSpec:AccessModes []s,Selector LabelSelector*,Resources VolumeResourceRequirements,VolumeName s,StorageClassName s*,VolumeMode s*,DataSource TypedLocalObjectReference*,DataSourceRef TypedObjectReference*,VolumeAttributesClassName s*
VolumeResourceRequirements:Limits {}Q,Requests {}Q
TypedLocalObjectReference:APIGroup s*,Kind s,Name s
TypedObjectReference:APIGroup s*,Kind s,Name s,Namespace s*
PersistentVolumeSource:GCEPersistentDisk GCEPersistentDiskVolumeSource*,AWSElasticBlockStore AWSElasticBlockStoreVolumeSource*,HostPath HostPathVolumeSource*,Glusterfs GlusterfsPersistentVolumeSource*,NFS NFSVolumeSource*,RBD RBDPersistentVolumeSource*,Quobyte QuobyteVolumeSource*,ISCSI ISCSIPersistentVolumeSource*,FlexVolume FlexPersistentVolumeSource*,Cinder CinderPersistentVolumeSource*,CephFS CephFSPersistentVolumeSource*,FC FCVolumeSource*,Flocker FlockerVolumeSource*,AzureFile AzureFilePersistentVolumeSource*,VsphereVolume VsphereVirtualDiskVolumeSource*,AzureDisk AzureDiskVolumeSource*,PhotonPersistentDisk PhotonPersistentDiskVolumeSource*,PortworxVolume PortworxVolumeSource*,ScaleIO ScaleIOPersistentVolumeSource*,Local LocalVolumeSource*,StorageOS StorageOSPersistentVolumeSource*,CSI CSIPersistentVolumeSource*
CSIPersistentVolumeSource:Driver s,VolumeHandle s,ReadOnly b,FSType s,VolumeAttributes {}s,ControllerPublishSecretRef SecretReference*,NodeStageSecretRef SecretReference*,NodePublishSecretRef SecretReference*,ControllerExpandSecretRef SecretReference*,NodeExpandSecretRef SecretReference*
SecretReference:Name s,Namespace s
LocalVolumeSource:Path s,FSType s*
VolumeAttachmentSpec:Attacher s,Source VolumeAttachmentSource,NodeName s
VolumeAttachmentSource:PersistentVolumeName s*,InlineVolumeSpec PersistentVolumeSpec*
ParentReference:Group s,Resource s,Namespace s,Name s
CSINodeDriver:Name s,NodeID s,TopologyKeys []s,Allocatable VolumeNodeResources*
VolumeNodeResources:Count i*
HorizontalPodAutoscalerBehavior:ScaleUp HPAScalingRules*,ScaleDown HPAScalingRules*
HPAScalingRules:StabilizationWindowSeconds i*,SelectPolicy s*,Policies []HPAScalingPolicy,Tolerance Q*
HPAScalingPolicy:Type s,Value i,PeriodSeconds i
PodDisruptionBudgetSpec:MinAvailable V,Selector LabelSelector*,MaxUnavailable V,UnhealthyPodEvictionPolicy s*
ScopeSelector:MatchExpressions []ScopedResourceSelectorRequirement
ScopedResourceSelectorRequirement:ScopeName s,Operator s,Values []s
NodeAddress:Type s,Address s
PodFailurePolicy:Rules []PodFailurePolicyRule
PodFailurePolicyRule:Action s,OnExitCodes PodFailurePolicyOnExitCodesRequirement*,OnPodConditions []PodFailurePolicyOnPodConditionsPattern
PodFailurePolicyOnExitCodesRequirement:ContainerName s*,Operator s,Values []i
PodFailurePolicyOnPodConditionsPattern:Type s,Status s
SuccessPolicy:Rules []SuccessPolicyRule
SuccessPolicyRule:SucceededIndexes s*,SucceededCount i*`;
