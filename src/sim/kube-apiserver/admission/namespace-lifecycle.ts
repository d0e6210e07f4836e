// Models kubernetes/staging/src/k8s.io/apiserver/pkg/admission/plugin/namespace/lifecycle/admission.go
import { newForbidden, newNotFound } from "../../api/status-errors.ts";
import type { Namespace } from "../../api/types.ts";
import { type AdmissionPlugin, forbid } from "./attributes.ts";

const IMMORTAL = new Set(["default", "kube-system", "kube-public"]);

// Simplified: upstream waits 50 ms for a namespace that its cache does not know, then asks etcd itself; here the cache has the last word.

/** Why nothing can be created in a namespace that does not exist or is being emptied. */
export const namespaceLifecycle = {
  name: "NamespaceLifecycle",
  handles: ({ operation }) => operation !== "CONNECT",

  admit(object, attrs) {
    if (attrs.resource === "namespaces") {
      const immortal = attrs.operation === "DELETE" && IMMORTAL.has(attrs.name);
      return immortal ? newForbidden({ resource: "namespaces" }, attrs.name, "this namespace may not be deleted") : object;
    }
    if (attrs.namespace === "" || attrs.operation === "DELETE" || attrs.group === "authorization.k8s.io") return object;
    const namespace = attrs.lookup("namespaces", "", attrs.namespace) as Namespace | undefined;
    if (!namespace) return newNotFound({ resource: "namespaces" }, attrs.namespace);
    if (attrs.operation !== "CREATE" || namespace.status?.phase !== "Terminating") return object;
    const status = forbid(attrs, object, `unable to create new content in namespace ${attrs.namespace} because it is being terminated`);
    const cause = { reason: "NamespaceTerminating", message: `namespace ${attrs.namespace} is being terminated`, field: "metadata.namespace" };
    return { ...status, details: { ...status.details, causes: [cause] } };
  },
} satisfies AdmissionPlugin;
