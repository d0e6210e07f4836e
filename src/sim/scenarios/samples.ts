import { LONG_SAMPLES } from "./long-samples.ts";
import type { Sample } from "./sample.ts";
import { WORKLOAD_SAMPLES } from "./workload-samples.ts";

const nginx = `# A Pod with probes and resources that needs an SSD, and a Service in front of it.
apiVersion: v1
kind: Pod
metadata:
  name: nginx
  labels:
    app: nginx
spec:
  nodeSelector:
    disktype: ssd
  containers:
    - name: nginx
      image: nginx:1.27
      ports:
        - containerPort: 80
      resources:
        requests:
          cpu: 250m
          memory: 128Mi
        limits:
          cpu: 500m
          memory: 256Mi
      startupProbe:
        httpGet:
          path: /
          port: 80
        periodSeconds: 1
        failureThreshold: 30
      readinessProbe:
        httpGet:
          path: /
          port: 80
        periodSeconds: 5
      livenessProbe:
        httpGet:
          path: /
          port: 80
        periodSeconds: 10
---
apiVersion: v1
kind: Service
metadata:
  name: nginx
spec:
  selector:
    app: nginx
  ports:
    - port: 80
      targetPort: 80
`;

const deployment = `# Two replicas: a Deployment makes a ReplicaSet, the ReplicaSet makes the Pods.
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 2
  selector:
    matchLabels:
      app: web
  template:
    metadata:
      labels:
        app: web
    spec:
      containers:
        - name: web
          image: nginx:1.27
          ports:
            - containerPort: 80
          readinessProbe:
            httpGet:
              path: /
              port: 80
---
apiVersion: v1
kind: Service
metadata:
  name: web
spec:
  selector:
    app: web
  ports:
    - port: 80
`;

const init = `# Two init containers run one after the other, a sidecar starts before the main container and outlives it.
apiVersion: v1
kind: Pod
metadata:
  name: staged
spec:
  initContainers:
    - name: fetch
      image: busybox:1.36
      command: ["sh", "-c", "echo fetched > /work/data; sleep 1"]
      volumeMounts:
        - name: work
          mountPath: /work
    - name: log-shipper
      image: busybox:1.36
      restartPolicy: Always
      command: ["sh", "-c", "while true; do sleep 5; done"]
  containers:
    - name: main
      image: busybox:1.36
      command: ["sh", "-c", "cat /work/data; sleep 3600"]
      volumeMounts:
        - name: work
          mountPath: /work
  volumes:
    - name: work
      emptyDir: {}
`;

const crash = `# The process ends with exit code 1: restarts come after 0, 10, 20, 40 ... seconds.
apiVersion: v1
kind: Pod
metadata:
  name: crasher
spec:
  containers:
    - name: app
      image: busybox:1.36
      command: ["sh", "-c", "echo starting; sleep 2; echo boom; exit 1"]
`;

const typo = `# No registry knows this image: ErrImagePull, then ImagePullBackOff.
apiVersion: v1
kind: Pod
metadata:
  name: typo
spec:
  containers:
    - name: web
      image: ngnix:1.27
`;

const config = `# Settings as files and as environment variables.
apiVersion: v1
kind: ConfigMap
metadata:
  name: settings
data:
  greeting: hello
---
apiVersion: v1
kind: Secret
metadata:
  name: credentials
stringData:
  password: not-a-real-one
---
apiVersion: v1
kind: Pod
metadata:
  name: configured
spec:
  containers:
    - name: app
      image: busybox:1.36
      command: ["sh", "-c", "echo $GREETING; cat /etc/settings/greeting; sleep 3600"]
      env:
        - name: GREETING
          valueFrom:
            configMapKeyRef:
              name: settings
              key: greeting
      volumeMounts:
        - name: settings
          mountPath: /etc/settings
        - name: credentials
          mountPath: /etc/credentials
          readOnly: true
  volumes:
    - name: settings
      configMap:
        name: settings
    - name: credentials
      secret:
        secretName: credentials
`;

const liveness = `# The file that the liveness probe looks for disappears after 10 seconds.
apiVersion: v1
kind: Pod
metadata:
  name: forgetful
spec:
  containers:
    - name: app
      image: busybox:1.36
      command: ["sh", "-c", "touch /tmp/healthy; sleep 10; rm -f /tmp/healthy; sleep 600"]
      livenessProbe:
        exec:
          command: ["cat", "/tmp/healthy"]
        periodSeconds: 3
`;

const unschedulable = `# No node has 32 free CPUs: the Pod stays Pending, and the scheduler says why.
apiVersion: v1
kind: Pod
metadata:
  name: greedy
spec:
  containers:
    - name: app
      image: nginx:1.27
      resources:
        requests:
          cpu: "32"
`;

const disk = `# A claim asks for a disk; the Pod writes to it. Delete the Pod and apply again: the file is still there.
apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  name: diary
spec:
  accessModes: ["ReadWriteOnce"]
  resources:
    requests:
      storage: 1Gi
---
apiVersion: v1
kind: Pod
metadata:
  name: writer
spec:
  containers:
    - name: app
      image: busybox:1.36
      command: ["sh", "-c", "echo a new Pod wrote this >> /data/diary.txt; cat /data/diary.txt; sleep 3600"]
      volumeMounts:
        - name: data
          mountPath: /data
  terminationGracePeriodSeconds: 2
  volumes:
    - name: data
      persistentVolumeClaim:
        claimName: diary
`;

/** In the order of the menu; the first is what a new page shows. */
export const SAMPLES: readonly Sample[] = [
  { id: "nginx", title: "First Pod: nginx and a Service", file: "nginx.yaml", text: nginx },
  { id: "deployment", title: "Deployment of two", file: "web.yaml", text: deployment },
  { id: "init", title: "Init containers and a sidecar", file: "staged.yaml", text: init },
  { id: "config", title: "ConfigMap and Secret", file: "configured.yaml", text: config },
  { id: "disk", title: "Pod with a disk", file: "writer.yaml", text: disk },
  { id: "crash", title: "CrashLoopBackOff", file: "crasher.yaml", text: crash },
  { id: "typo", title: "An image that does not exist", file: "typo.yaml", text: typo },
  { id: "liveness", title: "Killed by its liveness probe", file: "forgetful.yaml", text: liveness },
  { id: "greedy", title: "Fits on no node", file: "greedy.yaml", text: unschedulable },
  ...WORKLOAD_SAMPLES,
  ...LONG_SAMPLES,
];
