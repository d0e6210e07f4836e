// Models kubernetes/plugin/pkg/admission/serviceaccount/admission.go
import { randomSuffix } from "../../api/random-suffix.ts";
import type { Container, Pod, PodSpec, ServiceAccount, Status, Volume } from "../../api/types.ts";
import { type AdmissionAttributes, type AdmissionPlugin, forbid, isPodCreate } from "./attributes.ts";
import { referencesSecret } from "./pod-references.ts";

const MOUNT_PATH = "/var/run/secrets/kubernetes.io/serviceaccount";
const VOLUME_NAME = "kube-api-access";
const MIRROR = "kubernetes.io/config.mirror";
/** Seven seconds over an hour, so that a token of the kubelet can be told from one a user asked for. */
const TOKEN_SECONDS = 3607;
const FILE_MODE = 420;

const tokenVolume = (name: string): Volume => ({
  name,
  projected: {
    sources: [
      { serviceAccountToken: { expirationSeconds: TOKEN_SECONDS, path: "token" } },
      { configMap: { name: "kube-root-ca.crt", items: [{ key: "ca.crt", path: "ca.crt" }] } },
      { downwardAPI: { items: [{ path: "namespace", fieldRef: { apiVersion: "v1", fieldPath: "metadata.namespace" } }] } },
    ],
    defaultMode: FILE_MODE,
  },
});

/** Mounts the token into every container that does not mount something there itself. */
function mountToken(spec: PodSpec, attrs: AdmissionAttributes): PodSpec {
  const existing = spec.volumes?.find((v) => v.name.startsWith(`${VOLUME_NAME}-`))?.name;
  const name = existing ?? `${VOLUME_NAME}-${randomSuffix((i) => attrs.rand("service-account-volume", i))}`;
  let needed = false;
  const mount = (container: Container): Container => {
    if (container.volumeMounts?.some((m) => m.mountPath === MOUNT_PATH)) return container;
    needed = true;
    return { ...container, volumeMounts: [...(container.volumeMounts ?? []), { name, readOnly: true, mountPath: MOUNT_PATH }] };
  };
  const initContainers = spec.initContainers?.map(mount);
  const containers = (spec.containers ?? []).map(mount);
  if (!needed) return spec;
  const volumes = existing === undefined ? [...(spec.volumes ?? []), tokenVolume(name)] : spec.volumes;
  return { ...spec, ...(initContainers === undefined ? {} : { initContainers }), containers, ...(volumes === undefined ? {} : { volumes }) };
}

const isEphemeralUpdate = ({ group, resource, subresource, operation }: AdmissionAttributes): boolean => group === "" && resource === "pods" && subresource === "ephemeralcontainers" && operation === "UPDATE";
const account = (attrs: AdmissionAttributes, name: string): ServiceAccount | undefined => attrs.lookup("serviceaccounts", attrs.namespace, name) as ServiceAccount | undefined;
const missing = (attrs: AdmissionAttributes, name: string): string => `error looking up service account ${attrs.namespace}/${name}: serviceaccount ${JSON.stringify(name)} not found`;

const ENFORCE = "kubernetes.io/enforce-mountable-secrets";
const enforces = (found: ServiceAccount): boolean => ["1", "t", "T", "true", "TRUE", "True"].includes(found.metadata.annotations?.[ENFORCE] ?? "");

/** Secrets in the environment of containers that the account does not list. */
function unlistedInContainers(containers: readonly Container[] | undefined, what: string, secrets: ReadonlySet<string>, name: string): string | undefined {
  for (const container of containers ?? []) {
    for (const env of container.env ?? []) {
      const secret = env.valueFrom?.secretKeyRef?.name;
      if (secret !== undefined && !secrets.has(secret)) return `${what} ${container.name} with envVar ${env.name} referencing secret.secretName="${secret}" is not allowed because service account ${name} does not reference that secret`;
    }
    for (const { secretRef } of container.envFrom ?? []) {
      if (secretRef !== undefined && !secrets.has(secretRef.name ?? "")) return `${what} ${container.name} with envFrom referencing secret.secretName="${secretRef.name ?? ""}" is not allowed because service account ${name} does not reference that secret`;
    }
  }
  return undefined;
}

const secretsOf = (found: ServiceAccount): ReadonlySet<string> => new Set(((found as { readonly secrets?: readonly { readonly name?: string }[] }).secrets ?? []).map((secret) => secret.name ?? ""));

/** limitSecretReferences: an account that enforces its list lets Pods use no other Secrets. */
function unlistedSecret(spec: PodSpec, found: ServiceAccount): string | undefined {
  const name = found.metadata.name ?? "";
  const secrets = secretsOf(found);
  const volume = spec.volumes?.find((v) => v.secret !== undefined && !secrets.has(v.secret.secretName ?? ""));
  if (volume !== undefined) return `volume with secret.secretName="${volume.secret?.secretName ?? ""}" is not allowed because service account ${name} does not reference that secret`;
  const inContainers = unlistedInContainers(spec.initContainers, "init container", secrets, name) ?? unlistedInContainers(spec.containers, "container", secrets, name);
  if (inContainers !== undefined) return inContainers;
  const pull = new Set((found.imagePullSecrets ?? []).map((secret) => secret.name));
  const i = (spec.imagePullSecrets ?? []).findIndex((secret) => !pull.has(secret.name));
  return i < 0 ? undefined : `imagePullSecrets[${i}].name="${spec.imagePullSecrets?.[i]?.name ?? ""}" is not allowed because service account ${name} does not reference that imagePullSecret`;
}

/** Debugging containers are held to the same list. */
function validateEphemeral(pod: Pod, attrs: AdmissionAttributes): Status | undefined {
  const name = pod.spec.serviceAccountName ?? "";
  if (name === "") return forbid(attrs, pod, `no service account specified for pod ${attrs.namespace}/${pod.metadata.name ?? ""}`);
  const found = account(attrs, name);
  if (!found) return forbid(attrs, pod, missing(attrs, name));
  const text = enforces(found) ? unlistedInContainers(pod.spec.ephemeralContainers, "ephemeral container", secretsOf(found), name) : undefined;
  return text === undefined ? undefined : forbid(attrs, pod, text);
}

/** Why every Pod has an identity and a token volume that nobody wrote. */
export const serviceAccount = {
  name: "ServiceAccount",
  handles: (attrs) => isPodCreate(attrs) || isEphemeralUpdate(attrs),

  admit(object, attrs) {
    const pod = object as Pod;
    if (pod.metadata.annotations?.[MIRROR] !== undefined || attrs.operation !== "CREATE") return pod;
    const name = pod.spec.serviceAccountName || "default";
    // Simplified: upstream retries the lookup of "default" ten times over about two seconds before it refuses.
    const found = account(attrs, name);
    if (!found) return forbid(attrs, pod, missing(attrs, name));
    let spec: PodSpec = pod.spec.serviceAccountName === name && pod.spec.serviceAccount === name ? pod.spec : { ...pod.spec, serviceAccountName: name, serviceAccount: name };
    const automount = spec.automountServiceAccountToken ?? found.automountServiceAccountToken ?? true;
    if (automount) spec = mountToken(spec, attrs);
    if (!spec.imagePullSecrets?.length && found.imagePullSecrets?.length) spec = { ...spec, imagePullSecrets: found.imagePullSecrets.map(({ name: secret }) => (secret === undefined ? {} : { name: secret })) };
    return spec === pod.spec ? pod : { ...pod, spec };
  },

  validate(object, attrs) {
    const pod = object as Pod;
    if (attrs.operation === "UPDATE") return validateEphemeral(pod, attrs);
    if (pod.metadata.annotations?.[MIRROR] !== undefined) {
      if (pod.spec.serviceAccountName) return forbid(attrs, pod, "a mirror pod may not reference service accounts");
      if (referencesSecret(pod.spec)) return forbid(attrs, pod, "a mirror pod may not reference secrets");
      const token = pod.spec.volumes?.some((v) => v.projected?.sources?.some((s) => s.serviceAccountToken));
      return token ? forbid(attrs, pod, "a mirror pod may not use ServiceAccountToken volume projections") : undefined;
    }
    const name = pod.spec.serviceAccountName ?? "";
    if (name === "") return forbid(attrs, pod, `no service account specified for pod ${attrs.namespace}/${pod.metadata.name ?? ""}`);
    const found = account(attrs, name);
    if (!found) return forbid(attrs, pod, missing(attrs, name));
    const unlisted = enforces(found) ? unlistedSecret(pod.spec, found) : undefined;
    return unlisted === undefined ? undefined : forbid(attrs, pod, unlisted);
  },
} satisfies AdmissionPlugin;
