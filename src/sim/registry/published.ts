/** What a registry has of one repository. Simplified: one set of layers a repository, whatever the tag. */
export interface PublishedImage {
  /** Compressed layer sizes in MB, base first. */
  readonly layers: readonly number[];
  /** USER of the image config; "" is root. */
  readonly user: string;
  /** Only for nodes that run Windows. */
  readonly windows: boolean;
}

const DEBIAN = 28.2;
const ALPINE = 3.6;
const UBUNTU = 29.7;
const PYTHON = "48.5,24,64.4,211,6.2,25.6";
const NODE = "48.5,24,64.4,211,50,1.7";
const DISTROLESS = 0.8;

/** The size of an image that nobody knows. */
export const ASSUMED_SIZES: readonly number[] = [DEBIAN, 35];

/** name, layers, and where it is not root the user. D, A, U, P, N, S stand for the bases that images share. */
const TABLE = `
nginx D,43.9,0.6,0.1
httpd D,4.2,26.1,0.1
caddy A,15.2
traefik A,42
haproxy D,12 haproxy
tomcat U,17,156
redis D,1.2,15.9
memcached D,2 memcache
rabbitmq U,58,20
mongo U,1.5,240
postgres D,1.4,8.1,112
mysql 47,0.9,130
mariadb U,96
busybox 2.2
alpine A
debian 48.5
ubuntu U
fedora 63
rockylinux 64
amazonlinux 52
centos 80
bash A,3.3
perl 48.5,24,64,211,15
python P
node N
golang 48.5,24,64,92,74
ruby 48.5,24,64,211,40
php D,104,12
openjdk 48.5,188
eclipse-temurin U,160
maven U,160,12
gradle U,160,120
hello-world 0.003
wordpress D,104,12,55
phpmyadmin D,104,12,40
adminer A,35 adminer
drupal D,104,12,50
joomla D,104,12,50
nextcloud D,104,12,280
ghost N,85
mongo-express A,55
registry A,6.5
solr U,160,220 solr
kong U,110 kong
nats S,6.5
zookeeper U,95,15
influxdb D,120
couchdb D,85
neo4j D,180,150
cassandra U,95,60
valkey/valkey D,14
eclipse-mosquitto A,2.2
elasticsearch U,310
jenkins/jenkins D,180,90 jenkins
sonarqube U,300 sonarqube
grafana/grafana A,130 472
prom/prometheus 0.8,110 nobody
minio/minio 40,30
nginxdemos/hello A,14
nginxinc/nginx-unprivileged D,43.9,0.6 101
rancher/hello-world A,5
paulbouwer/hello-kubernetes N,4 node
ealen/echo-server N,6
mendhak/http-https-echo N,6 1000
jmalloc/echo-server 4
hashicorp/http-echo 0.8,3.9 65532
traefik/whoami 2.8
containous/whoami 2.8
kennethreitz/httpbin 29,160
mccutchen/go-httpbin S,6 65532
polinux/stress A,1.5
polinux/stress-ng A,2.5
vish/stress 1.6
curlimages/curl A,5 curl_user
nicolaka/netshoot A,160
bitnami/redis 45,60 1001
bitnami/postgresql 45,95 1001
bitnami/mysql 45,170 1001
bitnami/mongodb 45,160 1001
bitnami/kafka 45,330 1001
apache/kafka A,180,110 appuser
kubernetesui/dashboard S,75 1001
kubernetesui/metrics-scraper S,19
stefanprodan/podinfo A,20 app
rancher/local-path-provisioner A,15
argoproj/rollouts-demo S,3 65532
dockersamples/examplevotingapp_vote P,3
dockersamples/examplevotingapp_result N,5
dockersamples/examplevotingapp_worker D,80
dockersamples/k8s-wordsmith-web A,8
dockersamples/k8s-wordsmith-api U,160,15
dockersamples/k8s-wordsmith-db D,1.4,8.1,112
dockercoins/rng P,2
dockercoins/hasher A,70
dockercoins/webui N,6
dockercoins/worker P,2
microsoft/iis 4500 windows
registry.k8s.io/pause 0.3 65535
registry.k8s.io/busybox 1
registry.k8s.io/e2e-test-images/busybox 2.2
registry.k8s.io/e2e-test-images/agnhost A,48
registry.k8s.io/e2e-test-images/nginx D,30
registry.k8s.io/e2e-test-images/jessie-dnsutils 50,60
registry.k8s.io/nginx-slim 24,10
registry.k8s.io/echoserver 46
quay.io/crio/artifact 0.001
registry.k8s.io/hpa-example 48,140
registry.k8s.io/goproxy S,4
registry.k8s.io/liveness 2.2,5
registry.k8s.io/etcd S,58
registry.k8s.io/kube-apiserver S,28
registry.k8s.io/kube-controller-manager S,24
registry.k8s.io/kube-scheduler S,18
registry.k8s.io/kube-proxy 10,26
registry.k8s.io/coredns/coredns 1.4,20 65532
registry.k8s.io/metrics-server/metrics-server S,19 65534
registry.k8s.io/ingress-nginx/controller A,100 www-data
registry.k8s.io/node-problem-detector/node-problem-detector D,30
registry.k8s.io/kubernetes-zookeeper U,95
registry.k8s.io/redis D,60
gcr.io/google-samples/hello-app 2,4
us-docker.pkg.dev/google-samples/containers/gke/hello-app 2,4
gcr.io/google-samples/gb-frontend D,104,20
us-docker.pkg.dev/google-samples/containers/gke/gb-frontend D,104,20
gcr.io/google-samples/gb-redisslave D,60
us-docker.pkg.dev/google-samples/containers/gke/gb-redis-follower D,16
gcr.io/google-samples/xtrabackup D,90
gcr.io/google-samples/cassandra D,110
gcr.io/google-samples/node-hello N,1
gcr.io/kuar-demo/kuard-amd64 2,9 nobody
gcr.io/k8s-minikube/busybox 2.2
ghcr.io/stefanprodan/podinfo A,20 app
ghcr.io/headlamp-k8s/headlamp A,60 headlamp
quay.io/prometheus/prometheus 0.8,110 nobody
quay.io/prometheus/node-exporter 0.8,12 nobody
quay.io/prometheus/alertmanager 0.8,30 nobody
quay.io/minio/minio 40,30
quay.io/openshiftlabs/simpleservice P,1
docker.elastic.co/elasticsearch/elasticsearch U,310 1000
docker.elastic.co/kibana/kibana U,280 1000
mcr.microsoft.com/windows/servercore 1700 windows
mcr.microsoft.com/windows/nanoserver 120 windows
mcr.microsoft.com/windows/servercore/iis 1900 windows
mcr.microsoft.com/powershell 60
`;

const BASES: Readonly<Record<string, string>> = { D: String(DEBIAN), A: String(ALPINE), U: String(UBUNTU), P: PYTHON, N: NODE, S: String(DISTROLESS) };

const PUBLISHED: ReadonlyMap<string, PublishedImage> = new Map(
  TABLE.trim().split("\n").map((line) => {
    const [name = "", layers = "", user = ""] = line.split(" ");
    return [name, { layers: layers.split(",").flatMap((size) => (BASES[size] ?? size).split(",").map(Number)), user: user === "windows" ? "" : user, windows: user === "windows" }] as const;
  }),
);

const MIRRORS: readonly (readonly [RegExp, string])[] = [[/^(?:k8s\.gcr\.io|gcr\.io\/google[-_]containers)\//, "registry.k8s.io/"], [/^gcr\.io\/google_samples\//, "gcr.io/google-samples/"]];

/** What is published under a name: of Docker Hub without its host, of other registries with it. */
export function publishedImage(name: string): PublishedImage | undefined {
  return PUBLISHED.get(name) ?? MIRRORS.map(([from, to]) => PUBLISHED.get(name.replace(from, to))).find((found) => found !== undefined);
}
