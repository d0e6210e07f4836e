import { image, type Image, server, single } from "./image.ts";

const SECOND = 1_000_000;
/** `agnhost liveness`: healthy for its first 10 s, then no more (test/images/agnhost/liveness). */
const LIVENESS = server({ ports: [8080], memoryMiB: 10, answers: [{ path: "/healthz", until: 10 * SECOND, status: 200, body: "ok" }, { path: "/healthz", from: 10 * SECOND, status: 500, body: "error: 10.0" }] });

/** Subcommands of agnhost that serve; any other waits (pause) or ends. */
export const AGNHOST: Readonly<Record<string, ReturnType<typeof server>>> = {
  netexec: server({ ports: [8080], memoryMiB: 10 }), liveness: LIVENESS, "serve-hostname": server({ ports: [9376], memoryMiB: 10 }), "test-webserver": server({ ports: [80], memoryMiB: 10 }), porter: server({ memoryMiB: 10 }),
  "grpc-health-checking": server({ ports: [5000, 8080], protocol: "gRPC", memoryMiB: 10 }), guestbook: server({ ports: [3000], memoryMiB: 10 }), webhook: server({ ports: [8444], memoryMiB: 15 }),
};

/** Images of the Kubernetes project, its add-ons and its documentation's examples. */
export const KUBERNETES_IMAGES: readonly Image[] = [
  image("registry.k8s.io/pause", { shell: "none", bash: false, entrypoint: ["/pause"], cmd: [], programs: { pause: { kind: "forever" } } }),
  image("registry.k8s.io/busybox", { shell: "busybox", bash: false, programs: { httpd: server({ ports: [80], startup: 2000, memoryMiB: 1, root: "/www" }) } }),
  image("registry.k8s.io/e2e-test-images/busybox", { shell: "busybox", bash: false, programs: { httpd: server({ ports: [80], startup: 2000, memoryMiB: 1, root: "/www" }) } }),
  image("gcr.io/k8s-minikube/busybox", { shell: "busybox", bash: false, programs: { httpd: server({ ports: [80], startup: 2000, memoryMiB: 1, root: "/www" }) } }),
  image("registry.k8s.io/e2e-test-images/agnhost", { entrypoint: ["/agnhost"], cmd: ["pause"], shell: "busybox", bash: false, programs: { agnhost: server({ ports: [8080] }) } }),
  image("registry.k8s.io/liveness", { entrypoint: ["/server"], cmd: [], shell: "busybox", bash: false, programs: { server: LIVENESS } }),
  image("quay.io/crio/artifact", { shell: "none", bash: false, cmd: [], files: { "/dir/file": "1\n", "/file": "2\n" } }),
  image("registry.k8s.io/e2e-test-images/nginx", { cmd: ["nginx", "-g", "daemon off;"], stopSignal: "QUIT", programs: { nginx: server({ ports: [80], startup: 3000, memoryMiB: 6 }) } }),
  image("registry.k8s.io/nginx-slim", { cmd: ["nginx", "-g", "daemon off;"], programs: { nginx: server({ ports: [80], startup: 3000, memoryMiB: 6, root: "/usr/share/nginx/html" }) }, files: { "/usr/share/nginx/html/index.html": "<html><head><title>Welcome to nginx!</title></head></html>\n" } }),
  single("registry.k8s.io/echoserver", "/run.sh", { ports: [8080, 8443], startup: 30_000 }, { shell: "dash", bash: true }),
  single("registry.k8s.io/goproxy", "/goproxy", { ports: [8080], protocol: "TCP" }),
  image("registry.k8s.io/hpa-example", { cmd: ["apache2-foreground"], programs: { "apache2-foreground": server({ ports: [80], startup: 15_000, memoryMiB: 12, cpuPerRequest: 90_000, log: ["AH00163: Apache/2.4 PHP/5.6 configured -- resuming normal operations"] }) } }),
  single("registry.k8s.io/coredns/coredns", "/coredns", { ports: [53, 8080, 8181, 9153], startup: 150_000, memoryMiB: 20, component: { id: "coredns", ports: [53] } }),
  single("registry.k8s.io/etcd", "etcd", { ports: [2379, 2380, 2381, 8080], protocol: "gRPC", startup: 200_000, memoryMiB: 30 }),
  single("registry.k8s.io/kube-apiserver", "kube-apiserver", { ports: [6443], startup: SECOND, memoryMiB: 300 }),
  single("registry.k8s.io/kube-controller-manager", "kube-controller-manager", { ports: [10_257], startup: SECOND, memoryMiB: 60 }),
  single("registry.k8s.io/kube-scheduler", "kube-scheduler", { ports: [10_259], startup: SECOND, memoryMiB: 30 }),
  single("registry.k8s.io/kube-proxy", "/usr/local/bin/kube-proxy", { ports: [10_249, 10_256], memoryMiB: 25 }),
  single("registry.k8s.io/metrics-server/metrics-server", "/metrics-server", { ports: [10_250], startup: 20 * SECOND, memoryMiB: 40 }),
  single("registry.k8s.io/ingress-nginx/controller", "/nginx-ingress-controller", { ports: [80, 443, 10_254], startup: SECOND, memoryMiB: 90, component: { id: "ingress-nginx", ports: [80, 443] } }, { shell: "busybox", bash: true }),
  single("registry.k8s.io/node-problem-detector/node-problem-detector", "/node-problem-detector", { ports: [20_256], memoryMiB: 25 }),
  image("registry.k8s.io/kubernetes-zookeeper", { cmd: ["bash"], programs: { "start-zookeeper": server({ ports: [2181, 2888, 3888], protocol: "TCP", startup: 2 * SECOND, memoryMiB: 120 }), "zookeeper-ready": { kind: "exit", code: 0, log: [] } } }),
  image("registry.k8s.io/redis", { cmd: ["/run.sh"], programs: { "run.sh": server({ ports: [6379], protocol: "TCP", memoryMiB: 8 }) } }),
  image("gcr.io/google-samples/gb-frontend", { cmd: ["apache2-foreground"], programs: { "apache2-foreground": server({ ports: [80], startup: 30_000, memoryMiB: 25 }) } }),
  image("us-docker.pkg.dev/google-samples/containers/gke/gb-frontend", { cmd: ["apache2-foreground"], programs: { "apache2-foreground": server({ ports: [80], startup: 30_000, memoryMiB: 25 }) } }),
  image("gcr.io/google-samples/gb-redisslave", { cmd: ["/run.sh"], programs: { "run.sh": server({ ports: [6379], protocol: "TCP", memoryMiB: 8 }) } }),
  image("us-docker.pkg.dev/google-samples/containers/gke/gb-redis-follower", { cmd: ["/run.sh"], programs: { "run.sh": server({ ports: [6379], protocol: "TCP", memoryMiB: 8 }) } }),
  image("gcr.io/google-samples/xtrabackup", { cmd: ["bash"], programs: { ncat: server({ ports: [3307], protocol: "TCP" }), xtrabackup: { kind: "exit", code: 0, log: [] }, mysql: { kind: "exit", code: 0, log: [] } } }),
  image("gcr.io/google-samples/cassandra", { cmd: ["/run.sh"], programs: { "run.sh": server({ ports: [7000, 7001, 7199, 9042], protocol: "TCP", startup: 12 * SECOND, memoryMiB: 600 }), nodetool: { kind: "exit", code: 0, log: ["Status=Up/Down", "UN  10.244.1.2  65.26 KiB"] } } }),
  image("gcr.io/google-samples/hello-frontend", { cmd: ["nginx", "-g", "daemon off;"], programs: { nginx: server({ ports: [80], startup: 3000, memoryMiB: 6 }) } }),
  ...["gcr.io/google-samples/hello-app", "us-docker.pkg.dev/google-samples/containers/gke/hello-app", "gcr.io/google-samples/hello-go-gke"].map((name) => single(name, "./hello-app", { ports: [8080], memoryMiB: 5, log: ["Server listening on port 8080"] }, { shell: "busybox" })),
  single("gcr.io/google-samples/node-hello", "node", { ports: [8080], startup: 200_000, memoryMiB: 40 }, { shell: "dash", bash: true, cmd: ["server.js"] }),
];
