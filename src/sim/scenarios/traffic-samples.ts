import { SECOND } from "../api/time.ts";
import { broken, type Sample, typed } from "./sample.ts";

const backend = (first: string, lifecycle: string): string => `${first}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: my-backend
spec:
  replicas: 4
  strategy:
    rollingUpdate:
      maxUnavailable: 0
      maxSurge: 1
  selector:
    matchLabels:
      app: my-backend
  template:
    metadata:
      labels:
        app: my-backend
    spec:
      containers:
        - name: web
          image: nginx:1.27${lifecycle}
          ports:
            - name: http
              containerPort: 80
          readinessProbe:
            httpGet:
              path: /
              port: http
            periodSeconds: 1
---
apiVersion: v1
kind: Service
metadata:
  name: my-backend
  annotations:
    # Simulated users call it this often.
    millipod.dev/requests-per-second: "20"
spec:
  selector:
    app: my-backend
  ports:
    - port: 8000
      targetPort: http
`;

const PRE_STOP = `
          lifecycle:
            preStop:
              sleep:
                seconds: 5`;

const errors = backend("# At 10 s: kubectl rollout restart. Each Pod that ends stops at SIGTERM, some nodes still send to it: refused.", "");
const clean = backend("# The same restart at 10 s: each Pod that ends goes on serving for 5 s more, until every node knows. No request fails.", PRE_STOP);

const lookups = `# A name outside with ndots:5: three names of the search list are asked first, each for A and AAAA. At 20 s CoreDNS falls silent.
apiVersion: v1
kind: Pod
metadata:
  name: ext-client
spec:
  containers:
    - name: c
      image: busybox:1.36
      command: ["sh", "-c", "while true; do wget -qO- http://api.example.com/ | head -n 1; sleep 5; done"]
`;

const wrongPort = `# The Service sends to port 8081, nginx listens on 80: endpoints are there, and refuse. At 12 s the Service is mended.
apiVersion: v1
kind: Pod
metadata:
  name: web
  labels:
    app: web
spec:
  containers:
    - name: web
      image: nginx:1.27
      ports:
        - containerPort: 80
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
      targetPort: 8081
`;

const ingress = `# A load balancer for one Service, an Ingress with two hosts for others. cart has no Pods: 503. The cloud takes 20 s to give an address.
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
---
apiVersion: v1
kind: Service
metadata:
  name: web-public
spec:
  type: LoadBalancer
  externalTrafficPolicy: Local
  selector:
    app: web
  ports:
    - port: 80
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: shop
spec:
  ingressClassName: nginx
  rules:
    - host: shop.example.com
      http:
        paths:
          - path: /
            pathType: Prefix
            backend:
              service:
                name: web
                port:
                  number: 80
          - path: /cart
            pathType: Prefix
            backend:
              service:
                name: cart
                port:
                  number: 80
`;

/** Stories of requests: from a name to a process, and where they end on the way. */
export const TRAFFIC_SAMPLES: readonly Sample[] = [
  { id: "rollout-errors", title: "Rolling restart that drops requests", file: "my-backend.yaml", text: errors, after: [typed(10, "rollout restart deployment/my-backend")], until: 30 * SECOND },
  { id: "rollout-clean", title: "The same restart with a preStop sleep", file: "my-backend.yaml", text: clean, after: [typed(10, "rollout restart deployment/my-backend")], until: 45 * SECOND },
  { id: "ndots", title: "Names: search list, ndots and a silent CoreDNS", file: "ext-client.yaml", text: lookups, after: [broken(20, 45, "dns.down", {})], until: 70 * SECOND },
  { id: "wrong-port", title: "A Service with the wrong targetPort", file: "web.yaml", text: wrongPort, after: [typed(12, "patch service web -p {\"spec\":{\"ports\":[{\"port\":80,\"targetPort\":80}]}}")], until: 20 * SECOND },
  { id: "ingress", title: "Load balancer and Ingress in a cloud", file: "shop.yaml", text: ingress, world: "cloud", until: 75 * SECOND },
];
