// Models kubernetes/staging/src/k8s.io/dynamic-resource-allocation/structured/internal/incubating/allocator_incubating.go
import type { AllocatedDevice, AllocationResult, Device, DeviceAttribute, DeviceClass, DeviceConstraint, DeviceRequestBody, DeviceTaint, DeviceToleration, NodeSelector, ResourceClaim, ResourceSlice } from "../../api/resource-claims.ts";
import type { Node } from "../../api/types.ts";
import { deviceId, gatherPools, type Offer, type Pool } from "./pools.ts";
import { selectorsMatch } from "./selectors.ts";

/** A claim cannot have more devices than this. */
const MAX_DEVICES = 32;

/** The search is given up after so many tries. */
// Simplified: upstream gives it 10 s for each node (filterTimeout).
const MAX_TRIES = 100_000;

/** Why nothing can be allocated; `isOfNode` if other nodes may do, else it ends the scheduling cycle. */
export class AllocationError extends Error {
  readonly isOfNode: boolean;

  constructor(text: string, isOfNode = false) {
    super(text);
    this.isOfNode = isOfNode;
  }
}

/** One alternative of a request, with its class. */
interface Asked {
  readonly name: string;
  readonly body: DeviceRequestBody;
  readonly deviceClass: DeviceClass;
  /** Every device it can have, for allocationMode All. */
  readonly all: readonly Offer[] | undefined;
}

interface Taken {
  readonly asked: Asked;
  readonly offer: Offer;
}

const claimName = ({ metadata: { namespace = "", name = "" } }: ResourceClaim): string => `${namespace}/${name}`;

const tolerates = (toleration: DeviceToleration, taint: DeviceTaint): boolean =>
  (!toleration.effect || toleration.effect === taint.effect) && (!toleration.key || toleration.key === taint.key) && (toleration.operator === "Exists" || (toleration.value ?? "") === (taint.value ?? ""));

const isTainted = (device: Device, tolerations: readonly DeviceToleration[]): boolean => (device.taints ?? []).some((taint) => (taint.effect === "NoSchedule" || taint.effect === "NoExecute") && !tolerations.some((t) => tolerates(t, taint)));

/** lookupAttribute: by its full name, or by its short one if the driver's domain is meant. */
function attributeOf({ driver, device }: Offer, name: string): DeviceAttribute | undefined {
  const [domain, short = ""] = [name.slice(0, name.indexOf("/")), name.slice(name.indexOf("/") + 1)];
  return device.attributes?.[name] ?? (domain === driver ? device.attributes?.[short] : undefined);
}

const attributeText = (attribute: DeviceAttribute): string => JSON.stringify([attribute.string ?? null, attribute.int ?? null, attribute.bool ?? null, attribute.version ?? null]);

const concerns = ({ requests = [] }: DeviceConstraint, name: string): boolean => requests.length === 0 || requests.includes(name) || requests.includes(name.split("/")[0] ?? "");

/** Would the devices of a claim with one more still have that attribute all alike, or all different? */
function satisfies(constraint: DeviceConstraint, taken: readonly Taken[], next: Taken): boolean {
  if (!concerns(constraint, next.asked.name)) return true;
  const name = constraint.matchAttribute ?? constraint.distinctAttribute ?? "";
  const mine = attributeOf(next.offer, name);
  if (!mine) return false;
  const others = taken.filter((t) => concerns(constraint, t.asked.name)).map((t) => attributeText(attributeOf(t.offer, name) ?? {}));
  return constraint.matchAttribute === undefined ? !others.includes(attributeText(mine)) : others.every((text) => text === attributeText(mine));
}

/** What all claims of a Pod can have on one node. */
class Allocation {
  private readonly pools: readonly Pool[];
  private readonly claims: readonly ResourceClaim[];
  private readonly inUse: ReadonlySet<string>;
  private readonly classes: readonly DeviceClass[];
  private readonly taken: Taken[][];
  private readonly nodeName: string;
  private tries = 0;
  /** By claim and request: its alternatives. */
  private readonly asked: readonly (readonly (readonly Asked[])[])[];

  constructor(nodeName: string, pools: readonly Pool[], claims: readonly ResourceClaim[], inUse: ReadonlySet<string>, classes: readonly DeviceClass[]) {
    this.nodeName = nodeName;
    this.pools = pools;
    this.claims = claims;
    this.inUse = inUse;
    this.classes = classes;
    this.taken = claims.map(() => []);
    this.asked = claims.map((claim) => (claim.spec.devices?.requests ?? []).map((request) => (request.exactly ? [this.prepare(claim, request.name, request.exactly)] : (request.firstAvailable ?? []).map((sub) => this.prepare(claim, `${request.name}/${sub.name}`, sub)))));
  }

  /** No claim may ask for more devices than it can have. */
  private checkSizes(): void {
    for (const [c, claim] of this.claims.entries()) {
      const sizes = (this.asked[c] ?? []).map((alternatives) => Math.min(...alternatives.map(({ all, body }) => all?.length ?? body.count ?? 1)));
      const fewest = sizes.reduce((sum, size) => sum + size, 0);
      if (fewest > MAX_DEVICES) throw new AllocationError(`claim ${claimName(claim)}: number of requested devices ${fewest} exceeds the claim limit of ${MAX_DEVICES}`);
    }
  }

  private prepare(claim: ResourceClaim, name: string, body: DeviceRequestBody): Asked {
    const where = `claim ${claimName(claim)}, request ${name.split("/").at(-1) ?? ""}`;
    const deviceClass = this.classes.find((c) => c.metadata.name === body.deviceClassName);
    if (!deviceClass) throw new AllocationError(`${where}: could not retrieve device class ${body.deviceClassName}: deviceclass.resource.k8s.io "${body.deviceClassName}" not found`);
    const asked: Asked = { name, body, deviceClass, all: undefined };
    if (body.allocationMode !== "All") return asked;
    const broken = this.pools.find((pool) => pool.incomplete || pool.invalid);
    if (broken) throw new AllocationError(`${where}: asks for all devices, but resource pool ${broken.id} is currently ${broken.incomplete ? "being updated" : "invalid"}`);
    return { ...asked, all: this.pools.flatMap((pool) => pool.offers.filter((offer) => this.isSelectable(claim, asked, offer))) };
  }

  private isSelectable(claim: ResourceClaim, { body, deviceClass }: Asked, offer: Offer): boolean {
    const byClass = selectorsMatch(deviceClass.spec.selectors ?? [], offer);
    if (typeof byClass === "object") throw new AllocationError(`class ${deviceClass.metadata.name ?? ""}: selector #${byClass.at}: ${byClass.error}`);
    if (!byClass) return false;
    const byRequest = selectorsMatch(body.selectors ?? [], offer);
    if (typeof byRequest === "object") throw new AllocationError(`claim ${claimName(claim)}: selector #${byRequest.at}: ${byRequest.error}`);
    return byRequest;
  }

  /** Tries a device for the request; true if all that comes after it can be met too. */
  private take(c: number, asked: Asked, offer: Offer, then: () => boolean): boolean {
    this.tries += 1;
    if (this.tries > MAX_TRIES) throw new AllocationError(`node ${this.nodeName}: timed out trying to allocate devices`);
    const id = deviceId({ driver: offer.driver, pool: offer.pool, device: offer.device.name });
    const mine = this.taken[c] ?? [];
    const has = (list: readonly Taken[]): boolean => list.some((t) => deviceId({ driver: t.offer.driver, pool: t.offer.pool, device: t.offer.device.name }) === id);
    if (asked.body.adminAccess ? has(mine) : this.inUse.has(id) || this.taken.some(has)) return false;
    if (isTainted(offer.device, asked.body.tolerations ?? [])) return false;
    const next = { asked, offer };
    if (!(this.claims[c]?.spec.devices?.constraints ?? []).every((constraint) => satisfies(constraint, mine, next))) return false;
    mine.push(next);
    if (then()) return true;
    mine.pop();
    return false;
  }

  private devices(c: number, asked: Asked, at: number, then: () => boolean): boolean {
    const wanted = asked.all?.length ?? asked.body.count ?? 1;
    if (at >= wanted) return asked.all?.length !== 0 && then();
    if ((this.taken[c]?.length ?? 0) + wanted - at > MAX_DEVICES) return false;
    const next = (): boolean => this.devices(c, asked, at + 1, then);
    const only = asked.all?.[at];
    if (only) return this.take(c, asked, only, next);
    const claim = this.claims[c];
    return claim !== undefined && this.pools.some((pool) => !pool.incomplete && !pool.invalid && pool.offers.some((offer) => this.isSelectable(claim, asked, offer) && this.take(c, asked, offer, next)));
  }

  private requests(c: number, r: number): boolean {
    if (c >= this.claims.length) return true;
    const alternatives = this.asked[c]?.[r];
    if (!alternatives) return this.requests(c + 1, 0);
    return alternatives.some((asked) => this.devices(c, asked, 0, () => this.requests(c, r + 1)));
  }

  run(): readonly (readonly Taken[])[] | undefined {
    this.checkSizes();
    if (this.requests(0, 0)) return this.taken;
    if (this.pools.some((pool) => pool.invalid)) throw new AllocationError("invalid resource pools were encountered", true);
    return undefined;
  }
}

/** createNodeSelector: where the devices can be reached from. */
function selectorOf(taken: readonly Taken[]): NodeSelector | undefined {
  const fields: NonNullable<NonNullable<NodeSelector["nodeSelectorTerms"]>[number]["matchFields"]>[number][] = [];
  const expressions: typeof fields = [];
  for (const { offer } of taken) {
    const { nodeName, nodeSelector } = offer.slice.spec.perDeviceNodeSelection ? offer.device : offer.slice.spec;
    if (nodeName) return { nodeSelectorTerms: [{ matchFields: [{ key: "metadata.name", operator: "In", values: [nodeName] }] }] };
    const [term] = nodeSelector?.nodeSelectorTerms ?? [];
    const add = (list: typeof fields, from: typeof fields = []): void => void list.push(...from.filter((f) => !list.some((known) => JSON.stringify(known) === JSON.stringify(f))));
    add(fields, [...(term?.matchFields ?? [])]);
    add(expressions, [...(term?.matchExpressions ?? [])]);
  }
  if (fields.length + expressions.length === 0) return undefined;
  return { nodeSelectorTerms: [{ ...(expressions.length > 0 ? { matchExpressions: expressions } : {}), ...(fields.length > 0 ? { matchFields: fields } : {}) }] };
}

function resultOf(claim: ResourceClaim, taken: readonly Taken[]): AllocationResult {
  const results = taken.map(({ asked, offer }): AllocatedDevice => ({ request: asked.name, driver: offer.driver, pool: offer.pool, device: offer.device.name, ...(asked.body.adminAccess ? { adminAccess: true } : {}), ...(asked.body.tolerations ? { tolerations: asked.body.tolerations } : {}) }));
  const chosen = [...new Map(taken.map(({ asked }) => [asked.name, asked])).values()];
  const classes = [...new Map(chosen.map((asked) => [asked.deviceClass.metadata.name, asked.deviceClass])).values()];
  const fromClasses = classes.flatMap((c) => (c.spec.config ?? []).map((config) => ({ source: "FromClass", requests: chosen.filter((asked) => asked.deviceClass === c).map((asked) => asked.name), ...config })));
  const fromClaim = (claim.spec.devices?.config ?? []).filter(({ requests = [] }) => requests.length === 0 || chosen.some(({ name }) => requests.includes(name) || requests.includes(name.split("/")[0] ?? ""))).map((config) => ({ source: "FromClaim", ...config }));
  const config = [...fromClasses, ...fromClaim];
  const nodeSelector = selectorOf(taken);
  return { devices: { results, ...(config.length > 0 ? { config } : {}) }, ...(nodeSelector ? { nodeSelector } : {}) };
}

export interface Supply {
  readonly slices: readonly ResourceSlice[];
  readonly classes: readonly DeviceClass[];
  /** Ids of devices that other claims have. */
  readonly inUse: ReadonlySet<string>;
}

/** Allocate: what each claim gets on the node; undefined if not all of them can be met there. Throws AllocationError. */
// Simplified: upstream also shares devices by consumable capacity, and waits for binding conditions.
export function allocate(claims: readonly ResourceClaim[], node: Node, { slices, classes, inUse }: Supply): readonly AllocationResult[] | undefined {
  const taken = new Allocation(node.metadata.name ?? "", gatherPools(slices, node), claims, inUse, classes).run();
  return taken?.map((devices, i) => resultOf(claims[i] as ResourceClaim, devices));
}
