// Models kubernetes/ingress-nginx internal/ingress/controller and the nginx.conf that it writes: which Service answers a host and a path
import type { KubeObject } from "../api/types.ts";

export interface IngressBackend {
  readonly service?: { readonly name: string; readonly port?: { readonly name?: string; readonly number?: number } };
}

export interface IngressPath {
  readonly path?: string;
  readonly pathType?: string;
  readonly backend: IngressBackend;
}

export interface Ingress extends KubeObject {
  readonly spec: {
    readonly ingressClassName?: string;
    readonly defaultBackend?: IngressBackend;
    readonly rules?: readonly { readonly host?: string; readonly http?: { readonly paths: readonly IngressPath[] } }[];
    readonly tls?: readonly { readonly hosts?: readonly string[]; readonly secretName?: string }[];
  };
  readonly status?: { readonly loadBalancer?: { readonly ingress?: readonly { readonly ip?: string; readonly hostname?: string }[] } };
}

export interface Location {
  readonly host: string;
  readonly path: string;
  readonly pathType: string;
  /** "default/web" */
  readonly service: string;
  readonly port: string;
  readonly ingress: string;
}

const CONTROLLER = "k8s.io/ingress-nginx";
export const CLASS_ANNOTATION = "kubernetes.io/ingress.class";

/** Whether an Ingress is this controller's: by its class, or by the annotation that was there before classes. */
export function isOurs(ingress: Ingress, classes: readonly KubeObject[]): boolean {
  const annotation = ingress.metadata.annotations?.[CLASS_ANNOTATION];
  if (annotation !== undefined) return annotation === "nginx";
  return classes.some(({ metadata, spec }) => metadata.name === ingress.spec.ingressClassName && (spec as { readonly controller?: string } | undefined)?.controller === CONTROLLER);
}

const portText = (backend: IngressBackend): string => String(backend.service?.port?.name ?? backend.service?.port?.number ?? "");

function location(ingress: Ingress, host: string, path: string, pathType: string, backend: IngressBackend): readonly Location[] {
  if (backend.service === undefined) return [];
  const namespace = ingress.metadata.namespace ?? "";
  return [{ host, path, pathType, service: `${namespace}/${backend.service.name}`, port: portText(backend), ingress: `${namespace}/${ingress.metadata.name ?? ""}` }];
}

/** Every location of these Ingresses, the oldest first: of two with the same host and path the older one stays. */
export function locationsOf(ingresses: readonly Ingress[]): readonly Location[] {
  const sorted = [...ingresses].sort((a, b) => ((a.metadata.creationTimestamp ?? "") < (b.metadata.creationTimestamp ?? "") ? -1 : 1));
  const found = new Map<string, Location>();
  for (const ingress of sorted) {
    const { rules = [], defaultBackend } = ingress.spec;
    const all = [
      ...rules.flatMap(({ host = "", http }) => (http?.paths ?? []).flatMap(({ path = "/", pathType = "ImplementationSpecific", backend }) => location(ingress, host, path, pathType, backend))),
      // A default backend answers what no path of the rules' hosts does, and without rules every host.
      ...(defaultBackend === undefined ? [] : [...new Set(["", ...rules.map(({ host = "" }) => host)])].flatMap((host) => location(ingress, host, "/", "default", defaultBackend))),
    ];
    for (const entry of all) if (!found.has(`${entry.host} ${entry.pathType === "Exact" ? "=" : ""}${entry.path}`)) found.set(`${entry.host} ${entry.pathType === "Exact" ? "=" : ""}${entry.path}`, entry);
  }
  return [...found.values()];
}

/** Exact is the path itself; Prefix goes by elements; ImplementationSpecific is nginx's own prefix, by characters. */
export function matchesPath({ path, pathType }: Pick<Location, "path" | "pathType">, asked: string): boolean {
  if (pathType === "Exact") return asked === path;
  if (pathType !== "Prefix") return asked.startsWith(path);
  const prefix = path.endsWith("/") ? path.slice(0, -1) : path;
  return asked === prefix || asked.startsWith(`${prefix}/`);
}

function hostRank(pattern: string, host: string): number {
  if (pattern === host) return 3;
  // A wildcard stands for one label.
  if (pattern.startsWith("*.") && host.slice(host.indexOf(".")) === pattern.slice(1)) return 2;
  return pattern === "" ? 1 : 0;
}

/** The location that answers: the most particular host that is known at all, then Exact before the longest prefix. */
export function findLocation(locations: readonly Location[], host: string, path: string): Location | undefined {
  const asked = path.split("?")[0] ?? "/";
  const best = Math.max(0, ...locations.map((entry) => hostRank(entry.host, host)));
  const rank = (entry: Location): number => (entry.pathType === "Exact" ? 100_000 : 0) + (entry.pathType === "default" ? -1 : entry.path.length);
  return locations.filter((entry) => best > 0 && hostRank(entry.host, host) === best && matchesPath(entry, asked)).sort((a, b) => rank(b) - rank(a))[0];
}

/** Whether HTTP to this host is sent on to HTTPS. */
export const hasTls = (ingresses: readonly Ingress[], host: string): boolean => ingresses.some(({ spec, metadata }) => metadata.annotations?.["nginx.ingress.kubernetes.io/ssl-redirect"] !== "false" && (spec.tls ?? []).some(({ hosts }) => hosts?.some((pattern) => hostRank(pattern, host) > 1)));
