// Models kubernetes/pkg/scheduler/framework/plugins/dynamicresources/dynamicresources.go
import { type AllocationResult, claimNameOf, isReservedFor, notForPod, type ResourceClaim } from "../../api/resource-claims.ts";
import type { Pod } from "../../api/types.ts";
import type { ClaimForPod } from "../decision.ts";
import { allocate, AllocationError, type Supply } from "../dra/allocator.ts";
import { deviceId } from "../dra/pools.ts";
import { type Cycle, defaultNormalize, failed, type Plugin, skip, type StateKey, type Status, success, unresolvable, unschedulable } from "../framework.ts";
import { getFrom, type Listers } from "../listers.ts";
import { namespaceOf, type NodeInfo } from "../node-info.ts";
import { nodeTermsMatch } from "../node-selector.ts";
import { getNode } from "../snapshot.ts";

/** FirstAvailableDeviceRequestMaxSize: the first alternative of a request is worth so much. */
const MAX_ALTERNATIVES = 8;
const NOT_AVAILABLE = "resourceclaim not available on the node";

/** What a claim without devices can have on one node; undefined if not all claims can be met. */
type Given = readonly AllocationResult[] | undefined | AllocationError;

interface ClaimState {
  readonly claims: readonly ResourceClaim[];
  readonly toAllocate: readonly ResourceClaim[];
  readonly supply: Supply;
  /** By node: the search is done once, as nothing that it looks at changes during a cycle. */
  readonly given: Map<string, Given>;
}

const stateKey: StateKey<ClaimState> = { name: "DynamicResources" };
const NO_CLAIMS: ClaimState = { claims: [], toAllocate: [], supply: { slices: [], classes: [], inUse: new Set() }, given: new Map() };

const keyOf = ({ metadata: { namespace = "", name = "" } }: ResourceClaim): string => `${namespace}/${name}`;

/** foreachPodResourceClaim: the claims of a Pod, or why they are not all there yet. */
export function claimsOf(pod: Pod, listers: Listers): readonly ResourceClaim[] | string {
  const claims: ResourceClaim[] = [];
  for (const entry of pod.spec.resourceClaims ?? []) {
    const ref = claimNameOf(pod, entry);
    if ("error" in ref) return ref.error;
    if (ref.name === null) continue;
    const claim = getFrom(listers.resourceClaims, namespaceOf(pod), ref.name);
    if (!claim) return `could not find ResourceClaim "${namespaceOf(pod)}/${ref.name}"`;
    if (claim.metadata.deletionTimestamp) return `resourceclaim "${ref.name}" is being deleted`;
    const foreign = ref.made ? notForPod(pod, claim) : undefined;
    if (foreign !== undefined) return foreign;
    claims.push(claim);
  }
  return claims;
}

function missingClass(claim: ResourceClaim, { deviceClasses }: Listers): Status | undefined {
  for (const request of claim.spec.devices?.requests ?? []) {
    const bodies = request.exactly ? [{ name: request.name, of: request.exactly.deviceClassName }] : (request.firstAvailable ?? []).map((sub) => ({ name: `${request.name}/${sub.name}`, of: sub.deviceClassName }));
    if (bodies.length === 0) return unresolvable(`resource claim ${keyOf(claim)}, request ${request.name}: unknown request type`);
    const missing = bodies.find((body) => !getFrom(deviceClasses, "", body.of));
    if (missing) return unresolvable(`request ${missing.name}: device class ${missing.of} does not exist`);
  }
  return undefined;
}

function problem(pod: Pod, claims: readonly ResourceClaim[], listers: Listers): Status | undefined {
  for (const claim of claims) {
    // A claim with devices can be shared by up to 256 Pods.
    if (claim.status?.allocation) {
      if ((claim.status.reservedFor ?? []).length >= 256 && !isReservedFor(claim, pod.metadata.uid)) return unresolvable("resourceclaim in use");
      continue;
    }
    if (listers.pendingClaims.some((pending) => pending.metadata.uid === claim.metadata.uid)) return unresolvable(`resource claim ${keyOf(claim)} is in the process of being allocated`);
    const missing = missingClass(claim, listers);
    if (missing) return missing;
  }
  return undefined;
}

/** ListAllAllocatedDevices: those that no other claim can have, be it written or only decided; admin access takes nothing. */
const devicesInUse = ({ resourceClaims, pendingClaims }: Listers): ReadonlySet<string> =>
  new Set([...resourceClaims, ...pendingClaims].flatMap((claim) => (claim.status?.allocation?.devices.results ?? []).filter((result) => !result.adminAccess).map(deviceId)));

function givenOn(state: ClaimState, { name, node }: NodeInfo): Given {
  const known = state.given.get(name);
  if (known || state.given.has(name)) return known;
  let given: Given;
  try {
    given = allocate(state.toAllocate, node, state.supply);
  } catch (error) {
    if (!(error instanceof AllocationError)) throw error;
    given = error;
  }
  state.given.set(name, given);
  return given;
}

const isOutOfReach = (claim: ResourceClaim, { node }: NodeInfo): boolean => {
  const selector = claim.status?.allocation?.nodeSelector;
  return selector !== undefined && !nodeTermsMatch(selector.nodeSelectorTerms ?? [], node);
};

/** All claims of the Pod with what they get on the node; none for a Pod without claims. */
export function claimsOn({ state, snapshot }: Cycle, nodeName: string): readonly ClaimForPod[] {
  const { claims, toAllocate, ...rest } = state.read(stateKey) ?? NO_CLAIMS;
  const node = getNode(snapshot, nodeName);
  if (claims.length === 0 || !node) return [];
  const given = givenOn({ claims, toAllocate, ...rest }, node);
  return claims.map((claim) => ({ claim, allocation: (Array.isArray(given) ? (given as readonly AllocationResult[])[toAllocate.indexOf(claim)] : undefined) ?? null }));
}

/** computeScore: which alternative of each request was taken. */
function preferred(claims: readonly ClaimForPod[]): { readonly raw: number; readonly terms: readonly string[] } {
  let raw = 0;
  const terms: string[] = [];
  for (const { claim, allocation } of claims) {
    const results = (allocation ?? claim.status?.allocation)?.devices.results ?? [];
    for (const request of claim.spec.devices?.requests ?? []) {
      for (const [i, sub] of (request.firstAvailable ?? []).entries()) {
        if (!results.some((result) => result.request === `${request.name}/${sub.name}`)) continue;
        raw += MAX_ALTERNATIVES - i;
        terms.push(`${request.name}/${sub.name}: ${MAX_ALTERNATIVES} - ${i}`);
      }
    }
  }
  return { raw, terms };
}

// Simplified: upstream also makes claims for extended resources of a DeviceClass, and waits for devices' binding conditions.
/** Claims for devices: each gets them from the ResourceSlices of drivers, at the latest when the Pod gets its node. */
export const dynamicResources = {
  name: "DynamicResources",
  also: ["reserve", "preBind"],

  preEnqueue(pod, { listers }) {
    const claims = claimsOf(pod, listers);
    return typeof claims === "string" ? unresolvable(claims) : success;
  },

  preFilter({ pod, state, snapshot: { listers } }) {
    state.write(stateKey, NO_CLAIMS);
    const claims = claimsOf(pod, listers);
    if (typeof claims === "string") return { status: unresolvable(claims) };
    if (claims.length === 0) return { status: skip };
    const status = problem(pod, claims, listers);
    if (status) return { status };
    const supply = { slices: listers.resourceSlices, classes: listers.deviceClasses, inUse: devicesInUse(listers) };
    state.write(stateKey, { claims, toAllocate: claims.filter((claim) => !claim.status?.allocation), supply, given: new Map() });
    return { status: success };
  },

  filter({ state }, node): Status {
    const own = state.read(stateKey) ?? NO_CLAIMS;
    const given = own.toAllocate.length > 0 ? givenOn(own, node) : [];
    if (given instanceof AllocationError) return given.isOfNode ? unresolvable(given.message) : failed(given.message);
    if (!given) return unresolvable("cannot allocate all claims");
    return own.claims.some((claim) => isOutOfReach(claim, node)) ? unresolvable(NOT_AVAILABLE) : success;
  },

  // If an earlier plugin's PreFilter rejected the Pod, this one's never ran and its state is missing: upstream then
  // shows the error of the failed read to the user.
  postFilter({ pod, state, snapshot }, statuses) {
    const own = state.read(stateKey);
    if (!own) return { status: failed("not found") };
    if (own.claims.length === 0) return { status: unschedulable("no new claims to deallocate") };
    const refusing = [...statuses.byNode].flatMap(([name, status]) => (status.plugin === "DynamicResources" && status.reasons[0] === NOT_AVAILABLE ? (getNode(snapshot, name) ?? []) : []));
    const claim = own.claims.find((c) => refusing.some((node) => isOutOfReach(c, node)) && (c.status?.reservedFor ?? []).every((consumer, _, { length }) => length === 1 && consumer.uid === pod.metadata.uid));
    return claim ? { status: unschedulable("deallocation of ResourceClaim completed"), deallocates: claim } : { status: unschedulable("still not schedulable") };
  },

  preScore: () => success,

  score(cycle, { name }) {
    const { raw, terms } = preferred(claimsOn(cycle, name));
    return { raw, formula: terms.length > 0 ? terms.join(" + ") : "no claims with alternatives: 0", inputs: {} };
  },

  normalize: (_cycle, _nodes, raw) => defaultNormalize(raw, false),
} satisfies Plugin;
