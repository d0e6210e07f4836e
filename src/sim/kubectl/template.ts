// Models kubernetes/staging/src/k8s.io/kubectl/pkg/polymorphichelpers: the Pod template of any kind
import type { Container, KubeObject, PodSpec } from "../api/types.ts";

export interface PodTemplate {
  readonly metadata?: { readonly labels?: Readonly<Record<string, string>>; readonly annotations?: Readonly<Record<string, string>> };
  readonly spec: PodSpec;
}
type WithTemplate = { readonly template?: PodTemplate; readonly jobTemplate?: { readonly spec: { readonly template: PodTemplate } } };

/** The Pod template, for a Pod itself as well; undefined for kinds that have none. */
export function templateOf(object: KubeObject): PodTemplate | undefined {
  if (object.kind === "Pod") return { metadata: object.metadata, spec: object.spec as PodSpec };
  const spec = object.spec as WithTemplate | undefined;
  return spec?.template ?? spec?.jobTemplate?.spec.template;
}

/** The object with another Pod spec. */
export function withPodSpec(object: KubeObject, change: (spec: PodSpec) => PodSpec): KubeObject {
  if (object.kind === "Pod") return { ...object, spec: change(object.spec as PodSpec) };
  const spec = object.spec as WithTemplate;
  if (spec.template) return { ...object, spec: { ...spec, template: { ...spec.template, spec: change(spec.template.spec) } } };
  const { jobTemplate } = spec;
  if (jobTemplate === undefined) return object;
  return { ...object, spec: { ...spec, jobTemplate: { ...jobTemplate, spec: { ...jobTemplate.spec, template: { ...jobTemplate.spec.template, spec: change(jobTemplate.spec.template.spec) } } } } };
}

/** The object with changed containers; init containers too. */
export function withContainers(object: KubeObject, change: (container: Container) => Container): KubeObject {
  return withPodSpec(object, (spec) => ({ ...spec, ...(spec.initContainers === undefined ? {} : { initContainers: spec.initContainers.map(change) }), containers: spec.containers.map(change) }));
}
