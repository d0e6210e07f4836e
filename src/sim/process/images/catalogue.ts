import type { Micros } from "../../kernel/types.ts";
import type { Files } from "../files.ts";

/** What a program of an image does when it runs as a container's first process. */
export interface ServerProgram {
  readonly kind: "server";
  /** 0: the ports the manifest names (an application of the user's). */
  readonly ports: readonly number[];
  readonly protocol: "HTTP" | "TCP" | "gRPC";
  /** From exec to listening. */
  readonly startup: Micros;
  readonly memoryMiB: number;
  /** Exit code on the image's stop signal; undefined: PID 1 ignores it (no handler installed), so that only SIGKILL helps. */
  readonly stopExit?: number;
  readonly stopDelay: Micros;
  /** Processor time that one HTTP request takes, if so much that its answer waits for it. */
  readonly cpuPerRequest?: Micros;
  /** Directory that is served; paths without a file are 404. Undefined: any path is 200. */
  readonly root?: string;
  readonly log: readonly string[];
}

export type Program = ServerProgram | { readonly kind: "shell" } | { readonly kind: "forever" } | { readonly kind: "exit"; readonly code: number; readonly log: readonly string[] };

export interface Image {
  /** Normalized repository: "docker.io/library/nginx". */
  readonly repository: string;
  readonly entrypoint: readonly string[];
  readonly cmd: readonly string[];
  readonly shell: "busybox" | "dash" | "none";
  readonly bash: boolean;
  /** Programs by the name under which they are executed. */
  readonly programs: Readonly<Record<string, Program>>;
  readonly files: Files;
  readonly env: readonly (readonly [string, string])[];
  /** Without "SIG"; TERM unless the image says otherwise. */
  readonly stopSignal?: string;
  /** An entry that needs this variable to start (postgres, mysql). */
  readonly needsEnv?: { readonly anyOf: readonly string[]; readonly log: readonly string[] };
}

const ms = (n: number): Micros => n * 1000;
const server = (change: Partial<ServerProgram>): ServerProgram => ({ kind: "server", ports: [], protocol: "HTTP", startup: ms(20), memoryMiB: 10, stopExit: 0, stopDelay: ms(3), log: [], ...change });
const PATH: readonly (readonly [string, string])[] = [["PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"]];

function image(name: string, change: Partial<Image>): Image {
  return { repository: name.includes(".") ? name : `docker.io/library/${name}`, entrypoint: [], cmd: ["sh"], shell: "dash", bash: true, programs: {}, files: {}, env: PATH, ...change };
}

const NGINX_LOG = ["/docker-entrypoint.sh: Configuration complete; ready for start up", "start worker processes"];
const page = (title: string): string => `<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>\n`;
const ANY = server({});
// An interpreter as PID 1 installs no handler for SIGTERM, and the kernel does not deliver it to PID 1 then.
const { stopExit: _, ...DEAF } = server({ startup: ms(300), memoryMiB: 40 });

export const CATALOGUE: readonly Image[] = [
  image("nginx", {
    entrypoint: ["/docker-entrypoint.sh"],
    cmd: ["nginx", "-g", "daemon off;"],
    programs: { nginx: server({ ports: [80], startup: ms(3), memoryMiB: 6, root: "/usr/share/nginx/html", log: NGINX_LOG }) },
    files: { "/usr/share/nginx/html/index.html": page("Welcome to nginx!"), "/usr/share/nginx/html/50x.html": page("An error occurred."), "/etc/nginx/nginx.conf": "", "/var/log/nginx/": "" },
  }),
  image("httpd", {
    cmd: ["httpd-foreground"],
    programs: { "httpd-foreground": server({ ports: [80], startup: ms(15), memoryMiB: 12, root: "/usr/local/apache2/htdocs", log: ["AH00489: Apache/2.4 configured -- resuming normal operations"] }) },
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
  image("busybox", { shell: "busybox", bash: false, programs: { httpd: server({ ports: [80], startup: ms(2), memoryMiB: 1, root: "/www" }), nc: server({ protocol: "TCP", memoryMiB: 1 }) } }),
  image("alpine", { shell: "busybox", bash: false, cmd: ["/bin/sh"] }),
  ...["debian", "ubuntu", "fedora", "rockylinux", "amazonlinux", "centos"].map((name) => image(name, { cmd: ["bash"] })),
  image("perl", { cmd: ["perl"], programs: { perl: { kind: "exit", code: 0, log: ["3.14159265358979323846264338327950288419716939937510582097494459230781640628620899"] } } }),
  image("python", { cmd: ["python3"], programs: { python: DEAF, python3: DEAF, gunicorn: server({ ports: [8000] }), uvicorn: server({ ports: [8000] }) } }),
  image("node", { cmd: ["node"], programs: { node: DEAF, npm: DEAF, npx: DEAF } }),
  image("golang", { cmd: ["bash"], programs: { go: server({ startup: ms(2000), memoryMiB: 200 }) } }),
  ...["openjdk", "eclipse-temurin"].map((name) => image(name, { cmd: ["jshell"], programs: { java: server({ startup: ms(3000), memoryMiB: 180, stopExit: 143 }), jshell: { kind: "exit", code: 0, log: [] } } })),
  image("hello-world", { shell: "none", bash: false, cmd: ["/hello"], programs: { hello: { kind: "exit", code: 0, log: ["Hello from Docker!", "This message shows that your installation appears to be working correctly."] } } }),
  image("registry.k8s.io/pause", { shell: "none", bash: false, entrypoint: ["/pause"], cmd: [], programs: { pause: { kind: "forever" } } }),
  image("registry.k8s.io/coredns/coredns", { shell: "none", bash: false, entrypoint: ["/coredns"], cmd: [], programs: { coredns: server({ ports: [53, 8080, 8181, 9153], startup: ms(150), memoryMiB: 20 }) } }),
  image("registry.k8s.io/e2e-test-images/agnhost", { entrypoint: ["/agnhost"], cmd: ["pause"], shell: "busybox", bash: false, programs: { agnhost: server({ ports: [8080], memoryMiB: 10 }) } }),
  image("gcr.io/google-samples/hello-app", { shell: "none", bash: false, cmd: ["./hello-app"], programs: { "hello-app": server({ ports: [8080], memoryMiB: 5, log: ["Server listening on port 8080"] }) } }),
  image("us-docker.pkg.dev/google-samples/containers/gke/hello-app", { shell: "none", bash: false, cmd: ["./hello-app"], programs: { "hello-app": server({ ports: [8080], memoryMiB: 5 }) } }),
  image("docker.io/hashicorp/http-echo", { shell: "none", bash: false, cmd: ["/http-echo"], programs: { "http-echo": server({ ports: [5678], memoryMiB: 5 }) } }),
  image("docker.io/traefik/whoami", { shell: "none", bash: false, cmd: ["/whoami"], programs: { whoami: server({ ports: [80], memoryMiB: 4 }) } }),
  image("docker.io/kennethreitz/httpbin", { cmd: ["gunicorn"], programs: { gunicorn: server({ ports: [80], startup: ms(600), memoryMiB: 60 }) } }),
  image("registry.k8s.io/hpa-example", { cmd: ["apache2-foreground"], programs: { "apache2-foreground": server({ ports: [80], startup: ms(15), memoryMiB: 12, cpuPerRequest: ms(90), log: ["AH00163: Apache/2.4 PHP/5.6 configured -- resuming normal operations"] }) } }),
  image("docker.io/polinux/stress", { shell: "busybox", bash: false, cmd: ["stress"] }),
  image("docker.io/vish/stress", { shell: "none", bash: false, entrypoint: ["stress"], cmd: [] }),
  image("docker.io/curlimages/curl", { shell: "busybox", bash: false, entrypoint: ["curl"], cmd: [] }),
];

const BY_REPOSITORY: ReadonlyMap<string, Image> = new Map(CATALOGUE.map((entry) => [entry.repository, entry]));

/** An image of the user's own: a well-behaved server on the ports its manifest names, with a shell beside it. */
const GENERIC: Image = image("example.invalid/app", { cmd: ["app"], programs: { app: ANY, python: DEAF, python3: DEAF, node: DEAF, java: server({ startup: ms(3000), memoryMiB: 180, stopExit: 143 }) } });

/** The catalogue's entry of a repository, or the generic server. */
export function imageOf(repository: string): { readonly image: Image; readonly known: boolean } {
  const entry = BY_REPOSITORY.get(repository) ?? BY_REPOSITORY.get(repository.replace(/^(?:mirror\.gcr\.io|public\.ecr\.aws\/docker)\//, "docker.io/"));
  return entry ? { image: entry, known: true } : { image: GENERIC, known: false };
}
