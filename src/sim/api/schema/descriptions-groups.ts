// What the fields of the kinds of the named groups mean, in the project's own words. Same form as descriptions-core.ts.
export const GROUP_DESCRIPTIONS = `Deployment|Keeps Pods of one template and changes them step by step.
DeploymentSpec|What a Deployment keeps.|strategy=How old Pods make room for new ones.|revisionHistoryLimit=Old ReplicaSets that are kept for undo; 10 by default.|paused=Changes of the template start no rollout.|progressDeadlineSeconds=Seconds without progress after which the rollout counts as failed; 600 by default.
DeploymentStrategy|How old Pods make room for new ones.|type=Recreate or RollingUpdate.|rollingUpdate=Settings of a rolling update.
RollingUpdateDeployment|Settings of a rolling update.|maxUnavailable=How many Pods may be missing; 25% by default.|maxSurge=How many Pods may be too many; 25% by default.
DeploymentStatus|State of a Deployment.|replicas=Pods there are.|updatedReplicas=Pods of the newest template.|readyReplicas=Pods that are ready.|availableReplicas=Pods that are available.|unavailableReplicas=Pods that are still missing.|terminatingReplicas=Pods that are ending.
ReplicaSet|Keeps a number of Pods of one template.
ReplicaSetSpec|What a ReplicaSet keeps.
ReplicaSetStatus|State of a ReplicaSet.|replicas=Pods there are.|fullyLabeledReplicas=Pods with all labels of the template.|readyReplicas=Pods that are ready.|availableReplicas=Pods that are available.|terminatingReplicas=Pods that are ending.
StatefulSet|Keeps Pods with fixed names and own storage.
StatefulSetSpec|What a StatefulSet keeps.|serviceName=Headless Service that gives the Pods their DNS names.|volumeClaimTemplates=Claims made for every Pod.|podManagementPolicy=One after another, or all at once.|updateStrategy=How Pods are updated.|revisionHistoryLimit=Old revisions that are kept.|persistentVolumeClaimRetentionPolicy=What becomes of the claims.|ordinals=Number of the first Pod.
StatefulSetUpdateStrategy|How Pods are updated.|type=RollingUpdate or OnDelete.|rollingUpdate=Settings of a rolling update.
RollingUpdateStatefulSetStrategy|Settings of a rolling update.|partition=Pods with a lower number are not updated.|maxUnavailable=How many Pods may be missing.
StatefulSetStatus|State of a StatefulSet.|replicas=Pods there are.|readyReplicas=Pods that are ready.|currentReplicas=Pods of the current revision.|updatedReplicas=Pods of the update revision.|currentRevision=Revision of Pods that are not updated yet.|updateRevision=Revision of updated Pods.|availableReplicas=Pods that are available.
DaemonSet|Keeps one Pod on every node that fits.
DaemonSetSpec|What a DaemonSet keeps.|updateStrategy=How Pods are updated.|revisionHistoryLimit=Old revisions that are kept.
DaemonSetUpdateStrategy|How Pods are updated.|type=RollingUpdate or OnDelete.|rollingUpdate=Settings of a rolling update.
RollingUpdateDaemonSet|Settings of a rolling update.|maxUnavailable=How many nodes may lack their Pod.|maxSurge=How many nodes may have two.
DaemonSetStatus|State of a DaemonSet.|currentNumberScheduled=Nodes that have a Pod and should.|numberMisscheduled=Nodes that have a Pod and should not.|desiredNumberScheduled=Nodes that should have a Pod.|numberReady=Nodes whose Pod is ready.|updatedNumberScheduled=Nodes with a Pod of the newest template.|numberAvailable=Nodes whose Pod is available.|numberUnavailable=Nodes whose Pod is missing.
ControllerRevision|A stored state that a controller can go back to.|data=The state.|revision=Its number.
Scale|Number of replicas of something that can be scaled.
ScaleSpec|How many are wanted.
ScaleStatus|How many there are.|replicas=How many there are.
Job|Runs Pods until enough of them succeed.
JobSpec|What a Job runs.|parallelism=How many Pods run at once.|completions=How many must succeed.|activeDeadlineSeconds=Seconds after which the Job fails.|backoffLimit=Failures before the Job fails; 6 by default.|backoffLimitPerIndex=Failures of one index before it fails.|maxFailedIndexes=Failed indexes before the Job fails.|manualSelector=The selector is the user's own business.|ttlSecondsAfterFinished=Seconds after its end when it is deleted.|completionMode=NonIndexed, or Indexed with a number for each Pod.|suspend=No Pods run while true.|podFailurePolicy=Decides about failures by exit code or condition.|podReplacementPolicy=When a failed Pod is replaced.|successPolicy=When the Job has succeeded early.|managedBy=Controller that takes care of it.
JobStatus|State of a Job.|startTime=When it was started.|completionTime=When it succeeded.|active=Pods that run or wait.|succeeded=Pods that succeeded.|failed=Pods that failed.|ready=Pods that are ready.|terminating=Pods that are ending.|completedIndexes=Indexes that succeeded.|failedIndexes=Indexes that failed.|uncountedTerminatedPods=Pods that have ended and are not counted yet.
PodFailurePolicy|Decides about failed Pods.|rules=The first that matches is taken.
PodFailurePolicyRule|One rule about failed Pods.|action=FailJob, FailIndex, Ignore or Count.|onExitCodes=By exit codes.|onPodConditions=By conditions.
CronJob|Makes Jobs by a timetable.
CronJobSpec|When and what.|schedule=Five fields as cron has them.|timeZone=Time zone of the schedule.|startingDeadlineSeconds=How late a Job may start.|concurrencyPolicy=Whether Jobs may overlap: Allow, Forbid or Replace.|suspend=No Jobs are made while true.|jobTemplate=What the Jobs are made like.|successfulJobsHistoryLimit=Successful Jobs that are kept; 3 by default.|failedJobsHistoryLimit=Failed Jobs that are kept; 1 by default.
CronJobStatus|State of a CronJob.|active=Jobs that run.|lastScheduleTime=When a Job was last made.|lastSuccessfulTime=When a Job last succeeded.
JobTemplateSpec|What Jobs are made like.
HorizontalPodAutoscaler|Changes the number of Pods by their load.
HorizontalPodAutoscalerSpec|What is scaled and by what.|scaleTargetRef=What is scaled.|minReplicas=The least; 1 by default.|maxReplicas=The most.|metrics=What the load is measured by.|behavior=How fast it may go up and down.|targetCPUUtilizationPercentage=CPU of the requests to aim at.
HorizontalPodAutoscalerStatus|State of an autoscaler.|lastScaleTime=When it last scaled.|currentReplicas=Pods there are.|desiredReplicas=Pods it wants.|currentMetrics=What was measured last.
CrossVersionObjectReference|An object that can be scaled.|name=Its name.
MetricSpec|One measure of load.|type=Resource, ContainerResource, Pods, Object or External.|resource=CPU or memory of the Pods.|containerResource=CPU or memory of one container.|pods=A figure of each Pod.|object=A figure of another object.|external=A figure from outside.
MetricTarget|What is aimed at.|type=Utilization, Value or AverageValue.|value=A value.|averageValue=A value for each Pod.|averageUtilization=A percentage of the requests.
ResourceMetricSource|CPU or memory of the Pods.|name=cpu or memory.|target=What is aimed at.
HorizontalPodAutoscalerBehavior|How fast it may go.|scaleUp=Up.|scaleDown=Down.
HPAScalingRules|How fast it may go one way.|stabilizationWindowSeconds=How far back wishes are remembered.|selectPolicy=Which policy wins.|policies=The policies.|tolerance=Differences that are ignored.
HPAScalingPolicy|A bound of the speed.|type=Pods or Percent.|value=How much.|periodSeconds=In which time.
PodDisruptionBudget|Bounds how many Pods may be evicted at once.
PodDisruptionBudgetSpec|The bounds.|minAvailable=How many must stay.|maxUnavailable=How many may be missing.|unhealthyPodEvictionPolicy=When Pods that are not ready may be evicted.
PodDisruptionBudgetStatus|State of a budget.|disruptedPods=Pods whose eviction was granted and that are not gone yet.|disruptionsAllowed=How many may go now.|currentHealthy=Pods that are ready.|desiredHealthy=Pods that must be.|expectedPods=Pods it counts.
Eviction|Asks for a Pod to go, if its budgets allow it.|deleteOptions=How it is deleted.
NetworkPolicy|Which traffic Pods may have.
NetworkPolicySpec|What is allowed.|podSelector=The Pods it is about; all when empty.|ingress=What may come in.|egress=What may go out.|policyTypes=Ingress, Egress or both.
NetworkPolicyIngressRule|What may come in.|ports=To which ports; all when empty.|from=From whom; all when empty.
NetworkPolicyEgressRule|What may go out.|ports=To which ports; all when empty.|to=To whom; all when empty.
NetworkPolicyPeer|Someone to talk with.|podSelector=Pods.|ipBlock=Addresses.
NetworkPolicyPort|A port.|protocol=TCP, UDP or SCTP.|port=Number or name.|endPort=Last port of a range.
IPBlock|A range of addresses.|cidr=The range.|except=Not these.
Ingress|Leads HTTP from outside to Services.
IngressSpec|What leads where.|ingressClassName=Which controller is meant.|defaultBackend=For requests that no rule matches.|tls=Certificates.|rules=By host.
IngressRule|Rules for one host.|host=The host; all when empty.|http=Paths of it.
HTTPIngressRuleValue|Paths of a host.|paths=The paths.
HTTPIngressPath|A path and where it leads.|path=The path.|pathType=Exact, Prefix or ImplementationSpecific.|backend=Where it leads.
IngressBackend|Where requests go.|service=A Service.|resource=Another object.
IngressServiceBackend|A Service.|name=Its name.|port=Its port.
ServiceBackendPort|A port of a Service.|name=By name.|number=By number.
IngressTLS|A certificate.|hosts=Hosts it is for.|secretName=Secret that holds it.
IngressClass|A kind of ingress controller.
IngressClassSpec|Which controller.|controller=Its name.|parameters=Its settings.
PolicyRule|Something that is allowed.|verbs=What may be done.|apiGroups=In which groups.|resources=To which resources.|resourceNames=Only to objects with these names.|nonResourceURLs=To which paths.
Role|What is allowed in a namespace.|rules=The rules.
ClusterRole|What is allowed in the whole cluster.|rules=The rules.|aggregationRule=Takes its rules from other roles.
RoleBinding|Gives a role to users, in a namespace.|subjects=Who gets it.|roleRef=The role; it cannot be changed.
ClusterRoleBinding|Gives a role to users, everywhere.|subjects=Who gets it.|roleRef=The role; it cannot be changed.
RoleRef|A role.|apiGroup=Group of its kind.|name=Its name.
Subject|A user, a group or a ServiceAccount.|apiGroup=Group of its kind.|name=Its name.|namespace=Namespace of a ServiceAccount.
AggregationRule|Takes rules from other roles.|clusterRoleSelectors=Roles with these labels.
StorageClass|A kind of storage.|provisioner=Who makes the volumes.|parameters=What is told to it.|reclaimPolicy=What becomes of volumes after their claim; Delete by default.|mountOptions=Options for mounting.|allowVolumeExpansion=Claims may grow.|volumeBindingMode=When a claim is bound: at once, or when a Pod needs it.|allowedTopologies=Where volumes may be made.
CSIDriver|A CSI driver of the cluster.
CSIDriverSpec|What the driver needs.|attachRequired=Volumes are attached before they are mounted.|podInfoOnMount=The driver is told about the Pod.|volumeLifecycleModes=Persistent, Ephemeral or both.|storageCapacity=The scheduler asks how much is left.|fsGroupPolicy=Whether owners of files are changed.|tokenRequests=Tokens for the driver.|requiresRepublish=Mounting is repeated to refresh what is there.|seLinuxMount=Volumes can be mounted with an SELinux label.
CSINode|Drivers of a node.
CSINodeSpec|Drivers of a node.|drivers=The drivers.
CSINodeDriver|A driver of a node.|name=Name of the driver.|nodeID=The driver's name of the node.|topologyKeys=Labels it uses.|allocatable=How many volumes.
VolumeAttachment|A volume on a node.
VolumeAttachmentSpec|What goes where.|attacher=Who attaches it.|source=The volume.|nodeName=The node.
VolumeAttachmentStatus|State of an attachment.|attached=It is attached.|attachmentMetadata=What the attacher says about it.|attachError=Why attaching failed.|detachError=Why detaching failed.
PriorityClass|A name for a priority.|value=The priority.|globalDefault=For Pods that name no class.|description=What it is for.|preemptionPolicy=Whether Pods of lower priority may be evicted.
Lease|A short-lived right, such as leadership.
LeaseSpec|Who holds it.|holderIdentity=The holder.|leaseDurationSeconds=How long it lasts without renewal.|acquireTime=When the holder got it.|renewTime=When it was last renewed.|leaseTransitions=How often it changed hands.|strategy=How a leader is chosen.|preferredHolder=Who should take over.
RuntimeClass|A way to run containers.|handler=The runtime's name of it.|overhead=Resources that running a Pod takes itself.|scheduling=Nodes that have it.
ValidatingWebhookConfiguration|Programs that are asked whether a write is right.|webhooks=The programs.
MutatingWebhookConfiguration|Programs that may change what is written.|webhooks=The programs.
ValidatingWebhook|A program that is asked.|name=Its full name.|clientConfig=How it is reached.|rules=Which writes it is asked about.|failurePolicy=What happens when it does not answer: Fail or Ignore.|matchPolicy=Whether other versions of a resource count.|objectSelector=Only objects with these labels.|sideEffects=What else it does.|timeoutSeconds=How long it may take; 10 by default.|admissionReviewVersions=Versions it understands.|matchConditions=Conditions in CEL.
MutatingWebhook|A program that may change what is written.|name=Its full name.|clientConfig=How it is reached.|rules=Which writes it is asked about.|failurePolicy=What happens when it does not answer: Fail or Ignore.|matchPolicy=Whether other versions of a resource count.|objectSelector=Only objects with these labels.|sideEffects=What else it does.|timeoutSeconds=How long it may take; 10 by default.|admissionReviewVersions=Versions it understands.|reinvocationPolicy=Whether it is asked again when others changed something.|matchConditions=Conditions in CEL.
WebhookClientConfig|How a program is reached.|url=Its address.|service=Or its Service.|caBundle=Certificates that its own is checked with.
RuleWithOperations|Which writes are meant.|operations=CREATE, UPDATE, DELETE, CONNECT or all.|apiGroups=Groups.|apiVersions=Versions.|resources=Resources.|scope=Cluster, Namespaced or all.
ValidatingAdmissionPolicy|Rules in CEL about what may be written.
ValidatingAdmissionPolicySpec|The rules.|paramKind=Kind of the settings.|matchConstraints=Which writes it is about.|validations=Expressions that must hold.|failurePolicy=What happens when an expression fails to run.|auditAnnotations=Notes for the audit log.|matchConditions=Conditions in CEL.|variables=Names for expressions.
ValidatingAdmissionPolicyBinding|Puts a policy into force.
ValidatingAdmissionPolicyBindingSpec|Where a policy is in force.|policyName=The policy.|paramRef=Its settings.|matchResources=For which writes.|validationActions=Deny, Warn or Audit.
Validation|An expression that must hold.|expression=The expression, in CEL.|messageExpression=An expression that makes the message.
CustomResourceDefinition|A kind that users add.
CustomResourceDefinitionSpec|What the kind is.|group=Its group.|names=Its names.|scope=Cluster or Namespaced.|versions=Its versions.|conversion=How versions are turned into each other.|preserveUnknownFields=Must be false.
CustomResourceDefinitionNames|Names of a kind.|plural=In paths.|singular=For people.|shortNames=Short names.|kind=In objects.|listKind=In lists.|categories=Groups such as all.
CustomResourceDefinitionVersion|A version of a kind.|name=Such as v1.|served=It can be asked for.|storage=It is the one that is stored.|deprecated=Using it gives a warning.|deprecationWarning=The warning.|schema=What its objects look like.|subresources=status and scale.|additionalPrinterColumns=Columns of kubectl get.|selectableFields=Fields that can be selected by.
CustomResourceColumnDefinition|A column of kubectl get.|name=Its head.|type=Type of its values.|format=Format of its values.|description=What it tells.|priority=Above 0 only with -o wide.|jsonPath=Where the value is.
CertificateSigningRequest|Asks for a certificate.
CertificateSigningRequestSpec|What is asked for.|request=The request in PEM, in base64.|signerName=Who is to sign.|expirationSeconds=How long it is to be valid.|usages=What it is for.|username=Who asked.|uid=Who asked, by id.|groups=Groups of who asked.|extra=More about who asked.
CertificateSigningRequestStatus|What became of it.|certificate=The certificate in PEM, in base64.
FlowSchema|Which requests belong together.
PriorityLevelConfiguration|How many requests of a level run at once.
ResourceClaim|A claim for devices.
ResourceClaimTemplate|What claims are made like.
ResourceSlice|Devices that a driver offers.
DeviceClass|A kind of device.
`;
