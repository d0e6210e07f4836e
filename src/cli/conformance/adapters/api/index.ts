import type { Adapter } from "../../adapter.ts";
import { printerStatusColumn } from "./printer-status-column.ts";
import { imagePullPolicy, limitRangeQuota, podDefaulting, podValidationError, priorityAdmission, qosClass } from "./requests.ts";
import { humanDurationAdapter, labelSelector, nameValidation, resourceQuantity } from "./values.ts";

/** Every kind of shared/conformance/api.json. */
export const apiAdapters: readonly Adapter[] = [
  humanDurationAdapter, imagePullPolicy, labelSelector, limitRangeQuota, nameValidation, podDefaulting, podValidationError, printerStatusColumn, priorityAdmission, qosClass, resourceQuantity,
];
