// Models kubernetes/pkg/api/pod/warnings.go and pkg/api/nodeselector: what is accepted and still worth a word
import type { Container, KubeObject, PodSpec } from "../../api/types.ts";

/** Node labels that have another name today. */
const OLD_LABELS: Readonly<Record<string, string>> = {
  "beta.kubernetes.io/arch": 'deprecated since v1.14; use "kubernetes.io/arch" instead', "beta.kubernetes.io/os": 'deprecated since v1.14; use "kubernetes.io/os" instead',
  "failure-domain.beta.kubernetes.io/region": 'deprecated since v1.17; use "topology.kubernetes.io/region" instead', "failure-domain.beta.kubernetes.io/zone": 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
  "beta.kubernetes.io/instance-type": 'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
};

interface Term {
  readonly matchExpressions?: readonly { readonly key: string }[];
}

function terms(path: string, all: readonly Term[]): string[] {
  return all.flatMap(({ matchExpressions = [] }, i) => matchExpressions.flatMap(({ key }, j) => (OLD_LABELS[key] === undefined ? [] : [`${path}[${i}].matchExpressions[${j}].key: ${key} is ${OLD_LABELS[key]}`])));
}

function environment(path: string, { env = [] }: Container): string[] {
  if (env.length < 2) return [];
  return env.flatMap(({ name }, i) => (env.findIndex((other) => other.name === name) < i ? [`${path}.env[${i}]: hides previous definition of ${JSON.stringify(name)}, which may be dropped when using apply`] : []));
}

/** Warnings about a Pod spec that stands at `path` ("spec", "spec.template.spec"). */
function specWarnings(path: string, spec: PodSpec): string[] {
  const affinity = (spec.affinity as { readonly nodeAffinity?: { readonly requiredDuringSchedulingIgnoredDuringExecution?: { readonly nodeSelectorTerms?: readonly Term[] }; readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly { readonly preference?: Term }[] } } | undefined)?.nodeAffinity;
  const preferred = (affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).flatMap(({ preference = {} }, i) => terms("", [preference]).map((text) => `${path}.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[${i}].preference${text.slice("[0]".length)}`));
  const spread = (spec.topologySpreadConstraints ?? []).flatMap(({ topologyKey }, i) => (OLD_LABELS[topologyKey] === undefined ? [] : [`${path}.topologySpreadConstraints[${i}].topologyKey: ${topologyKey} is ${OLD_LABELS[topologyKey]}`]));
  const volumes = (spec.volumes ?? []).flatMap((volume) => {
    const { projected } = volume as { readonly projected?: { readonly sources?: readonly object[] } };
    const empty = projected !== undefined && (projected.sources ?? []).every((source) => Object.keys(source).every((key) => key === "podCertificate"));
    return empty ? [`volume ${JSON.stringify(volume.name)} (Projected) has no sources provided`] : [];
  });
  return [
    ...Object.keys(spec.nodeSelector ?? {}).sort().flatMap((key) => (OLD_LABELS[key] === undefined ? [] : [`${path}.nodeSelector[${key}]: ${OLD_LABELS[key]}`])),
    ...terms(`${path}.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms`, affinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? []), ...preferred, ...spread, ...volumes,
    ...(spec.initContainers ?? []).flatMap((container, i) => environment(`${path}.initContainers[${i}]`, container)), ...spec.containers.flatMap((container, i) => environment(`${path}.containers[${i}]`, container)),
  ];
}

/** Warnings about the Pod spec of a Pod or of a workload's template; none for other kinds. */
export function podWarnings(object: KubeObject): readonly string[] {
  if (object.kind === "Pod") return specWarnings("spec", object.spec as PodSpec);
  const { template } = (object.spec ?? {}) as { readonly template?: { readonly spec?: PodSpec } };
  return template?.spec?.containers === undefined ? [] : specWarnings("spec.template.spec", template.spec);
}
