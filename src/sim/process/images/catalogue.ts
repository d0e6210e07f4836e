import type { Micros } from "../../kernel/types.ts";
import { APPLICATIONS } from "./applications.ts";
import { image, type Image, INTERPRETER, server, type ServerProgram } from "./image.ts";
import { KUBERNETES_IMAGES } from "./kubernetes-images.ts";

const ms = (n: number): Micros => n * 1000;
const NGINX_LOG = ["/docker-entrypoint.sh: Configuration complete; ready for start up", "start worker processes"];
/** Its temporary directories go to the user nginx (101) while it is root. */
const NGINX_WRITES: ServerProgram["writes"] = [
  { paths: ["/var/cache/nginx/client_temp"], owner: 101, log: ['nginx: [emerg] mkdir() "/var/cache/nginx/client_temp" failed {nginx}'] },
  { paths: ["/run/nginx.pid", "/var/run/nginx.pid"], log: ['nginx: [emerg] open() "/run/nginx.pid" failed {nginx}'] },
];
const HTTPD_WRITES: ServerProgram["writes"] = [{ paths: ["/usr/local/apache2/logs/httpd.pid"], log: ["{apr}: AH00099: could not create /usr/local/apache2/logs/httpd.pid", "AH00100: httpd: could not log pid to file /usr/local/apache2/logs/httpd.pid"] }];
const page = (title: string): string => `<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>\n`;
const ANY = server({});

const OFFICIAL: readonly Image[] = [
  image("nginx", {
    entrypoint: ["/docker-entrypoint.sh"],
    cmd: ["nginx", "-g", "daemon off;"],
    stopSignal: "QUIT",
    programs: { nginx: server({ ports: [80], writes: NGINX_WRITES, startup: ms(3), memoryMiB: 6, root: "/usr/share/nginx/html", log: NGINX_LOG }) },
    files: { "/usr/share/nginx/html/index.html": page("Welcome to nginx!"), "/usr/share/nginx/html/50x.html": page("An error occurred."), "/etc/nginx/nginx.conf": "", "/var/log/nginx/": "" },
  }),
  image("httpd", {
    cmd: ["httpd-foreground"],
    stopSignal: "WINCH",
    programs: { "httpd-foreground": server({ ports: [80], writes: HTTPD_WRITES, startup: ms(15), memoryMiB: 12, root: "/usr/local/apache2/htdocs", log: ["AH00489: Apache/2.4 configured -- resuming normal operations"] }) },
    files: { "/usr/local/apache2/htdocs/index.html": page("It works!") },
  }),
  image("caddy", { cmd: ["caddy", "run"], shell: "busybox", bash: false, programs: { caddy: server({ ports: [80], startup: ms(30), memoryMiB: 20 }) } }),
  image("traefik", { cmd: ["traefik"], shell: "busybox", bash: false, programs: { traefik: server({ ports: [80], startup: ms(60), memoryMiB: 40 }) } }),
  image("haproxy", { cmd: ["haproxy", "-f", "/usr/local/etc/haproxy/haproxy.cfg"], programs: { haproxy: server({ ports: [80], memoryMiB: 20 }) } }),
  image("tomcat", { cmd: ["catalina.sh", "run"], programs: { "catalina.sh": server({ ports: [8080], startup: ms(2500), memoryMiB: 120, stopExit: 143 }) } }),
  image("redis", { cmd: ["redis-server"], programs: { "redis-server": server({ ports: [6379], protocol: "TCP", startup: ms(8), memoryMiB: 8, log: ["* Ready to accept connections tcp"] }), "redis-cli": { kind: "exit", code: 0, log: ["PONG"] } } }),
  image("memcached", { cmd: ["memcached"], programs: { memcached: server({ ports: [11_211], protocol: "TCP", memoryMiB: 8 }) } }),
  image("rabbitmq", { cmd: ["rabbitmq-server"], programs: { "rabbitmq-server": server({ ports: [5672], protocol: "TCP", startup: ms(6000), memoryMiB: 140 }) } }),
  image("mongo", { cmd: ["mongod"], programs: { mongod: server({ ports: [27_017], protocol: "TCP", startup: ms(800), memoryMiB: 160 }) } }),
  image("postgres", {
    cmd: ["postgres"],
    stopSignal: "INT",
    programs: { postgres: server({ ports: [5432], protocol: "TCP", startup: ms(1500), memoryMiB: 40, log: ["LOG:  database system is ready to accept connections"] }), pg_isready: { kind: "exit", code: 0, log: ["/var/run/postgresql:5432 - accepting connections"] }, psql: { kind: "exit", code: 0, log: [] } },
    needsEnv: { anyOf: ["POSTGRES_PASSWORD", "POSTGRES_HOST_AUTH_METHOD", "POSTGRES_PASSWORD_FILE"], log: ["Error: Database is uninitialized and superuser password is not specified."] },
  }),
  ...["mysql", "mariadb"].map((name) =>
    image(name, {
      cmd: [name === "mysql" ? "mysqld" : "mariadbd"],
      programs: { mysqld: server({ ports: [3306], protocol: "TCP", startup: ms(6000), memoryMiB: 350, log: ["ready for connections. port: 3306"] }), mariadbd: server({ ports: [3306], protocol: "TCP", startup: ms(3000), memoryMiB: 120, log: ["ready for connections. port: 3306"] }), mysqladmin: { kind: "exit", code: 0, log: ["mysqld is alive"] }, mysql: { kind: "exit", code: 0, log: [] } },
      needsEnv: { anyOf: ["MYSQL_ROOT_PASSWORD", "MYSQL_ALLOW_EMPTY_PASSWORD", "MYSQL_RANDOM_ROOT_PASSWORD", "MARIADB_ROOT_PASSWORD", "MARIADB_ALLOW_EMPTY_ROOT_PASSWORD", "MARIADB_RANDOM_ROOT_PASSWORD"], log: ["[ERROR] [Entrypoint]: Database is uninitialized and password option is not specified"] },
    }),
  ),
  image("busybox", { shell: "busybox", bash: false, programs: { httpd: server({ ports: [80], startup: ms(2), memoryMiB: 1, root: "/www" }) } }),
  image("alpine", { shell: "busybox", bash: false, cmd: ["/bin/sh"], files: { "/etc/group": [["root", 0], ["bin", 1], ["daemon", 2], ["sys", 3], ["adm", 4], ["disk", 6], ["wheel", 10], ["floppy", 11], ["dialout", 20], ["tape", 26], ["video", 27]].map(([name, id]) => `${name}:x:${id}:root\n`).join("") } }),
  ...["debian", "ubuntu", "fedora", "rockylinux", "amazonlinux", "centos"].map((name) => image(name, { cmd: ["bash"] })),
  image("perl", { cmd: ["perl"], programs: { perl: { kind: "exit", code: 0, log: ["3.14159265358979323846264338327950288419716939937510582097494459230781640628620899"] } } }),
  image("python", { cmd: ["python3"], programs: { python: INTERPRETER, python3: INTERPRETER, gunicorn: server({ ports: [8000] }), uvicorn: server({ ports: [8000] }) } }),
  image("node", { cmd: ["node"], programs: { node: INTERPRETER, npm: INTERPRETER, npx: INTERPRETER } }),
  image("golang", { cmd: ["bash"], programs: { go: server({ startup: ms(2000), memoryMiB: 200 }) } }),
  ...["openjdk", "eclipse-temurin"].map((name) => image(name, { cmd: ["jshell"], programs: { java: server({ startup: ms(3000), memoryMiB: 180, stopExit: 143 }), jshell: { kind: "exit", code: 0, log: [] } } })),
  image("hello-world", { shell: "none", bash: false, cmd: ["/hello"], programs: { hello: { kind: "exit", code: 0, log: ["Hello from Docker!", "This message shows that your installation appears to be working correctly."] } } }),
];

/** An image of the user's own: a well-behaved server on the ports its manifest names, with a shell beside it. */
const GENERIC: Image = image("example.invalid/app", { cmd: ["app"], programs: { app: ANY, python: INTERPRETER, python3: INTERPRETER, node: INTERPRETER, java: server({ startup: ms(3000), memoryMiB: 180, stopExit: 143 }) } });

/** Programs that an unknown image may well hold. */
export const GENERIC_PROGRAMS: ReadonlySet<string> = new Set(Object.keys(GENERIC.programs));


/** Names under which the same images are found as well. */
const MIRRORS: readonly (readonly [RegExp, string])[] = [[/^(?:mirror\.gcr\.io|public\.ecr\.aws\/docker)\//, "docker.io/"], [/^(?:k8s\.gcr\.io|gcr\.io\/google[-_]containers|registry\.k8s\.io)\//, "registry.k8s.io/"], [/^gcr\.io\/google_samples\//, "gcr.io/google-samples/"]];

/** Configuration files that images bring, over which manifests mount their own. */
const CONFIGURATION: Readonly<Record<string, readonly string[]>> = {
  "docker.io/library/nginx": ["/etc/nginx/nginx.conf", "/etc/nginx/conf.d/default.conf", "/etc/nginx/mime.types"], "docker.io/nginxinc/nginx-unprivileged": ["/etc/nginx/nginx.conf", "/etc/nginx/conf.d/default.conf"], "docker.io/library/httpd": ["/usr/local/apache2/conf/httpd.conf"],
  "docker.io/library/influxdb": ["/etc/influxdb/influxdb.conf"], "docker.io/library/mysql": ["/etc/my.cnf"], "docker.io/library/mariadb": ["/etc/mysql/my.cnf", "/etc/mysql/mariadb.cnf"], "docker.io/library/rabbitmq": ["/etc/rabbitmq/conf.d/10-defaults.conf"], "docker.io/library/caddy": ["/etc/caddy/Caddyfile"],
  "docker.io/prom/prometheus": ["/etc/prometheus/prometheus.yml"], "docker.io/prom/alertmanager": ["/etc/alertmanager/alertmanager.yml"], "docker.io/grafana/grafana": ["/etc/grafana/grafana.ini"], "docker.io/library/eclipse-mosquitto": ["/mosquitto/config/mosquitto.conf"],
};

function configured(entry: Image): Image {
  const paths = CONFIGURATION[entry.repository];
  return paths === undefined ? entry : { ...entry, files: { ...Object.fromEntries(paths.map((path) => [path, ""])), ...entry.files } };
}

const BY_REPOSITORY: ReadonlyMap<string, Image> = new Map([...OFFICIAL, ...APPLICATIONS, ...KUBERNETES_IMAGES].map((entry) => [entry.repository, configured(entry)]));

/** The catalogue's entry of a repository, or the generic server. */
export function imageOf(repository: string): { readonly image: Image; readonly known: boolean } {
  const entry = BY_REPOSITORY.get(repository) ?? MIRRORS.map(([from, to]) => BY_REPOSITORY.get(repository.replace(from, to))).find((found) => found !== undefined);
  return entry ? { image: entry, known: true } : { image: GENERIC, known: false };
}
