// Models kubernetes/staging/src/k8s.io/kubectl/pkg/describe/describe.go (describeHorizontalPodAutoscalerV2, metrics)
interface Value {
  readonly averageUtilization?: number;
  readonly averageValue?: string;
  readonly value?: string;
}
interface Source {
  readonly name?: string;
  readonly container?: string;
  readonly metric?: { readonly name: string };
  readonly describedObject?: { readonly kind: string; readonly name: string };
  readonly target?: Value;
  readonly current?: Value;
}
type Metric = { readonly type: string; readonly resource?: Source; readonly containerResource?: Source; readonly pods?: Source; readonly object?: Source; readonly external?: Source };

const UNKNOWN = "<unknown>";
const same = (a: Source | undefined, b: Source | undefined): boolean => a?.name === b?.name && a?.container === b?.container && a?.metric?.name === b?.metric?.name;

function resource(title: string, source: Source, current: Value | undefined): string {
  if (source.target?.averageValue !== undefined) return `  resource ${title}:\t${current?.averageValue ?? UNKNOWN} / ${source.target.averageValue}\n`;
  const now = current?.averageUtilization === undefined ? UNKNOWN : `${current.averageUtilization}% (${current.averageValue ?? ""})`;
  return `  resource ${title}  (as a percentage of request):\t${now} / ${source.target?.averageUtilization === undefined ? "<auto>" : `${source.target.averageUtilization}%`}\n`;
}

function metric(spec: Metric, currents: readonly Metric[]): string {
  const find = (key: "resource" | "containerResource" | "pods" | "object" | "external"): Value | undefined => currents.find((candidate) => candidate.type === spec.type && same(candidate[key], spec[key]))?.[key]?.current;
  const { resource: own, containerResource, pods, object, external } = spec;
  if (own) return resource(`${own.name ?? ""} on pods`, own, find("resource"));
  if (containerResource) return resource(`${containerResource.name ?? ""} of container "${containerResource.container ?? ""}" on pods`, containerResource, find("containerResource"));
  if (pods) return `  "${pods.metric?.name ?? ""}" on pods:\t${find("pods")?.averageValue ?? UNKNOWN} / ${pods.target?.averageValue ?? ""}\n`;
  if (object) return `  "${object.metric?.name ?? ""}" on ${object.describedObject?.kind ?? ""}/${object.describedObject?.name ?? ""} (target ${object.target?.averageValue === undefined ? "value" : "average value"}):\t${find("object")?.averageValue ?? find("object")?.value ?? UNKNOWN} / ${object.target?.averageValue ?? object.target?.value ?? ""}\n`;
  if (external) return `  "${external.metric?.name ?? ""}" (target ${external.target?.averageValue === undefined ? "value" : "average value"}):\t${find("external")?.averageValue ?? find("external")?.value ?? UNKNOWN} / ${external.target?.averageValue ?? external.target?.value ?? ""}\n`;
  return `  <unknown metric type>\n`;
}

/** What an autoscaler aims at and where it is. */
export const metricsText = (specs: unknown, currents: unknown): string => `Metrics:\t( current / target )\n${((specs ?? []) as readonly Metric[]).map((spec) => metric(spec, (currents ?? []) as readonly Metric[])).join("")}`;
