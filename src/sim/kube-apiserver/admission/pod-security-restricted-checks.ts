// Models kubernetes/staging/src/k8s.io/pod-security-admission/policy/check_*.go: what the level "restricted" asks for
import { containersNamed, context, failing, json, plural, type PodCheck, profileType, quoted, seccompAllowed, seccompBaseline, strings } from "./pod-security-checks.ts";

export const allowPrivilegeEscalation: PodCheck = (spec) => {
  const names = failing(spec, (c) => context(c)["allowPrivilegeEscalation"] !== false);
  return names.length === 0 ? undefined : { reason: "allowPrivilegeEscalation != false", detail: `${containersNamed(names)} must set securityContext.allowPrivilegeEscalation=false` };
};

export const capabilitiesRestricted: PodCheck = (spec) => {
  const undropped = failing(spec, (c) => !strings(json(context(c)["capabilities"])["drop"]).includes("ALL"));
  const added = new Set<string>();
  const adding = failing(spec, (c) => {
    const bad = strings(json(context(c)["capabilities"])["add"]).filter((name) => name !== "NET_BIND_SERVICE");
    for (const name of bad) added.add(name);
    return bad.length > 0;
  });
  const parts = [
    ...(undropped.length > 0 ? [`${containersNamed(undropped)} must set securityContext.capabilities.drop=["ALL"]`] : []),
    ...(adding.length > 0 ? [`${containersNamed(adding)} must not include ${quoted([...added].sort((a, b) => (a < b ? -1 : 1)))} in securityContext.capabilities.add`] : []),
  ];
  return parts.length === 0 ? undefined : { reason: "unrestricted capabilities", detail: parts.join("; ") };
};

const RESTRICTED_VOLUMES = new Set(["configMap", "csi", "downwardAPI", "emptyDir", "ephemeral", "image", "persistentVolumeClaim", "projected", "secret"]);

export const restrictedVolumes: PodCheck = (spec) => {
  const types = new Set<string>();
  const names = (spec.volumes ?? []).filter((v) => {
    const bad = Object.keys(v).filter((key) => key !== "name" && !RESTRICTED_VOLUMES.has(key));
    for (const type of bad) types.add(type);
    return bad.length > 0;
  }).map((v) => v.name);
  if (names.length === 0) return undefined;
  const list = quoted([...types].sort((a, b) => (a < b ? -1 : 1)));
  return { reason: "restricted volume types", detail: `${plural("volume", names.length)} ${quoted(names)} ${names.length === 1 ? "uses" : "use"} restricted volume ${plural("type", types.size)} ${list}` };
};

export const runAsNonRoot: PodCheck = (spec) => {
  const pod = json(spec.securityContext)["runAsNonRoot"];
  const explicit = failing(spec, (c) => context(c)["runAsNonRoot"] === false);
  const implicit = failing(spec, (c) => context(c)["runAsNonRoot"] === undefined);
  const bad = [...(pod === false ? ["pod"] : []), ...(explicit.length > 0 ? [containersNamed(explicit)] : [])];
  if (bad.length > 0) return { reason: "runAsNonRoot != true", detail: `${bad.join(" and ")} must not set securityContext.runAsNonRoot=false` };
  if (pod === true || implicit.length === 0) return undefined;
  return { reason: "runAsNonRoot != true", detail: `pod or ${containersNamed(implicit)} must set securityContext.runAsNonRoot=true` };
};

export const runAsUser: PodCheck = (spec) => {
  const pod = json(spec.securityContext)["runAsUser"] === 0;
  const names = failing(spec, (c) => context(c)["runAsUser"] === 0);
  const bad = [...(pod ? ["pod"] : []), ...(names.length > 0 ? [containersNamed(names)] : [])];
  return bad.length === 0 ? undefined : { reason: "runAsUser=0", detail: `${bad.join(" and ")} must not set runAsUser=0` };
};

/** A safe profile must be named, for the Pod or for every container. */
export const seccompRestricted: PodCheck = (spec, metadata) => {
  const explicit = seccompBaseline(spec, metadata);
  if (explicit !== undefined) return explicit;
  const implicit = failing(spec, (c) => profileType(context(c)) === undefined);
  if (seccompAllowed(profileType(json(spec.securityContext))) || implicit.length === 0) return undefined;
  return { reason: "seccompProfile", detail: `pod or ${containersNamed(implicit)} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"` };
};

/** Windows knows none of these fields: its Pods need not set them. */
export const unlessWindows = (check: PodCheck): PodCheck => (spec, metadata) => (spec.os?.name === "windows" ? undefined : check(spec, metadata));

/** Root in a user namespace is nobody outside. */
export const unlessUserNamespace = (check: PodCheck): PodCheck => (spec, metadata) => (spec.hostUsers === false ? undefined : check(spec, metadata));
