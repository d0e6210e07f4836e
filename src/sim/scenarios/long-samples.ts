import { SECOND } from "../api/time.ts";
import { broken, type Sample, typed } from "./sample.ts";

const workload = `# Watch the replicas follow the load, up at once, down after five quiet minutes: the CPU of the Pods is kept at half of what they ask for. At 20 s a client begins to ask without pause, at 200 s it stops.
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
            requests:
              cpu: 200m
            limits:
              cpu: 500m
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
      image: busybox:1.36
      command: ["sh", "-c", "while sleep 0.01; do wget -q -O- http://php-apache; done"]
`;

const report = `# Watch which of nine runs never begin, and what is kept of the rest: a report each hour of the night, 21:30 to 05:30 in São Paulo.
apiVersion: batch/v1
kind: CronJob
metadata:
  name: report
spec:
  schedule: "30 21-23,0-5 * * *"
  timeZone: America/Sao_Paulo
  concurrencyPolicy: Forbid
  startingDeadlineSeconds: 600
  successfulJobsHistoryLimit: 3
  failedJobsHistoryLimit: 1
  jobTemplate:
    spec:
      backoffLimit: 0
      template:
        spec:
          restartPolicy: Never
          containers:
            - name: report
              image: busybox:1.36
              # Ten minutes of work; the run of half past midnight (03:30 UTC) has 80.
              command:
                - sh
                - -c
                - |
                  echo "collecting since $(date +%R) UTC"
                  if [ "$(date +%H)" = 03 ]; then sleep 4800; else sleep 600; fi
                  echo "report written at $(date +%R) UTC"
`;

const HOUR = 3600;

/** Load comes at 20 s and goes at 200 s; the autoscaler keeps what it has for five minutes more. */
const autoscaler: Sample = {
  id: "autoscaler",
  title: "Autoscaler under load",
  file: "php-apache.yaml",
  text: workload,
  world: "three-nodes-metrics",
  after: [typed(20, "apply -f load.yaml", { "load.yaml": load }), typed(200, "delete pod load --now --wait=false")],
  until: 600 * SECOND,
};

/**
 * The story begins at 21:00 in Sao Paulo. 00:30 works until 01:50, so 01:30 may not begin; from 03:25 to 03:50 nobody is there
 * to begin 03:30, and then it is too late; 04:30 fails.
 */
const night: Sample = {
  id: "night",
  title: "CronJob over a night",
  file: "report.yaml",
  text: report,
  world: "small-server",
  after: [broken(6 * HOUR + 1500, 6 * HOUR + 3000, "controller-manager.down", {}), broken(7 * HOUR + 1200, 7 * HOUR + 2400, "app.crash", { container: "report", pod: "", exitCode: 1, afterSeconds: 120, times: 0 })],
  until: 9 * HOUR * SECOND,
};

/** Stories that need more time, and a world of their own. */
export const LONG_SAMPLES: readonly Sample[] = [night, autoscaler];
