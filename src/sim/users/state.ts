import type { Resolving } from "../api/resolver.ts";
import type { Informer } from "../client-go/informer.ts";
import type { MailId, Micros } from "../kernel/types.ts";
import type { Flood } from "./flood.ts";

/** Where a request ended that was not served. */
export type FailureKind = "dns" | "refused" | "unreachable" | "timeout" | "http";

/** What one simulated client of one Service or Ingress is doing and what came of it. */
export interface ClientOfService {
  /** Key of the Service, or "ingress/" and the key of the Ingress. */
  readonly service: string;
  /** Inside: a Pod's network namespace on this node. Outside: through a node's address, or the load balancer's. */
  readonly where: "inside" | "outside";
  readonly node: string;
  /** Pause between two requests. */
  readonly period: Micros;
  readonly requests: number;
  readonly ok: number;
  readonly failed: number;
  readonly failures: Readonly<Partial<Record<FailureKind, number>>>;
  /** "200 from default/nginx" or "connection refused: the rules of worker-node-01 say: default/web has no endpoints". */
  readonly last: string;
  readonly lastOk: boolean;
  /** The last results, newest last: true for one that was served. */
  readonly recent: readonly boolean[];
  /** Every result seen so far: a new one is news, the alternation between Pods is not. */
  readonly seen: readonly string[];
  readonly waiting: MailId;
  readonly resolving?: Resolving;
  readonly timeout: MailId;
  readonly startedAt: Micros;
  readonly phase: "idle" | "dns" | "request";
}

export interface UsersState {
  readonly services: Informer;
  readonly ingresses?: Informer;
  readonly clients: readonly ClientOfService[];
  /** A program that asks the API server far too often. */
  readonly flood?: Flood | undefined;
}

export const replace = (state: UsersState, client: ClientOfService): UsersState => ({ ...state, clients: state.clients.map((entry) => (entry.service === client.service ? client : entry)) });
