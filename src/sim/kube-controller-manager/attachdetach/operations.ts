// Models kubernetes/pkg/volume/csi/csi_attacher.go (waitForVolumeAttachDetachStatusWithLister) and pkg/util/goroutinemap/exponentialbackoff
import type { VolumeAttachment } from "../../api/storage.ts";
import type { Micros } from "../../kernel/types.ts";
import type { Attachment, Operation } from "./state.ts";

/** The first pause between two looks at the VolumeAttachment; each is a twentieth longer, with up to a tenth of jitter, at most 7 s. */
const FIRST_LOOK: Micros = 500_000;
const LAST_LOOK: Micros = 7_000_000;
/** How long the controller waits for the driver's attacher. */
const TIMEOUT: Micros = 120_000_000;
const FIRST_RETRY: Micros = 500_000;
const LAST_RETRY: Micros = 122_000_000;

function pause(looks: number, jitter: number): Micros {
  let wait = FIRST_LOOK;
  for (let i = 0; i < looks && wait < LAST_LOOK; i++) wait += Math.floor(wait / 20);
  wait = Math.min(wait, LAST_LOOK);
  return wait + Math.floor((wait * (jitter % 1000)) / 10_000);
}

export const beginWait = (kind: Operation["kind"], now: Micros, jitter: number): Operation => ({ kind, since: now, looks: 1, at: now + pause(0, jitter) });

export const waitOn = (operation: Operation, now: Micros, jitter: number): Operation => ({ ...operation, looks: operation.looks + 1, at: Math.min(now + pause(operation.looks, jitter), operation.since + TIMEOUT) });

/** What one look says: nothing yet, done, or the error that ends the operation. */
export function lookAt(operation: Operation, attachment: VolumeAttachment | undefined, driver: string, handle: string, now: Micros): "waiting" | "done" | { readonly error: string } {
  if (operation.kind === "detach") {
    if (attachment === undefined) return "done";
    const refused = attachment.status?.detachError;
    if (refused) return { error: refused.message ?? "" };
  } else if (attachment !== undefined) {
    if (attachment.metadata.deletionTimestamp !== undefined) return { error: "volume attachment is being deleted" };
    if (attachment.status?.attached === true) return "done";
    const refused = attachment.status?.attachError;
    if (refused) return { error: refused.message ?? "" };
  }
  if (now < operation.since + TIMEOUT) return "waiting";
  return { error: `timed out waiting for external-attacher of ${operation.kind === "detach" ? "unknown" : driver} CSI driver to ${operation.kind} volume ${handle}` };
}

/** The same operation is not tried again before a time that doubles with each failure. */
export function failedAgain(old: Attachment["failed"], kind: Operation["kind"], now: Micros): NonNullable<Attachment["failed"]> {
  return { kind, at: now, wait: old?.kind === kind ? Math.min(old.wait * 2, LAST_RETRY) : FIRST_RETRY };
}

/** How long the operation must not be tried yet; 0 when it may. */
export const backoffOf = ({ failed }: Attachment, kind: Operation["kind"], now: Micros): Micros => (failed?.kind === kind ? Math.max(0, failed.at + failed.wait - now) : 0);
