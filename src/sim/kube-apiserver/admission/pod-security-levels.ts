// Models kubernetes/staging/src/k8s.io/pod-security-admission/{policy/registry.go,api/helpers.go}
import { type FieldError, invalid } from "../../api/field-error.ts";
import type { ObjectMeta, PodSpec } from "../../api/types.ts";
import { appArmorProfile, capabilitiesBaseline, hostNamespaces, hostPathVolumes, hostPorts, hostProbes, type PodCheck, privileged, procMount, seccompAnnotations, seccompBaseline, seLinuxOptions, sysctls, type Violation, windowsHostProcess } from "./pod-security-checks.ts";
import { allowPrivilegeEscalation, capabilitiesRestricted, restrictedVolumes, runAsNonRoot, runAsUser, seccompRestricted, unlessUserNamespace, unlessWindows } from "./pod-security-restricted-checks.ts";

export type Level = "privileged" | "baseline" | "restricted";

/** A level as of a version: a minor of v1, or the newest. */
export interface LevelVersion {
  readonly level: Level;
  readonly minor: number | "latest";
}

export interface SecurityPolicy {
  readonly enforce: LevelVersion;
  readonly audit: LevelVersion;
  readonly warn: LevelVersion;
}

interface Versioned {
  readonly id: string;
  /** From which minor on, oldest first. */
  readonly versions: readonly (readonly [since: number, check: PodCheck])[];
  /** The baseline check that a restricted one takes the place of. */
  readonly overrides?: string;
}

/** In order of their ids, which is the order of the text. */
const BASELINE: readonly Versioned[] = [
  { id: "appArmorProfile", versions: [[0, appArmorProfile]] },
  { id: "capabilities_baseline", versions: [[0, capabilitiesBaseline]] },
  { id: "hostNamespaces", versions: [[0, hostNamespaces]] },
  { id: "hostPathVolumes", versions: [[0, hostPathVolumes]] },
  { id: "hostPorts", versions: [[0, hostPorts]] },
  { id: "hostProbesAndHostLifecycle", versions: [[34, hostProbes]] },
  { id: "privileged", versions: [[0, privileged]] },
  { id: "procMount", versions: [[0, procMount], [35, unlessUserNamespace(procMount)]] },
  { id: "seLinuxOptions", versions: [[0, seLinuxOptions(0)], [31, seLinuxOptions(31)]] },
  { id: "seccompProfile_baseline", versions: [[0, seccompAnnotations], [19, seccompBaseline]] },
  { id: "sysctls", versions: [[0, sysctls(0)], [27, sysctls(27)], [29, sysctls(29)], [32, sysctls(32)]] },
  { id: "windowsHostProcess", versions: [[0, windowsHostProcess]] },
];
const RESTRICTED: readonly Versioned[] = [
  { id: "allowPrivilegeEscalation", versions: [[8, allowPrivilegeEscalation], [25, unlessWindows(allowPrivilegeEscalation)]] },
  { id: "capabilities_restricted", versions: [[22, capabilitiesRestricted], [25, unlessWindows(capabilitiesRestricted)]], overrides: "capabilities_baseline" },
  { id: "procMount_restricted", versions: [[35, procMount]], overrides: "procMount" },
  { id: "restrictedVolumes", versions: [[0, restrictedVolumes]], overrides: "hostPathVolumes" },
  { id: "runAsNonRoot", versions: [[0, runAsNonRoot], [35, unlessUserNamespace(runAsNonRoot)]] },
  { id: "runAsUser", versions: [[23, runAsUser], [35, unlessUserNamespace(runAsUser)]] },
  { id: "seccompProfile_restricted", versions: [[19, seccompRestricted], [25, unlessWindows(seccompRestricted)]], overrides: "seccompProfile_baseline" },
];

function inForce(all: readonly Versioned[], minor: number): readonly (Versioned & { readonly check: PodCheck })[] {
  return all.flatMap((versioned) => {
    const found = versioned.versions.findLast(([since]) => since <= minor);
    return found === undefined ? [] : [{ ...versioned, check: found[1] }];
  });
}

/** What a Pod violates at a level; empty when nothing. */
export function evaluatePod({ level, minor }: LevelVersion, metadata: ObjectMeta, spec: PodSpec): readonly Violation[] {
  if (level === "privileged") return [];
  const version = minor === "latest" ? Number.POSITIVE_INFINITY : minor;
  const restricted = level === "restricted" ? inForce(RESTRICTED, version) : [];
  const overridden = new Set(restricted.map(({ overrides }) => overrides));
  const checks = [...inForce(BASELINE, version).filter(({ id }) => !overridden.has(id)), ...restricted];
  return checks.map(({ check }) => check(spec, metadata)).filter((violation) => violation !== undefined);
}

export const detailText = (violations: readonly Violation[]): string => violations.map(({ reason, detail }) => (detail === "" ? reason : `${reason} (${detail})`)).join(", ");
export const reasonText = (violations: readonly Violation[]): string => violations.map(({ reason }) => reason).join(", ");
export const levelText = ({ level, minor }: LevelVersion): string => `${level}:${minor === "latest" ? minor : `v1.${minor}`}`;
export const sameLevel = (a: LevelVersion, b: LevelVersion): boolean => a.level === b.level && a.minor === b.minor;

const STRICTNESS: Readonly<Record<Level, number>> = { privileged: 0, baseline: 1, restricted: 2 };
export const compareLevels = (a: Level, b: Level): number => STRICTNESS[a] - STRICTNESS[b];

const PREFIX = "pod-security.kubernetes.io/";
const PRIVILEGED: LevelVersion = { level: "privileged", minor: "latest" };

/** PolicyToEvaluate: the namespace's labels as a policy, and what is wrong with them. Unreadable levels enforce the strictest. */
export function policyOf(labels: Readonly<Record<string, string>> | undefined): { readonly policy: SecurityPolicy; readonly errors: readonly FieldError[] } {
  const errors: FieldError[] = [];
  const key = (label: string): string => `metadata.labels[${label}]`;
  const level = (mode: string): Level | undefined | "invalid" => {
    const label = `${PREFIX}${mode}`;
    const value = labels?.[label];
    if (value === undefined || Object.hasOwn(STRICTNESS, value)) return value as Level | undefined;
    errors.push(invalid(key(label), value, "must be one of privileged, baseline, restricted"));
    return "invalid";
  };
  const version = (mode: string): number | "latest" => {
    const label = `${PREFIX}${mode}-version`;
    const value = labels?.[label] ?? "latest";
    const minor = /^v1\.(\d|[1-9]\d*)$/.exec(value)?.[1];
    if (value === "latest" || minor !== undefined) return minor === undefined ? "latest" : Number(minor);
    errors.push(invalid(key(label), value, 'must be "latest" or "v1.x"'));
    return "latest";
  };
  const [enforceLevel, enforceVersion, auditLevel, auditVersion, warnLevel, warnVersion] = [level("enforce"), version("enforce"), level("audit"), version("audit"), level("warn"), version("warn")];
  const open = (found: Level | undefined | "invalid"): Level => (found === undefined || found === "invalid" ? "privileged" : found);
  const enforce: LevelVersion = { level: enforceLevel === "invalid" ? "restricted" : (enforceLevel ?? PRIVILEGED.level), minor: enforceVersion };
  let warn: LevelVersion = { level: open(warnLevel), minor: warnVersion };
  // Who enforces a level is warned about the workloads whose Pods it will refuse.
  if (warnLevel === undefined && enforceLevel !== undefined && enforceLevel !== "invalid" && compareLevels(enforce.level, warn.level) > 0) warn = { level: enforce.level, minor: labels?.[`${PREFIX}warn-version`] === undefined ? enforce.minor : warn.minor };
  return { policy: { enforce, audit: { level: open(auditLevel), minor: auditVersion }, warn }, errors };
}
