import { SECOND } from "../api/time.ts";
import { type Sample, typed } from "./sample.ts";

const workload = `# One Pod is enough for nothing to do. At 20 s clients come: watch the average use of CPU, and the replicas that follow it.
apiVersion: apps/v1
kind: Deployment
metadata:
  name: php-apache
spec:
  selector:
    matchLabels:
      run: php-apache
  template:
    metadata:
      labels:
        run: php-apache
    spec:
      containers:
        - name: php-apache
          image: registry.k8s.io/hpa-example
          ports:
            - containerPort: 80
          resources:
            limits:
              cpu: 500m
            requests:
              cpu: 200m
---
apiVersion: v1
kind: Service
metadata:
  name: php-apache
spec:
  selector:
    run: php-apache
  ports:
    - port: 80
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: php-apache
spec:
  scaleTargetRef:
    apiVersion: apps/v1
    kind: Deployment
    name: php-apache
  minReplicas: 1
  maxReplicas: 10
  metrics:
    - type: Resource
      resource:
        name: cpu
        target:
          type: Utilization
          averageUtilization: 50
`;

const load = `apiVersion: v1
kind: Pod
metadata:
  name: load
spec:
  containers:
    - name: load
      image: busybox:1.28
      command: ["/bin/sh", "-c", "while sleep 0.01; do wget -q -O- http://php-apache; done"]
`;

/** Load comes at 20 s and goes at 200 s; the autoscaler keeps what it has for five minutes more. */
export const AUTOSCALER_SAMPLE: Sample = {
  id: "autoscaler",
  title: "Autoscaler under load",
  file: "php-apache.yaml",
  text: workload,
  world: "three-nodes-metrics",
  after: [typed(20, "apply -f load.yaml", { "load.yaml": load }), typed(200, "delete pod load --now --wait=false")],
  until: 600 * SECOND,
};
