// Models kubernetes/pkg/controller/garbagecollector/uid_cache.go
import type { Identity } from "./identity.ts";
import { identityText } from "./identity.ts";

/** Owners that the server said it does not have, the one asked for last at the end. */
export type AbsentOwners = readonly string[];

const SIZE = 500;

export function addAbsent(absent: AbsentOwners, owner: Identity): AbsentOwners {
  const key = identityText(owner);
  const rest = absent.includes(key) ? absent.filter((entry) => entry !== key) : absent;
  return [...(rest.length >= SIZE ? rest.slice(1) : rest), key];
}

/** Whether an owner is known to be absent. Asking makes it the newest, as upstream's least-recently-used cache has it. */
export function askAbsent(absent: AbsentOwners, owner: Identity): AbsentOwners | undefined {
  return absent.includes(identityText(owner)) ? addAbsent(absent, owner) : undefined;
}
