import type { Exercise, Place, Story } from "./exercise.ts";

interface Broken {
  readonly name: string;
  readonly wrong: string;
  readonly right: string;
  /** Where the two words stand. */
  readonly text: string;
  readonly look?: number;
  readonly place?: Place;
  readonly after?: Story["after"];
  readonly world?: string;
  readonly complaint: string;
  readonly cause: string;
  readonly hint: string;
  readonly commands: readonly string[];
}

const pod = (name: string, container: string, spec = ""): string => `apiVersion: v1
kind: Pod
metadata:
  name: ${name}
  labels:
    app: ${name}
spec:${spec}
  containers:
    - name: main
      image: nginx:1.27${container}
`;

const service = (name: string, selector: string, port: string): string => `---
apiVersion: v1
kind: Service
metadata:
  name: ${name}
spec:
  selector:
    app: ${selector}
  ports:
    - port: 80
      targetPort: ${port}
`;

const config = `apiVersion: v1
kind: ConfigMap
metadata:
  name: settings
data:
  COLOUR: blue
---
`;

const probe = (kind: string, path: string, port: string): string => `
      ports:
        - containerPort: 80
      ${kind}:
        httpGet:
          path: ${path}
          port: ${port}
        periodSeconds: 5`;

/** "WRONG" in the text is the word that is wrong. */
const LIST: readonly Broken[] = [
  { name: "manifest.image", text: pod("shop", "").replace("nginx:1.27", "WRONG"), wrong: "ngnix:1.27", right: "nginx:1.27", look: 40, complaint: "A new Pod never starts.", cause: "The image's name is misspelt", hint: "The registry says what it was asked for.", commands: ["get pods", "describe pod shop"] },
  { name: "manifest.image-text", text: pod("shop", "").replace("nginx:1.27", "WRONG"), wrong: "Nginx:1.27", right: "nginx:1.27", complaint: "A new Pod never starts, and no registry is asked.", cause: "The image's name is no valid name", hint: "The API server took it. Who reads the name first?", commands: ["get pods", "describe pod shop"] },
  { name: "manifest.command", text: pod("shop", `
      command: ["WRONG", "-g", "daemon off;"]`), wrong: "ngnix", right: "nginx", complaint: "The image is there, and the container is not started.", cause: "The command is not in the image", hint: "The runtime says which file it looked for.", commands: ["get pods", "describe pod shop"] },
  { name: "manifest.exits", text: `apiVersion: v1
kind: Pod
metadata:
  name: shop
spec:
  containers:
    - name: main
      image: busybox:1.36
      command: ["sh", "-c", "WRONG"]
`, wrong: "test -f /etc/shop.conf || { echo no /etc/shop.conf; exit 1; }; sleep 3600", right: "sleep 3600", look: 40, complaint: "The container starts, ends, and starts again.", cause: "The program misses a file that nothing mounts", hint: "A program says goodbye in its log.", commands: ["get pods", "logs shop"] },
  { name: "manifest.liveness", text: pod("shop", probe("livenessProbe", "/", "WRONG")), wrong: "8080", right: "80", look: 60, complaint: "The website works for some seconds, and then begins anew.", cause: "The liveness probe asks the wrong port", hint: "Who kills it, and what was the last straw?", commands: ["get pods", "describe pod shop"] },
  { name: "manifest.readiness", text: pod("shop", probe("readinessProbe", "WRONG", "80")), wrong: "/healthz", right: "/", look: 40, complaint: "The Pod is Running, but nobody gets through to it.", cause: "The readiness probe asks for a page that is not there", hint: "READY has two numbers.", commands: ["get pods", "describe pod shop"] },
  { name: "manifest.selector", text: pod("shop", "") + service("shop", "WRONG", "80"), wrong: "shopp", right: "shop", complaint: "The Pod is ready, the Service is there, and no request arrives.", cause: "The Service's selector matches no Pod", hint: "How many endpoints does the Service have?", commands: ["get endpointslices", "describe service shop"] },
  { name: "manifest.target-port", text: pod("shop", `
      ports:
        - containerPort: 80`) + service("shop", "shop", "WRONG"), wrong: "8080", right: "80", look: 30, complaint: "The Service has its endpoint, and every request is refused.", cause: "The Service's targetPort is not the program's port", hint: "The packet arrives at the Pod. Does anybody listen there?", commands: ["describe service shop"] },
  { name: "manifest.config-map", text: config + pod("shop", `
      envFrom:
        - configMapRef:
            name: WRONG`), wrong: "setting", right: "settings", complaint: "The image is pulled, and the container is not made.", cause: "A ConfigMap of that name does not exist", hint: "STATUS says at which step it stops; the event says for want of what.", commands: ["get pods", "describe pod shop"] },
  { name: "manifest.config-key", text: config + pod("shop", `
      env:
        - name: COLOUR
          valueFrom:
            configMapKeyRef:
              name: settings
              key: WRONG`), wrong: "COLOR", right: "COLOUR", complaint: "The ConfigMap is there, and still the container is not made.", cause: "The ConfigMap has no such key", hint: "Look into the ConfigMap as the kubelet does: by key.", commands: ["get pods", "describe pod shop"] },
  { name: "manifest.secret-volume", text: pod("shop", `
      volumeMounts:
        - name: keys
          mountPath: /keys`, `
  volumes:
    - name: keys
      secret:
        secretName: WRONG`) + `---
apiVersion: v1
kind: Secret
metadata:
  name: shop-keys
stringData:
  token: abc
`, wrong: "shop-key", right: "shop-keys", complaint: "The Pod stays in ContainerCreating; no image is asked for.", cause: "A Secret that is to be mounted does not exist", hint: "Volumes come before the sandbox.", commands: ["get pods", "describe pod shop"] },
  { name: "manifest.cpu", text: pod("shop", `
      resources:
        requests:
          cpu: "WRONG"`), wrong: "64", right: "500m", complaint: "The Pod stays Pending.", cause: "It asks for more CPU than any node has", hint: "The scheduler counts its reasons.", commands: ["get pods", "describe pod shop"] },
  { name: "manifest.node-selector", text: pod("shop", "", `
  nodeSelector:
    disktype: WRONG`), wrong: "sdd", right: "ssd", complaint: "The Pod stays Pending, on a cluster with room to spare.", cause: "No node has the label that the Pod asks for", hint: "The scheduler counts its reasons; compare with the nodes' labels.", commands: ["get pods", "describe pod shop"] },
  { name: "manifest.claim", text: `apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  name: data
spec:
  storageClassName: WRONG
  accessModes: [ReadWriteOnce]
  resources:
    requests:
      storage: 1Gi
---
${pod("shop", `
      volumeMounts:
        - name: data
          mountPath: /data`, `
  volumes:
    - name: data
      persistentVolumeClaim:
        claimName: data`)}`, wrong: "fast", right: "standard", look: 30, complaint: "The Pod stays Pending, and its claim too.", cause: "A StorageClass of that name does not exist", hint: "The claim has events of its own.", commands: ["get pvc", "describe pvc data"] },
  { name: "manifest.quota", text: `apiVersion: v1
kind: ResourceQuota
metadata:
  name: small
spec:
  hard:
    pods: "WRONG"
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: shop
spec:
  replicas: 3
  selector:
    matchLabels:
      app: shop
  template:
    metadata:
      labels:
        app: shop
    spec:
      containers:
        - name: main
          image: nginx:1.27
`, wrong: "2", right: "20", look: 30, complaint: "Of three replicas there are two, and no Pod waits.", cause: "A quota allows no more Pods", hint: "No Pod is Pending: it was never made. Who was told why?", commands: ["get deployment shop", "get events --field-selector reason=FailedCreate"] },
  { name: "manifest.limit", text: `apiVersion: v1
kind: Pod
metadata:
  name: shop
spec:
  containers:
    - name: main
      image: polinux/stress
      command: ["stress"]
      args: ["--vm", "1", "--vm-bytes", "150M", "--vm-hang", "1"]
      resources:
        limits:
          memory: WRONG
`, wrong: "100Mi", right: "300Mi", look: 30, complaint: "The container is killed as soon as it does its work.", cause: "The memory limit is lower than the program needs", hint: "Code 137, and a reason beside it.", commands: ["get pods", "describe pod shop"] },
  { name: "manifest.init", text: pod("shop", "", `
  initContainers:
    - name: wait
      image: busybox:1.36
      command: ["sh", "-c", "until nslookup WRONG.default.svc.cluster.local; do sleep 2; done"]`) + service("shop", "shop", "80"), wrong: "database", right: "shop", look: 30, complaint: "STATUS is Init:0/1 and stays so.", cause: "An init container waits for a Service that does not exist", hint: "Every container has a log, also one that comes before the others.", commands: ["get pods", "logs shop -c wait --tail=4"] },
  { name: "manifest.budget", text: `apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: shop
spec:
  minAvailable: WRONG
  selector:
    matchLabels:
      app: shop
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: shop
spec:
  replicas: 2
  selector:
    matchLabels:
      app: shop
  template:
    metadata:
      labels:
        app: shop
    spec:
      containers:
        - name: main
          image: nginx:1.27
`, wrong: "2", right: "1", look: 40, world: "three-nodes", after: [[12, "drain", "worker-node-01", "worker-node-02", "worker-node-03", "--ignore-daemonsets", "--timeout=15s"]], complaint: "A drain never gets done.", cause: "A disruption budget allows no Pod to go", hint: "The eviction is refused. By which object?", commands: ["get pdb", "describe pdb shop"] },
  { name: "manifest.unready-rollout", text: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: shop
spec:
  replicas: 2
  selector:
    matchLabels:
      app: shop
  template:
    metadata:
      labels:
        app: shop
    spec:
      containers:
        - name: main
          image: nginx:1.27
`, wrong: "nginx:1.72", right: "nginx:1.28", look: 45, after: [[12, "set", "image", "deployment/shop", "main=WRONG"]], complaint: "An update was begun and stands still; the old version goes on answering.", cause: "The new version's image does not exist", hint: "Old and new Pods stand side by side. What is different about the new one?", commands: ["get pods", "rollout status deployment/shop --timeout=1s"] },
];

const filled = (text: string, word: string): string => text.replaceAll("WRONG", word);

/** The manifest is wrong, the world is right: what people most often report. */
const told = ({ text, after }: Broken, word: string): Pick<Story, "text" | "after"> => ({ text: filled(text, word), ...(after === undefined ? {} : { after: after.map(([second, ...argv]) => [second, ...argv.map((one) => filled(one, word))]) }) });

export const BROKEN_MANIFESTS: readonly Exercise[] = LIST.map((broken): Exercise => {
  const { name, wrong, right, look = 20, place = "manifest", world, complaint, cause, hint, commands } = broken;
  return { name, story: { file: "app.yaml", ...told(broken, wrong), ...(world === undefined ? {} : { world }) }, fixed: told(broken, right), look, complaint, place, cause, hint, commands };
});
