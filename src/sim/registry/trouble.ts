// What is wrong with a registry or with one of its images, and the words a client has for it (containerd core/remotes/docker)
import { hexId } from "../api/ids.ts";
import { parseImageName } from "../api/image-name.ts";
import type { FaultMessage } from "../faults/messages.ts";
import { lookupImage } from "./images.ts";
import type { Manifest, RegistryRequest } from "./messages.ts";

/** A registry's own server: Docker Hub answers elsewhere than its name says. */
export const serverOf = (repository: string): string => {
  const host = repository.split("/")[0] ?? "";
  return host === "docker.io" ? "registry-1.docker.io" : host;
};

export const pathOf = (repository: string): string => repository.slice(repository.indexOf("/") + 1);

/** `image` of a fault names a repository, with or without its tag. */
function namesImage(fault: FaultMessage, { repository, reference }: RegistryRequest): boolean {
  const text = String(fault.params["image"] ?? "");
  const parsed = parseImageName(text);
  return parsed !== undefined && parsed.repository === repository && (!/[:@][^/]*$/.test(text) || parsed.tag === reference);
}

const namesRegistry = ({ params }: FaultMessage, { repository }: RegistryRequest): boolean => params["registry"] === "" || repository.startsWith(`${String(params["registry"])}/`);

/** The fault of this id that concerns the request, if one acts. */
const acting = (faults: readonly FaultMessage[], request: RegistryRequest, id: string): FaultMessage | undefined => faults.find((fault) => fault.id === id && (fault.params["image"] === undefined ? namesRegistry : namesImage)(fault, request));

const HUB_LIMIT = "toomanyrequests: You have reached your pull rate limit. You may increase the limit by authenticating and upgrading: https://www.docker.com/increase-rate-limit";

/** Why a manifest is not given out; undefined if nothing is wrong. */
export function refusal(faults: readonly FaultMessage[], request: RegistryRequest): { readonly status: number; readonly error: string } | undefined {
  const { repository, reference } = request;
  const name = `${repository}:${reference}`;
  if (acting(faults, request, "image.not-found")) return { status: 404, error: `rpc error: code = NotFound desc = failed to pull and unpack image "${name}": failed to resolve image: ${name}: not found` };
  const secret = acting(faults, request, "image.unauthorized");
  if (secret && request.auth !== `${String(secret.params["username"])}:${String(secret.params["password"])}`) {
    const message = request.auth === undefined ? "insufficient_scope: authorization failed" : "invalid_token: authorization failed";
    return { status: 401, error: `failed to pull and unpack image "${name}": failed to resolve image: pull access denied, repository does not exist or may require authorization: server message: ${message}` };
  }
  // HEAD requests are not counted: the limit is met at the GET of the manifest that the tag stands for.
  if (acting(faults, request, "image.rate-limited")) {
    const url = `https://${serverOf(repository)}/v2/${pathOf(repository)}/manifests/${lookupImage(repository, reference).manifest?.digest ?? reference}`;
    const limit = repository.startsWith("docker.io/") ? HUB_LIMIT : "toomanyrequests: too many requests";
    return { status: 429, error: `failed to pull and unpack image "${name}": failed to copy: httpReadSeeker: failed open: unexpected status code ${url}: 429 Too Many Requests - Server message: ${limit}` };
  }
  const foreign = acting(faults, request, "image.wrong-architecture");
  if (foreign?.params["pushedAs"] === "index") return { status: 200, error: `rpc error: code = NotFound desc = failed to pull and unpack image "${name}": no match for platform in manifest: not found` };
  return undefined;
}

/** Packets to the registry get no answer. */
export const isSilent = (faults: readonly FaultMessage[], request: RegistryRequest): boolean => acting(faults, request, "image.registry-down") !== undefined;

/** How many times as long a layer takes. Simplified: a layer on its way keeps the speed it began with; upstream's bytes come as the network is at each moment. */
export const slowness = (faults: readonly FaultMessage[], request: RegistryRequest): number => Math.max(1, Number(acting(faults, request, "image.slow-pull")?.params["factor"] ?? 1));

/** The manifest that a tag stands for: after a push from another machine a single one, made of other layers. */
export function pushedManifest(faults: readonly FaultMessage[], request: RegistryRequest, manifest: Manifest): Manifest {
  const fault = acting(faults, request, "image.wrong-architecture");
  if (!fault) return manifest;
  const architecture = String(fault.params["architecture"]);
  const other = (digest: string): string => `sha256:${hexId(1, `${architecture} ${digest}`)}`;
  return { ...manifest, architecture, digest: other(manifest.digest), configDigest: other(manifest.configDigest), layers: manifest.layers.map((layer) => ({ ...layer, digest: other(layer.digest) })) };
}
