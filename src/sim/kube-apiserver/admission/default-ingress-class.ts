// Models kubernetes/plugin/pkg/admission/network/defaultingressclass/admission.go
import type { AdmissionPlugin } from "./attributes.ts";
import { creates, newestDefault, specOf } from "./default-class.ts";

const DEFAULT_INGRESS_CLASS = "ingressclass.kubernetes.io/is-default-class";

/** An Ingress that names no class gets the default one. */
export const defaultIngressClass = {
  name: "DefaultIngressClass",
  handles: creates("ingresses"),
  admit(object, attrs) {
    const spec = specOf(object);
    if (spec["ingressClassName"] !== undefined || object.metadata.annotations?.["kubernetes.io/ingress.class"] !== undefined) return object;
    const name = newestDefault(attrs.list("ingressclasses", ""), [DEFAULT_INGRESS_CLASS]);
    return name === undefined ? object : { ...object, spec: { ...spec, ingressClassName: name } };
  },
} satisfies AdmissionPlugin;
