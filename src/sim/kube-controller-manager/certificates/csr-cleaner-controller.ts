// Models kubernetes/pkg/controller/certificates/cleaner/cleaner.go
import { base64Decode } from "../../api/base64.ts";
import { objectKey, type WatchSpec } from "../../api/http.ts";
import { parseRfc3339, SECOND } from "../../api/time.ts";
import { notAfterOf } from "../../api/x509.ts";
import type { Component, Micros } from "../../kernel/types.ts";
import type { View } from "../caches.ts";
import { type ControllerConfig, type ControllerState, createController, type Plan, watchesOf } from "../controller.ts";
import { ACCOUNT, type CertificateSigningRequest, CSRS, isIssued, pathOf, subjectOf } from "./certificate-request.ts";

const ID = "certificatesigningrequest-cleaner-controller";
const HOUR: Micros = 3_600 * SECOND;
const DECIDED = HOUR;
const PENDING = 24 * HOUR;

const isOlder = (time: string | null | undefined, age: Micros, now: Micros): boolean => now - parseRfc3339(time ?? "") > age;

/** Why a request is to be removed; undefined for one that stays. */
function staleness(csr: CertificateSigningRequest, now: Micros): string | undefined {
  const conditions = csr.status?.conditions ?? [];
  const decided = (type: string, age: Micros): boolean => conditions.some((condition) => condition.type === type && isOlder(condition.lastUpdateTime, age, now));
  if (isIssued(csr)) {
    if (decided("Approved", DECIDED)) return "it was issued an hour ago or longer";
    const end = notAfterOf(base64Decode(csr.status?.certificate ?? ""));
    if (end !== undefined && now > end && conditions.some(({ type }) => type === "Approved")) return "its certificate has expired";
  } else if (decided("Approved", PENDING)) return "it was approved a day ago and nobody signed it";
  if (decided("Denied", DECIDED)) return "it was denied an hour ago or longer";
  if (decided("Failed", DECIDED)) return "it failed an hour ago or longer";
  return conditions.length === 0 && isOlder(csr.metadata.creationTimestamp, PENDING, now) ? "nobody decided about it for a day" : undefined;
}

function sync(name: string, view: View): Plan<string> {
  const csr = view.get<CertificateSigningRequest>(CSRS, name);
  const why = csr && staleness(csr, view.now);
  if (!csr || why === undefined) return {};
  return { batches: [[{ method: "DELETE", path: pathOf(csr), subject: subjectOf(csr) }]], notes: [{ text: `${ID} removes ${name}`.slice(0, 138), why, subject: subjectOf(csr) }], next: name };
}

/** Once an hour removes requests that are over. What fails is left for the next round. */
export const createCSRCleanerController = (config: ControllerConfig): Component<ControllerState<string>> =>
  createController<string, unknown>(
    {
      id: ID,
      account: ACCOUNT,
      resources: [CSRS],
      workers: 1,
      latency: "controller.sync",
      memory: undefined,
      tickers: [{ name: "clean", period: HOUR, first: HOUR / 2, cold: 100_000 }],
      handle: () => ({}),
      sync,
      resume: () => ({}),
      tick: (_name, view) => ({ keys: view.list<CertificateSigningRequest>(CSRS).map((csr) => ({ key: objectKey(csr) })) }),
    },
    config,
  );

export const csrCleanerWatches = (): WatchSpec[] => watchesOf(ID, [CSRS]);
