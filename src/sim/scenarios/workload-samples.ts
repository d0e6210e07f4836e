import { SECOND } from "../api/time.ts";
import { broken, type Sample, typed } from "./sample.ts";

const nginxDeployment = (name: string, replicas: number, more = "", podSpec = ""): string => `apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${name}
spec:
  replicas: ${replicas}
${more}  selector:
    matchLabels:
      app: ${name}
  template:
    metadata:
      labels:
        app: ${name}
    spec:
${podSpec}      containers:
        - name: ${name}
          image: nginx:1.27
          readinessProbe:
            httpGet:
              path: /
              port: 80
            periodSeconds: 1
`;

const rolling = `# Watch four Pods change places one by one: at 8 s comes a new image, and there is at most one Pod more than wanted (maxSurge), never one less (maxUnavailable).
${nginxDeployment("web", 4, `  strategy:
    rollingUpdate:
      maxSurge: 1
      maxUnavailable: 0
`)}`;

const rollback = `# Watch what a bad image does not break: it comes at 6 s, the rollout stops at its first Pod, and the old ones go on serving. At 16 s it is undone.
${nginxDeployment("web", 3)}`;

const spread = `# Watch where six Pods go: no zone may have more than one Pod more than another, and each node shows its zone.
${nginxDeployment("spread", 6, "", `      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: topology.kubernetes.io/zone
          whenUnsatisfiable: DoNotSchedule
          labelSelector:
            matchLabels:
              app: spread
`)}`;

const preemption = `# Watch who has to go: two Pods fill a node, and at 6 s a Pod of higher priority wants room there.
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata:
  name: urgent
value: 1000000
---
${nginxDeployment("batch", 2, "", `      nodeSelector:
        kubernetes.io/hostname: worker-node-08
      terminationGracePeriodSeconds: 3
`).replace("          readinessProbe", `          resources:
            requests:
              cpu: "3"
          readinessProbe`)}`;

const urgent = `apiVersion: v1
kind: Pod
metadata:
  name: urgent
spec:
  priorityClassName: urgent
  nodeSelector:
    kubernetes.io/hostname: worker-node-08
  containers:
    - name: app
      image: nginx:1.27
      resources:
        requests:
          cpu: "4"
`;

const statefulSet = `# Watch three Pods come one after another, each with a disk of its own. At 20 s there is one less, at 30 s it comes back: with its name it gets its disk again.
apiVersion: v1
kind: Service
metadata:
  name: db
spec:
  clusterIP: None
  selector:
    app: db
  ports:
    - port: 80
---
apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: db
spec:
  serviceName: db
  replicas: 3
  selector:
    matchLabels:
      app: db
  template:
    metadata:
      labels:
        app: db
    spec:
      terminationGracePeriodSeconds: 2
      containers:
        - name: db
          image: busybox:1.36
          command: ["sh", "-c", "echo started >> /data/log; cat /data/log; sleep 3600"]
          volumeMounts:
            - name: data
              mountPath: /data
  volumeClaimTemplates:
    - metadata:
        name: data
      spec:
        accessModes: ["ReadWriteOnce"]
        resources:
          requests:
            storage: 1Gi
`;

const daemonSet = `# Watch the nodes, not the replicas: one Pod on each node of a zone. worker-node-08 is taken out at 2 s; at 70 s a new machine of that name joins.
apiVersion: apps/v1
kind: DaemonSet
metadata:
  name: agent
spec:
  selector:
    matchLabels:
      app: agent
  template:
    metadata:
      labels:
        app: agent
    spec:
      nodeSelector:
        topology.kubernetes.io/zone: eu-west-1a
      containers:
        - name: agent
          image: busybox:1.36
          command: ["sh", "-c", "sleep 3600"]
`;

const job = `# Watch how long each new Pod is put off: the work fails twice, then succeeds, and the waits double from 10 s.
apiVersion: batch/v1
kind: Job
metadata:
  name: sums
spec:
  backoffLimit: 4
  template:
    spec:
      restartPolicy: Never
      containers:
        - name: sums
          image: busybox:1.36
          command: ["sh", "-c", "echo adding up; sleep 2; echo done"]
`;

const cronJob = `# Watch what is kept: a Job every minute, of which the last three that succeeded stay.
apiVersion: batch/v1
kind: CronJob
metadata:
  name: tick
spec:
  schedule: "* * * * *"
  jobTemplate:
    spec:
      template:
        spec:
          restartPolicy: OnFailure
          containers:
            - name: tick
              image: busybox:1.36
              command: ["sh", "-c", "echo tick; sleep 2"]
`;

const drain = `# Watch the second Pod wait: two are on one node, one of them must always run, and at 8 s the node is drained.
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: shop
spec:
  minAvailable: 1
  selector:
    matchLabels:
      app: shop
---
${nginxDeployment("shop", 2, "", `      affinity:
        nodeAffinity:
          preferredDuringSchedulingIgnoredDuringExecution:
            - weight: 100
              preference:
                matchExpressions:
                  - key: kubernetes.io/hostname
                    operator: In
                    values: ["worker-node-05"]
      topologySpreadConstraints:
        - maxSkew: 5
          topologyKey: kubernetes.io/hostname
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels:
              app: none
`)}`;

const dyingNode = `# Watch who notices, and when: at 5 s worker-node-03 loses power, after 50 s it counts as lost, 300 s later its Pods are given up.
${nginxDeployment("site", 3)}`;

/** Stories of workloads and of the scheduler: a manifest, and what is done to it afterwards. */
export const WORKLOAD_SAMPLES: readonly Sample[] = [
  { id: "rolling", title: "Rolling update with surge", file: "web.yaml", text: rolling, after: [typed(8, "set image deployment/web web=nginx:1.28")], until: 30 * SECOND },
  { id: "rollback", title: "Rollback of a bad image", file: "web.yaml", text: rollback, after: [typed(6, "set image deployment/web web=nginx:1.72"), typed(16, "rollout undo deployment/web")], until: 30 * SECOND },
  { id: "spread", title: "Spread over zones", file: "spread.yaml", text: spread },
  { id: "preemption", title: "Preemption by priority", file: "batch.yaml", text: preemption, after: [typed(6, "apply -f urgent.yaml", { "urgent.yaml": urgent })], until: 20 * SECOND },
  { id: "statefulset", title: "StatefulSet with disks", file: "db.yaml", text: statefulSet, after: [typed(20, "scale statefulset/db --replicas=2"), typed(30, "scale statefulset/db --replicas=3")], until: 45 * SECOND },
  { id: "daemonset", title: "DaemonSet and a new node", file: "agent.yaml", text: daemonSet, after: [broken(2, 70, "node.crash", { node: "worker-node-08" }), typed(3, "delete node worker-node-08")], until: 90 * SECOND },
  { id: "job", title: "Job with retries", file: "sums.yaml", text: job, after: [broken(0, 25, "app.crash", { container: "sums", pod: "", exitCode: 1, afterSeconds: 1, times: 0 })], until: 60 * SECOND },
  { id: "cronjob", title: "CronJob every minute", file: "tick.yaml", text: cronJob, until: 320 * SECOND },
  { id: "drain", title: "Drain held up by a budget", file: "shop.yaml", text: drain, after: [typed(8, "drain worker-node-05 --ignore-daemonsets --force --delete-emptydir-data")], until: 40 * SECOND },
  { id: "node-dies", title: "A node dies", file: "site.yaml", text: dyingNode, after: [broken(5, undefined, "node.crash", { node: "worker-node-03" })], until: 420 * SECOND },
];
