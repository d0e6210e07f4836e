// Models kubernetes/pkg/scheduler/framework/plugins/defaultbinder/default_binder.go
import type { Binding, Pod } from "../../api/types.ts";
import type { Plugin } from "../framework.ts";
import { namespaceOf } from "../node-info.ts";

/** The body of POST pods/NAME/binding: all that the scheduler ever tells anyone about its choice. */
export function bindingFor(pod: Pod, node: string): Binding {
  const { name, uid } = pod.metadata;
  return {
    apiVersion: "v1",
    kind: "Binding",
    metadata: { ...(name === undefined ? {} : { name }), namespace: namespaceOf(pod), ...(uid === undefined ? {} : { uid }) },
    target: { kind: "Node", name: node },
  };
}

export const defaultBinder = { name: "DefaultBinder", also: ["bind"] } satisfies Plugin;
