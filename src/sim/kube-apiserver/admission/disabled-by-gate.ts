// Models kubernetes/plugin/pkg/admission/{scheduling/podgroupprotection,podgroup,job}: loaded by default, idle until their alpha gates are on
import type { AdmissionPlugin } from "./attributes.ts";

const idle = (name: string): AdmissionPlugin => ({ name, handles: () => false });

/** Gate GenericWorkload, off in v1.36. */
export const podGroupProtection = idle("PodGroupProtection");
export const podGroupWorkloadExists = idle("PodGroupWorkloadExists");
/** Gate WorkloadWithJob, off in v1.36. */
export const jobValidation = idle("JobValidation");
