import type { KubeObject, Service } from "../api/types.ts";

/** What a client calls. */
export interface Target {
  readonly host: string;
  readonly path: string;
  /** Where an outside client connects to; inside, the name is looked up. */
  readonly address?: string;
  readonly port: number;
  readonly tls?: boolean;
}

interface IngressShape extends KubeObject {
  readonly spec?: {
    readonly rules?: readonly { readonly host?: string; readonly http?: { readonly paths: readonly { readonly path?: string }[] } }[];
    readonly tls?: readonly { readonly hosts?: readonly string[] }[];
  };
  readonly status?: { readonly loadBalancer?: { readonly ingress?: readonly { readonly ip?: string }[] } };
}

/** One target for each host and path of an Ingress, in its order; hosts with a wildcard get a name under them. */
export function ingressTargets(object: KubeObject | undefined): readonly Target[] {
  const ingress = object as IngressShape | undefined;
  if (!ingress) return [];
  const address = ingress.status?.loadBalancer?.ingress?.[0]?.ip;
  const tlsHosts = (ingress.spec?.tls ?? []).flatMap(({ hosts }) => hosts ?? []);
  const rules = ingress.spec?.rules ?? [];
  const targets = rules.flatMap(({ host = "", http }) => (http?.paths ?? [{}]).map(({ path = "/" }): Target => ({ host: host.replace(/^\*/, "any") || (address ?? ""), path: path.startsWith("/") ? path : `/${path}`, ...(address === undefined ? {} : { address }), port: tlsHosts.includes(host) ? 443 : 80, ...(tlsHosts.includes(host) ? { tls: true } : {}) })));
  return targets.length > 0 ? targets : [{ host: address ?? "", path: "/", ...(address === undefined ? {} : { address }), port: 80 }];
}

/** Services that somebody would call: not the cluster's own, and with something to call. */
export function isServed({ metadata, spec }: Service): boolean {
  if (metadata.namespace === "kube-system" || metadata.namespace === "ingress-nginx" || (metadata.namespace === "default" && metadata.name === "kubernetes")) return false;
  return spec.type === "ExternalName" || (spec.ports ?? []).some((port) => (port.protocol ?? "TCP") === "TCP");
}
