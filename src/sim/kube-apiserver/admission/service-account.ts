// Models kubernetes/plugin/pkg/admission/serviceaccount/admission.go
import { randomSuffix } from "../../api/random-suffix.ts";
import type { Container, Pod, PodSpec, ServiceAccount, Volume } from "../../api/types.ts";
import { type AdmissionAttributes, type AdmissionPlugin, forbid, isPodCreate } from "./attributes.ts";

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

const account = (attrs: AdmissionAttributes, name: string): ServiceAccount | undefined => attrs.lookup("serviceaccounts", attrs.namespace, name) as ServiceAccount | undefined;
const missing = (attrs: AdmissionAttributes, name: string): string => `error looking up service account ${attrs.namespace}/${name}: serviceaccount ${JSON.stringify(name)} not found`;

/** Why every Pod has an identity and a token volume that nobody wrote. */
export const serviceAccount = {
  name: "ServiceAccount",
  handles: isPodCreate,

  admit(object, attrs) {
    const pod = object as Pod;
    if (pod.metadata.annotations?.[MIRROR] !== undefined) return pod;
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
    if (pod.metadata.annotations?.[MIRROR] !== undefined) {
      if (pod.spec.serviceAccountName) return forbid(attrs, pod, "a mirror pod may not reference service accounts");
      const token = pod.spec.volumes?.some((v) => v.projected?.sources?.some((s) => s.serviceAccountToken));
      return token ? forbid(attrs, pod, "a mirror pod may not use ServiceAccountToken volume projections") : undefined;
    }
    const name = pod.spec.serviceAccountName ?? "";
    if (name === "") return forbid(attrs, pod, `no service account specified for pod ${attrs.namespace}/${pod.metadata.name ?? ""}`);
    return account(attrs, name) ? undefined : forbid(attrs, pod, missing(attrs, name));
  },
} satisfies AdmissionPlugin;
