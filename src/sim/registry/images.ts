import { hexId } from "../api/ids.ts";
import { parseImageName } from "../api/image-name.ts";
import { ASSUMED_SIZES, publishedImage } from "./published.ts";
import type { Layer, Manifest } from "./messages.ts";

const MB = 1_000_000;

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

const MADE_UP_TAG = /no-such|does-?not-?exist|nonexist|not-?found|invalid/;

export interface Lookup {
  readonly manifest?: Manifest;
  readonly error?: string;
  readonly status: number;
}

function manifestOf(repository: string, tag: string, sizes: readonly number[], user = ""): Manifest {
  const layers = sizes.map((size, i): Layer => {
    // The same base is the same layer, whichever image carries it.
    const shared = i === 0 ? `base/${size}` : `${repository}:${tag}/${i}`;
    return { digest: `sha256:${hexId(1, `layer/${shared}`)}`, size: Math.round(size * MB) };
  });
  return { repository, reference: tag, digest: `sha256:${hexId(1, `manifest/${repository}:${tag}`)}`, configDigest: `sha256:${hexId(1, `config/${repository}:${tag}`)}`, layers, user };
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
  const published = publishedImage(name);
  if (published?.windows) return { status: 200, error: `rpc error: code = NotFound desc = failed to pull and unpack image "${reference}": no match for platform in manifest: not found` };
  // Of Docker's own images the tags are known; of others any is believed that does not look made up.
  if (published) return (hub && !name.includes("/") ? plausible(name, tag) : !MADE_UP_TAG.test(tag)) ? { status: 200, manifest: manifestOf(repository, tag, published.layers, published.user) } : notFound;
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
  if (MADE_UP_TAG.test(tag)) return notFound;
  return { status: 200, manifest: manifestOf(repository, tag, ASSUMED_SIZES) };
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
