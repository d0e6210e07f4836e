// Models applyAppArmorVersionSkew of kubernetes/pkg/registry/core/pod/strategy.go: the annotation that came before the field
import type { Container, KubeObject, Pod } from "../../api/types.ts";

const ANNOTATION = "container.apparmor.security.beta.kubernetes.io/";
const LOCALHOST = "localhost/";
const MAX_PROFILE_LENGTH = 4_095;

interface Profile {
  readonly type: string;
  readonly localhostProfile?: string;
}
type Context = { readonly appArmorProfile?: Profile } | undefined;

/** The profile that an annotation means; undefined when it means none. */
function profileOf(annotation: string): Profile | undefined {
  if (annotation === "unconfined") return { type: "Unconfined" };
  if (annotation === "runtime/default") return { type: "RuntimeDefault" };
  const localhostProfile = annotation.startsWith(LOCALHOST) ? annotation.slice(LOCALHOST.length) : "";
  return localhostProfile === "" || localhostProfile.trim() !== localhostProfile || localhostProfile.length > MAX_PROFILE_LENGTH ? undefined : { type: "Localhost", localhostProfile };
}

const same = (a: Profile, b: Profile | undefined): boolean => a.type === b?.type && a.localhostProfile === b.localhostProfile;

interface Synced {
  readonly container: Container;
  /** The annotation's key when it is worth a warning. */
  readonly deprecated?: string;
}

function sync(container: Container, pod: Pod): Synced {
  const key = ANNOTATION + container.name;
  const annotation = pod.metadata.annotations?.[key];
  const context = container.securityContext as Context;
  if (annotation === undefined || context?.appArmorProfile !== undefined) return { container };
  const profile = profileOf(annotation);
  if (profile === undefined) return { container, deprecated: key };
  if (same(profile, (pod.spec.securityContext as Context)?.appArmorProfile)) return { container };
  return { container: { ...container, securityContext: { ...context, appArmorProfile: profile } } as Container, deprecated: key };
}

const hasNone = ({ metadata, spec }: Pod): boolean => spec.os?.name === "windows" || !Object.keys(metadata.annotations ?? {}).some((key) => key.startsWith(ANNOTATION));

/** The Pod with the fields that its annotations stand for; the same Pod when there are none. */
export function syncAppArmor(pod: Pod): Pod {
  if (hasNone(pod)) return pod;
  const synced = (containers: readonly Container[]): readonly Container[] => containers.map((container) => sync(container, pod).container);
  const { initContainers, containers } = pod.spec;
  return { ...pod, spec: { ...pod.spec, containers: synced(containers), ...(initContainers === undefined ? {} : { initContainers: synced(initContainers) }) } };
}

/** What a new Pod's annotations warn of: told before they become fields. */
export function appArmorWarnings(object: KubeObject): readonly string[] {
  if (object.kind !== "Pod" || object.apiVersion !== "v1" || hasNone(object as Pod)) return [];
  const pod = object as Pod;
  const keys = [...(pod.spec.initContainers ?? []), ...pod.spec.containers].flatMap((container) => sync(container, pod).deprecated ?? []);
  return keys.map((key) => `metadata.annotations[${key}]: deprecated since v1.30; use the "appArmorProfile" field instead`);
}
