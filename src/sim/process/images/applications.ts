import { image, type Image, INTERPRETER, server, single } from "./image.ts";

/** name, entrypoint, ports, start-up in ms, memory in MiB: images that hold one HTTP server beside a shell. */
const WEB = `
wordpress apache2-foreground 80 400 60
phpmyadmin apache2-foreground 80 300 50
adminer php 8080 100 20
drupal apache2-foreground 80 400 60
joomla apache2-foreground 80 400 60
nextcloud apache2-foreground 80 2000 80
ghost node 2368 4000 150
mongo-express node 8081 2500 80
registry registry 5000 60 20
solr solr 8983 6000 500
kong kong 8000,8443,8001,8444 3000 200
jenkins/jenkins jenkins.sh 8080,50000 15000 500
sonarqube java 9000 40000 1200
nginxdemos/hello nginx 80 3 6
nginxinc/nginx-unprivileged nginx 8080 3 6
rancher/hello-world hello-world 80 5 5
paulbouwer/hello-kubernetes node 8080 300 40
jmalloc/echo-server echo-server 8080 5 5
ealen/echo-server node 80 400 40
mendhak/http-https-echo node 8080,8443 400 40
kennethreitz/httpbin gunicorn 80 600 60
mccutchen/go-httpbin go-httpbin 8080 5 6
grafana/grafana grafana 3000 3000 90
minio/minio minio 9000,9001 800 120
quay.io/minio/minio minio 9000,9001 800 120
redislabs/redisinsight node 5540 2000 120
docker.elastic.co/elasticsearch/elasticsearch elasticsearch 9200,9300 20000 1500
docker.elastic.co/kibana/kibana kibana 5601 20000 500
elasticsearch elasticsearch 9200,9300 20000 1500
ghcr.io/stefanprodan/podinfo ./podinfo 9898,9999 30 15
stefanprodan/podinfo ./podinfo 9898,9999 30 15
gcr.io/kuar-demo/kuard-amd64 /kuard 8080 5 8
quay.io/openshiftlabs/simpleservice python 9876 300 30
argoproj/rollouts-demo /rollouts-demo 8080 10 8
dockersamples/k8s-wordsmith-web /dispatcher 80 10 8
dockersamples/k8s-wordsmith-api java 8080 3000 150
dockersamples/examplevotingapp_vote gunicorn 80 600 60
dockersamples/examplevotingapp_result node 80 500 50
dockercoins/rng python 80 400 30
dockercoins/hasher ruby 80 500 30
dockercoins/webui node 80 400 40
ghcr.io/headlamp-k8s/headlamp /headlamp/headlamp-server 4466 200 30
ghcr.io/azure-samples/aks-store-demo/store-front nginx 8080 5 10
ghcr.io/azure-samples/aks-store-demo/order-service node 3000 700 60
ghcr.io/azure-samples/aks-store-demo/product-service product-service 3002 20 5
bprashanth/nginxhttps nginx 80,443 5 6
envoyproxy/envoy envoy 10000,9901 100 25
curlimages/httpbin gunicorn 80 600 60
`;

/** The same for servers of other protocols. */
const TCP = `
memcached memcached 11211 5 8
nats nats-server 4222,8222,6222 20 12
zookeeper zkServer.sh 2181,2888,3888 2000 120
influxdb influxd 8086 1500 80
couchdb couchdb 5984,4369 2500 80
neo4j neo4j 7474,7687 9000 500
rethinkdb rethinkdb 28015,8080 1200 60
cassandra cassandra 7000,7001,7199,9042 15000 900
apache/kafka kafka 9092,9093 6000 500
bitnami/kafka kafka 9092,9093 6000 500
bitnami/redis redis-server 6379 30 10
bitnami/postgresql postgres 5432 2500 45
bitnami/mysql mysqld 3306 8000 350
bitnami/mongodb mongod 27017 2000 160
redis/redis-stack-server redis-server 6379 200 30
valkey/valkey valkey-server 6379 8 8
dockersamples/k8s-wordsmith-db postgres 5432 1500 40
eclipse-mosquitto mosquitto 1883 20 5
`;

function rows(table: string): readonly (readonly [string, string, readonly number[], number, number])[] {
  return table.trim().split("\n").map((line) => {
    const [name = "", program = "", ports = "", startup = "0", memory = "0"] = line.split(" ");
    return [name, program, ports.split(",").map(Number), Number(startup) * 1000, Number(memory)] as const;
  });
}

const BOUTIQUE = "us-central1-docker.pkg.dev/online-boutique-ci/microservices-demo/";
/** Online Boutique: one HTTP front end, the others speak gRPC. */
const BOUTIQUE_PORTS: Readonly<Record<string, number>> = { frontend: 8080, adservice: 9555, cartservice: 7070, checkoutservice: 5050, currencyservice: 7000, emailservice: 8080, paymentservice: 50_051, productcatalogservice: 3550, recommendationservice: 8080, shippingservice: 50_051 };

/** Demo applications, databases and tools that manifests use. */
export const APPLICATIONS: readonly Image[] = [
  ...rows(WEB).map(([name, program, ports, startup, memoryMiB]) => image(name, { entrypoint: [program], cmd: [], programs: { [program.slice(program.lastIndexOf("/") + 1)]: server({ ports, startup, memoryMiB }) } })),
  ...rows(TCP).map(([name, program, ports, startup, memoryMiB]) => image(name, { cmd: [program], programs: { [program]: server({ ports, protocol: "TCP", startup, memoryMiB }), "redis-cli": { kind: "exit", code: 0, log: ["PONG"] }, "nc": { kind: "exit", code: 0, log: [] } } })),
  ...Object.entries(BOUTIQUE_PORTS).flatMap(([name, port]) => [BOUTIQUE, "gcr.io/google-samples/microservices-demo/"].map((prefix) => single(prefix + name, name, { ports: [port], protocol: name === "frontend" ? "HTTP" : "gRPC", startup: 400_000, memoryMiB: 40 }))),
  image(`${BOUTIQUE}loadgenerator`, { entrypoint: ["locust"], cmd: [], programs: { locust: { kind: "forever" } } }),
  single("prom/prometheus", "/bin/prometheus", { ports: [9090], startup: 600_000, memoryMiB: 60 }, { shell: "busybox" }),
  single("quay.io/prometheus/prometheus", "/bin/prometheus", { ports: [9090], startup: 600_000, memoryMiB: 60 }, { shell: "busybox" }),
  single("quay.io/prometheus/node-exporter", "/bin/node_exporter", { ports: [9100], memoryMiB: 15 }, { shell: "busybox" }),
  single("quay.io/prometheus/alertmanager", "/bin/alertmanager", { ports: [9093, 9094], memoryMiB: 25 }, { shell: "busybox" }),
  single("kubernetesui/dashboard", "/dashboard", { ports: [8443, 9090], startup: 500_000, memoryMiB: 30 }),
  single("kubernetesui/metrics-scraper", "/metrics-sidecar", { ports: [8000], memoryMiB: 12 }),
  single("hashicorp/http-echo", "/http-echo", { ports: [5678], memoryMiB: 5, page: "hello-world\n" }),
  ...["traefik/whoami", "containous/whoami"].map((name) => single(name, "/whoami", { ports: [80], memoryMiB: 4 })),
  image("rancher/local-path-provisioner", { cmd: ["local-path-provisioner", "start"], shell: "busybox", programs: { "local-path-provisioner": { kind: "forever" } } }),
  image("dockercoins/worker", { cmd: ["python"], programs: { python: { kind: "forever" } } }),
  image("dockersamples/examplevotingapp_worker", { cmd: ["dotnet"], programs: { dotnet: { kind: "forever" } } }),
  image("mesosphere/marathon-lb", { cmd: ["bash"] }),
  ...["nicolaka/netshoot", "infoblox/dnstools", "bash", "tutum/dnsutils", "registry.k8s.io/e2e-test-images/jessie-dnsutils", "alpine/git", "amazon/aws-cli", "google/cloud-sdk", "bitnami/kubectl", "rancher/kubectl", "byrnedo/alpine-curl", "alpine/k8s"].map((name) => image(name, { cmd: ["bash"], shell: "busybox" })),
  image("polinux/stress", { shell: "busybox", bash: false, cmd: ["stress"] }),
  ...["polinux/stress-ng", "jfusterm/stress", "alexeiled/stress-ng", "progrium/stress"].map((name) => image(name, { shell: "busybox", bash: false, entrypoint: name === "polinux/stress-ng" || name === "jfusterm/stress" ? [] : ["stress"], cmd: [] })),
  image("vish/stress", { shell: "none", bash: false, entrypoint: ["stress"], cmd: [] }),
  image("us-central1-docker.pkg.dev/genuine-flight-317411/devel/memory-eater", { entrypoint: ["/memory-eater"], cmd: [], shell: "none", bash: false, programs: { "memory-eater": { kind: "shell" } } }),
  image("curlimages/curl", { shell: "busybox", bash: false, entrypoint: ["curl"], cmd: [] }),
  ...["ruby", "php", "rust", "gcc", "maven", "gradle", "elixir", "swift", "dart", "r-base", "buildpack-deps"].map((name) => image(name, { cmd: [name === "php" ? "php" : name === "ruby" ? "irb" : "bash"], programs: { php: INTERPRETER, ruby: INTERPRETER, irb: { kind: "exit", code: 0, log: [] } } })),
];
