// Models kubernetes/plugin/pkg/admission/defaulttolerationseconds/admission.go
import type { Pod, Toleration } from "../../api/types.ts";
import type { AdmissionPlugin } from "./attributes.ts";

// Upstream default of --default-not-ready-toleration-seconds and --default-unreachable-toleration-seconds.
const TOLERATION_SECONDS = 300;
const TAINT_KEYS = ["node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"];

/** Why a Pod survives five minutes on a dead node: nobody wrote these tolerations, this step added them. */
export const defaultTolerationSeconds = {
  name: "DefaultTolerationSeconds",
  handles: ({ group, resource, subresource, operation }) => group === "" && resource === "pods" && subresource === "" && (operation === "CREATE" || operation === "UPDATE"),

  admit(object) {
    const pod = object as Pod;
    const tolerations = pod.spec.tolerations ?? [];
    const tolerated = (key: string): boolean => tolerations.some((t) => (!t.key || t.key === key) && (!t.effect || t.effect === "NoExecute"));
    const missing = TAINT_KEYS.filter((key) => !tolerated(key));
    if (missing.length === 0) return pod;
    const added = missing.map((key): Toleration => ({ key, operator: "Exists", effect: "NoExecute", tolerationSeconds: TOLERATION_SECONDS }));
    return { ...pod, spec: { ...pod.spec, tolerations: [...tolerations, ...added] } };
  },
} satisfies AdmissionPlugin;
