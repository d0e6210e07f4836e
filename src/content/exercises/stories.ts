import type { Story } from "./exercise.ts";

const web = (replicas: number, container = "", pod = ""): string => `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: ${replicas}
  selector:
    matchLabels:
      app: web
  template:
    metadata:
      labels:
        app: web
    spec:${pod}
      containers:
        - name: web
          image: nginx:1.27
          ports:
            - containerPort: 80${container}
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

const READY = `
          readinessProbe:
            httpGet:
              path: /
              port: 80
            periodSeconds: 5`;
const LIVE = `
          livenessProbe:
            httpGet:
              path: /
              port: 80
            periodSeconds: 5`;
const LIMIT = `
          resources:
            limits:
              memory: 128Mi`;

const DISK = `apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  name: data
spec:
  accessModes: [ReadWriteOnce]
  resources:
    requests:
      storage: 1Gi
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: shelf
spec:
  replicas: 1
  strategy:
    type: Recreate
  selector:
    matchLabels:
      app: shelf
  template:
    metadata:
      labels:
        app: shelf
    spec:
      securityContext:
        fsGroup: 2000
      containers:
        - name: shelf
          image: nginx:1.27
          volumeMounts:
            - name: data
              mountPath: /data
      volumes:
        - name: data
          persistentVolumeClaim:
            claimName: data
`;

const GPU = `apiVersion: batch/v1
kind: Job
metadata:
  name: train
spec:
  backoffLimit: 0
  template:
    spec:
      restartPolicy: Never
      nodeSelector:
        kubernetes.io/hostname: gpu-node-01
      containers:
        - name: train
          image: busybox:1.36
          command: ["sleep", "600"]
          resources:
            limits:
              nvidia.com/gpu: 1
`;

const CLIENT = `apiVersion: v1
kind: Pod
metadata:
  name: client
spec:
  containers:
    - name: client
      image: busybox:1.36
      command: ["sh", "-c", "while true; do wget -q -T 2 -O /dev/null http://web && echo ok || echo failed; sleep 2; done"]
---
`;

const story = (text: string, ...after: NonNullable<Story["after"]>): Story => ({ file: "app.yaml", text, ...(after.length === 0 ? {} : { after }) });

/** What runs while something breaks: each the smallest that shows it. */
export const STORIES = {
  web: story(web(2)),
  ready: story(web(2, READY)),
  live: story(web(2, LIVE)),
  limited: story(web(2, LIMIT)),
  scaled: story(web(2), [10, "scale", "deployment/web", "--replicas=4"]),
  replaced: story(web(2), [10, "delete", "pods", "-l", "app=web", "--wait=false"]),
  restarted: story(web(2), [10, "rollout", "restart", "deployment/web"]),
  client: story(CLIENT + web(2)),
  disk: story(DISK),
  gpu: { ...story(GPU), world: "gpu-nodes" },
  small: { ...story(web(2)), world: "three-nodes" },
} satisfies Readonly<Record<string, Story>>;
