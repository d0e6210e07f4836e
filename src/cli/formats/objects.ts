import { printYaml, stripManaged } from "../../sim/kubectl/yaml.ts";
import type { TraceIndex } from "../../trace/trace-index.ts";

/** All that the store holds at a time, as a List. */
export function objectList(index: TraceIndex, at: number): unknown {
  return { apiVersion: "v1", items: index.objectsAt("/registry/", at).map((version) => stripManaged(version.object)), kind: "List", metadata: { resourceVersion: "" } };
}

/** As `kubectl get -o yaml` prints. */
export const yamlText = printYaml;
