import { hexId } from "../api/ids.ts";
import { parseImageName } from "../api/image-name.ts";
import type { Layer, Manifest } from "./messages.ts";

const MB = 1_000_000;

/** Compressed layer sizes in MB, base first. Simplified: one set a repository, whatever the tag. */
const DEBIAN = 28.2;
const ALPINE = 3.6;
const SIZES: Readonly<Record<string, readonly number[]>> = {
  nginx: [DEBIAN, 43.9, 0.6, 0.1], httpd: [DEBIAN, 4.2, 26.1, 0.1], caddy: [ALPINE, 15.2], traefik: [ALPINE, 42], haproxy: [DEBIAN, 12], tomcat: [29.5, 17, 156], redis: [DEBIAN, 1.2, 15.9], memcached: [DEBIAN, 2], rabbitmq: [29.5, 58, 20],
  mongo: [29.5, 1.5, 240], postgres: [DEBIAN, 1.4, 8.1, 112], mysql: [47, 0.9, 130], mariadb: [29.5, 96], busybox: [2.2], alpine: [ALPINE], debian: [48.5], ubuntu: [29.7], fedora: [63], rockylinux: [64], amazonlinux: [52], centos: [80],
  perl: [48.5, 24, 64, 211, 15], python: [48.5, 24, 64.4, 211, 6.2, 25.6], node: [48.5, 24, 64.4, 211, 50, 1.7], golang: [48.5, 24, 64, 92, 74], openjdk: [48.5, 188], "eclipse-temurin": [29.5, 160], "hello-world": [0.003],
  "hashicorp/http-echo": [0.8, 3.9], "traefik/whoami": [2.8], "kennethreitz/httpbin": [29, 160], "polinux/stress": [ALPINE, 1.5], "vish/stress": [1.6], "curlimages/curl": [ALPINE, 5],
};

const OTHERS: Readonly<Record<string, readonly number[]>> = {
  "registry.k8s.io/pause": [0.3], "registry.k8s.io/coredns/coredns": [1.4, 20], "registry.k8s.io/e2e-test-images/agnhost": [ALPINE, 48], "registry.k8s.io/e2e-test-images/busybox": [2.2], "registry.k8s.io/busybox": [1], "registry.k8s.io/nginx-slim": [24, 10], "registry.k8s.io/echoserver": [46], "registry.k8s.io/hpa-example": [48, 140],
  "gcr.io/google-samples/hello-app": [2, 4], "us-docker.pkg.dev/google-samples/containers/gke/hello-app": [2, 4],
};

/** A tag that looks like a version, a date, a variant or a well-known word exists; one of an official image that does not is refused. */
const PLAUSIBLE_TAG = /^(?:v?\d[\w.-]*|latest|stable|mainline|alpine|slim|edge|bookworm|trixie|bullseye|jammy|noble|lts|perl|glibc|musl|uclibc|focal|rawhide|current)(?:-[\w.]+)*$/;

/** The newest [major, minor] of some images: a tag beyond it does not exist. */
const NEWEST: Readonly<Record<string, readonly [number, number]>> = { nginx: [1, 31], httpd: [2, 4], redis: [8, 6], busybox: [1, 38], alpine: [3, 24], python: [3, 15], postgres: [18, 99], mysql: [9, 9], node: [26, 99], memcached: [1, 7] };

function plausible(name: string, tag: string): boolean {
  if (!PLAUSIBLE_TAG.test(tag) && tag.length < 32) return false;
  const newest = NEWEST[name];
  const m = /^v?(\d+)(?:\.(\d+))?/.exec(tag);
  if (!newest || !m) return true;
  const major = Number(m[1]);
  return major < newest[0] || (major === newest[0] && Number(m[2] ?? 0) <= newest[1]);
}

export interface Lookup {
  readonly manifest?: Manifest;
  readonly error?: string;
  readonly status: number;
}

function manifestOf(repository: string, tag: string, sizes: readonly number[]): Manifest {
  const layers = sizes.map((size, i): Layer => {
    // The same base is the same layer, whichever image carries it.
    const shared = i === 0 ? `base/${size}` : `${repository}:${tag}/${i}`;
    return { digest: `sha256:${hexId(1, `layer/${shared}`)}`, size: Math.round(size * MB) };
  });
  return { repository, reference: tag, digest: `sha256:${hexId(1, `manifest/${repository}:${tag}`)}`, configDigest: `sha256:${hexId(1, `config/${repository}:${tag}`)}`, layers, user: "" };
}

/**
 * What a registry answers for `repository:tag`; the errors are those containerd wraps.
 * Simplified: a repository that is neither an official image nor in the list is taken to exist outside Docker Hub's library.
 */
export function lookupImage(repository: string, tag: string): Lookup {
  const reference = `${repository}:${tag}`;
  const notFound: Lookup = { status: 404, error: `rpc error: code = NotFound desc = failed to pull and unpack image "${reference}": failed to resolve image: ${reference}: not found` };
  const denied: Lookup = { status: 401, error: `failed to pull and unpack image "${reference}": failed to resolve image: pull access denied, repository does not exist or may require authorization: server message: insufficient_scope: authorization failed` };
  const hub = repository.startsWith("docker.io/");
  const name = hub ? repository.replace(/^docker\.io\/(?:library\/)?/, "") : repository;
  const sizes = hub ? SIZES[name] : OTHERS[repository];
  if (sizes) return plausible(name, tag) ? { status: 200, manifest: manifestOf(repository, tag, sizes) } : notFound;
  const host = repository.split("/")[0] ?? "";
  if (hub && repository.startsWith("docker.io/library/")) return denied;
  if (/(?:^|\.)(?:example|invalid|test)(?:\.(?:com|org|net))?(?::\d+)?$/.test(host)) {
    const path = repository.slice(host.length + 1);
    return { status: 0, error: `failed to pull and unpack image "${reference}": failed to resolve image: failed to do request: Head "https://${host}/v2/${path}/manifests/${tag}": dial tcp: lookup ${host.replace(/:\d+$/, "")} on 10.96.0.10:53: no such host` };
  }
  if (/^(?:localhost|127\.0\.0\.1)(?::\d+)?$/.test(host)) {
    const path = repository.slice(host.length + 1);
    const address = host.replace("localhost", "127.0.0.1");
    return { status: 0, error: `failed to pull and unpack image "${reference}": failed to resolve image: failed to do request: Head "https://${host}/v2/${path}/manifests/${tag}": dial tcp ${address.includes(":") ? address : `${address}:443`}: connect: connection refused` };
  }
  if (hub && /(?:not|no)-?(?:exist|such|found)|does-?not|nonexist|missing|typo|invalid/.test(name)) return denied;
  if (/no-such|does-?not-?exist|nonexist|not-?found|invalid/.test(tag)) return notFound;
  return { status: 200, manifest: manifestOf(repository, tag, [DEBIAN, 35]) };
}

/** The answer of a registry that holds `repository:tag` as one layer of `sizeBytes`. */
export function singleLayer(repository: string, tag: string, sizeBytes: number): Lookup {
  return { status: 200, manifest: manifestOf(repository, tag, [sizeBytes / MB]) };
}

/** The same for an image name as written in a manifest. */
export function lookupImageName(image: string): Lookup {
  const parsed = parseImageName(image);
  return parsed ? lookupImage(parsed.repository, parsed.tag === "" ? parsed.digest : parsed.tag) : { status: 400, error: "invalid reference format" };
}
