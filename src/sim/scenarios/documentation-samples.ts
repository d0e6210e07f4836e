import { SECOND } from "../api/time.ts";
import { type Sample, typed } from "./sample.ts";

const forgetful = `# Healthy for 30 s; then the file is gone, three probes fail, and the container is started again.
apiVersion: v1
kind: Pod
metadata:
  name: file-keeper
spec:
  terminationGracePeriodSeconds: 5
  containers:
    - name: app
      image: busybox:1.36
      command: ["sh", "-c", "touch /tmp/healthy; sleep 30; rm -f /tmp/healthy; sleep 600"]
      livenessProbe:
        exec:
          command: ["cat", "/tmp/healthy"]
        initialDelaySeconds: 5
        periodSeconds: 5
`;

const http = `# Its /healthz answers 200 for 10 s, then 500: the container is restarted again and again, more slowly each time.
apiVersion: v1
kind: Pod
metadata:
  name: short-of-breath
spec:
  containers:
    - name: app
      image: registry.k8s.io/e2e-test-images/agnhost:2.40
      args: ["liveness"]
      livenessProbe:
        httpGet:
          path: /healthz
          port: 8080
          httpHeaders:
            - name: X-Asked-By
              value: the kubelet
        initialDelaySeconds: 3
        periodSeconds: 3
`;

const slow = `# It needs 25 s to start. The startup probe gives it 60 s; only then do the other probes begin.
apiVersion: v1
kind: Pod
metadata:
  name: late-riser
spec:
  containers:
    - name: app
      image: busybox:1.36
      command: ["sh", "-c", "mkdir -p /www; echo awake > /www/index.html; sleep 25; exec httpd -f -p 8080 -h /www"]
      ports:
        - name: web
          containerPort: 8080
      startupProbe:
        httpGet:
          path: /index.html
          port: web
        periodSeconds: 5
        failureThreshold: 12
      livenessProbe:
        tcpSocket:
          port: web
        periodSeconds: 5
        failureThreshold: 1
      readinessProbe:
        httpGet:
          path: /index.html
          port: web
        periodSeconds: 2
`;

const hooks = `# The postStart hook runs beside the program, preStop before its stop signal. At 10 s the Pod is deleted.
apiVersion: v1
kind: Pod
metadata:
  name: well-mannered
spec:
  containers:
    - name: web
      image: nginx:1.27
      lifecycle:
        postStart:
          exec:
            command: ["sh", "-c", "echo good morning > /usr/share/message"]
        preStop:
          exec:
            command: ["sh", "-c", "sleep 4; nginx -s quit"]
`;

const waiting = `# The first init container waits for the Service at 8 s, the second for that at 16 s; then the main container starts.
apiVersion: v1
kind: Pod
metadata:
  name: patient
spec:
  initContainers:
    - name: wait-for-shop
      image: busybox:1.36
      command: ["sh", "-c", "until nslookup shop.default.svc.cluster.local; do echo no shop yet; sleep 2; done"]
    - name: wait-for-db
      image: busybox:1.36
      command: ["sh", "-c", "until nslookup db.default.svc.cluster.local; do echo no db yet; sleep 2; done"]
  containers:
    - name: app
      image: busybox:1.36
      command: ["sh", "-c", "echo everything is there; sleep 3600"]
`;

const service = (name: string): string => `apiVersion: v1
kind: Service
metadata:
  name: ${name}
spec:
  ports:
    - port: 80
`;

const sidecarJob = `# The log shipper would run for ever; as a sidecar it is ended when the work is done, and the Job completes.
apiVersion: batch/v1
kind: Job
metadata:
  name: report
spec:
  template:
    spec:
      restartPolicy: Never
      terminationGracePeriodSeconds: 5
      initContainers:
        - name: shipper
          image: busybox:1.36
          restartPolicy: Always
          command: ["sh", "-c", "tail -F /log/report.txt"]
          volumeMounts:
            - name: log
              mountPath: /log
      containers:
        - name: report
          image: busybox:1.36
          command: ["sh", "-c", "for i in 1 2 3; do echo line $i >> /log/report.txt; sleep 2; done"]
          volumeMounts:
            - name: log
              mountPath: /log
      volumes:
        - name: log
          emptyDir: {}
`;

const rules = `# Exit code 42 means: once more, please. Any other failure is the end: the Pod itself is never to be restarted.
apiVersion: v1
kind: Pod
metadata:
  name: retry-on-42
spec:
  restartPolicy: Never
  volumes:
    - name: notes
      emptyDir: {}
  containers:
    - name: app
      image: busybox:1.36
      command: ["sh", "-c", "echo x >> /notes/tries; sleep 2; if [ $(wc -l < /notes/tries) -lt 3 ]; then exit 42; fi; exit 1"]
      volumeMounts:
        - name: notes
          mountPath: /notes
      restartPolicy: Never
      restartPolicyRules:
        - action: Restart
          exitCodes:
            operator: In
            values: [42]
`;

const restartAll = `# The watcher leaves with exit code 88: every container of the Pod starts anew, init containers first.
apiVersion: v1
kind: Pod
metadata:
  name: worker
spec:
  restartPolicy: Never
  initContainers:
    - name: prepare
      image: busybox:1.36
      command: ["sh", "-c", "echo preparing"]
    - name: watcher
      image: busybox:1.36
      command: ["sh", "-c", "sleep 20; exit 88"]
      restartPolicy: Always
      restartPolicyRules:
        - action: RestartAllContainers
          exitCodes:
            operator: In
            values: [88]
  containers:
    - name: main
      image: busybox:1.36
      command: ["sh", "-c", "echo at work; sleep 3600"]
`;

const lastWords = `# What stands in /dev/termination-log when a container ends is its message in the Pod's status.
apiVersion: v1
kind: Pod
metadata:
  name: last-words
spec:
  containers:
    - name: app
      image: debian
      command: ["/bin/sh"]
      args: ["-c", "sleep 10 && echo Sleep expired > /dev/termination-log"]
`;

const oom = `# It takes 250 MB where 100 MiB are allowed: the kernel kills it, exit code 137, and so on after each restart.
apiVersion: v1
kind: Pod
metadata:
  name: glutton
spec:
  containers:
    - name: app
      image: polinux/stress
      command: ["stress", "--vm", "1", "--vm-bytes", "250M", "--vm-hang", "1"]
      resources:
        requests:
          memory: 50Mi
        limits:
          memory: 100Mi
`;

const qosPod = (name: string, resources: string): string => `apiVersion: v1
kind: Pod
metadata:
  name: ${name}
spec:
  containers:
    - name: app
      image: nginx:1.27
${resources}`;

const qos = `# Three classes of service: who is killed last, who next, who first when the node runs short of memory.
${qosPod("guaranteed", `      resources:
        limits:
          cpu: 500m
          memory: 200Mi
`)}---
${qosPod("burstable", `      resources:
        requests:
          memory: 100Mi
`)}---
${qosPod("best-effort", "")}`;

const shared = `# The containers share one PID namespace: the shell sees nginx, and at 6 s tells it to read its configuration anew.
apiVersion: v1
kind: Pod
metadata:
  name: housemates
spec:
  shareProcessNamespace: true
  containers:
    - name: web
      image: nginx:1.27
    - name: shell
      image: busybox:1.36
      command: ["sleep", "3600"]
`;

const names = `# What the Pod's /etc/hosts and /etc/resolv.conf say is up to its spec.
apiVersion: v1
kind: Pod
metadata:
  name: well-connected
spec:
  restartPolicy: Never
  hostAliases:
    - ip: 127.0.0.1
      hostnames: ["shop.local", "db.local"]
  dnsPolicy: None
  dnsConfig:
    nameservers: ["192.0.2.1"]
    searches: ["ns1.svc.cluster-domain.example", "my.dns.search.suffix"]
    options:
      - name: ndots
        value: "2"
      - name: edns0
  containers:
    - name: app
      image: busybox:1.36
      command: ["sh", "-c", "cat /etc/hosts /etc/resolv.conf"]
`;

const PROBES = "Documentation: probes, hooks, containers";

/** What the Kubernetes documentation shows of probes, hooks, kinds of containers and resources, with manifests of our own. */
export const DOCUMENTATION_SAMPLES: readonly Sample[] = [
  { id: "liveness-file", title: "Liveness: a file that disappears", file: "file-keeper.yaml", text: forgetful, until: 100 * SECOND },
  { id: "liveness-http", title: "Liveness: 500 after ten seconds", file: "short-of-breath.yaml", text: http, until: 120 * SECOND },
  { id: "startup", title: "Startup probe of a slow program", file: "late-riser.yaml", text: slow, until: 45 * SECOND },
  { id: "hooks", title: "postStart and preStop", file: "well-mannered.yaml", text: hooks, after: [typed(6, "exec well-mannered -- cat /usr/share/message"), typed(10, "delete pod well-mannered")], until: 20 * SECOND },
  { id: "init-services", title: "Init containers wait for Services", file: "patient.yaml", text: waiting, after: [typed(8, "apply -f shop.yaml", { "shop.yaml": service("shop") }), typed(16, "apply -f db.yaml", { "db.yaml": service("db") })], until: 25 * SECOND },
  { id: "sidecar-job", title: "Sidecar in a Job", file: "report.yaml", text: sidecarJob, until: 25 * SECOND },
  { id: "restart-rules", title: "Restart rules by exit code", file: "retry-on-42.yaml", text: rules, until: 40 * SECOND },
  { id: "restart-all", title: "Restart of all containers", file: "worker.yaml", text: restartAll, until: 35 * SECOND },
  { id: "last-words", title: "Termination message", file: "last-words.yaml", text: lastWords, until: 20 * SECOND },
  { id: "oom", title: "Killed for want of memory", file: "glutton.yaml", text: oom, until: 60 * SECOND },
  { id: "qos", title: "Three classes of service", file: "qos.yaml", text: qos, after: [typed(5, "get pods -o custom-columns=NAME:.metadata.name,QOS:.status.qosClass")], until: 10 * SECOND },
  { id: "shared-processes", title: "A shared process namespace", file: "housemates.yaml", text: shared, after: [typed(6, "exec housemates -c shell -- ps"), typed(8, "exec housemates -c shell -- kill -HUP 7")], until: 15 * SECOND },
  { id: "names", title: "Host aliases and DNS settings", file: "well-connected.yaml", text: names, after: [typed(6, "logs well-connected")], until: 10 * SECOND },
].map((sample) => ({ ...sample, group: PROBES }));
