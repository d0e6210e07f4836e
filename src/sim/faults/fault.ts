import type { Action, ComponentId, WorldView } from "../kernel/types.ts";
import type { FaultParams } from "../scenarios/recipe.ts";
import type { FaultMessage } from "./messages.ts";

export interface FaultParam {
  readonly name: string;
  readonly label: string;
  /** Its type is the parameter's type. An empty text means "whichever applies". */
  readonly default: string | number | boolean;
  readonly options?: readonly string[];
}

/**
 * Something that goes wrong in the world, never in a manifest. It acts through the simulation's own mechanisms and
 * writes no outcome: what the user sees is what the state machines make of it.
 */
export interface Fault {
  /** "<component>.<what>" */
  readonly id: string;
  readonly title: string;
  readonly group: "API" | "etcd" | "scheduler" | "node" | "image" | "storage" | "network" | "application";
  /** What a user of kubectl would see. */
  readonly symptom: string;
  /** The command that reveals it. */
  readonly command: string;
  readonly fix: string;
  readonly params: readonly FaultParam[];
  /** Name of the parameter that says after how many seconds it ends by itself. */
  readonly lasts?: string;
  /** Without a name it strikes the node of the newest Pod: its announcement says which that was. */
  readonly oneNode?: true;
  /** `params` is complete: every parameter of the list has a value of the default's type. */
  begin(params: FaultParams, view: WorldView): readonly Action[];
  /** What follows of itself so many microseconds after its beginning, unless it is healed before. */
  readonly later?: { after(params: FaultParams): number; act(params: FaultParams, view: WorldView): readonly Action[] };
  /** Heals it. Starting what already runs does nothing. */
  end(params: FaultParams, view: WorldView): readonly Action[];
}

export const text = (params: FaultParams, name: string): string => String(params[name] ?? "");

function deliver(id: string, on: boolean, params: FaultParams, to: ComponentId): Action {
  const message: FaultMessage = { type: "fault", id, on, params };
  return { type: "deliver", to, message, verb: `${id} ${on ? "begins" : "ends"}` };
}

type Targets = (params: FaultParams, view: WorldView) => readonly ComponentId[];

/** The two ends of a fault that acts inside components: they get its message and do the rest themselves. `healed`: who hears of its end, if not the same. */
export function inside(id: string, targets: Targets, healed = targets): Pick<Fault, "begin" | "end"> {
  return {
    begin: (params, view) => targets(params, view).map((to) => deliver(id, true, params, to)),
    end: (params, view) => healed(params, view).map((to) => deliver(id, false, params, to)),
  };
}

/** Components of one kind on every node: "process@worker-node-01", ... */
export const everyNodes = (kind: string) => (_: FaultParams, view: WorldView): readonly ComponentId[] => view.components.filter((id) => id.startsWith(`${kind}@`));

/** Those of the node that the parameter "node" names, or of every node. */
export const onNodes = (kind: string) => (params: FaultParams, view: WorldView): readonly ComponentId[] => everyNodes(kind)(params, view).filter((id) => text(params, "node") === "" || id === `${kind}@${text(params, "node")}`);
