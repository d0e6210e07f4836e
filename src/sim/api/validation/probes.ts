// Models validateProbe, validateHandler and validateLifecycle of kubernetes/pkg/apis/core/validation/validation.go
import { type FieldError, forbidden, invalid, invalidEach, notSupported, required } from "../field-error.ts";
import { isHTTPHeaderName } from "../names.ts";
import { enumValues } from "../schema/schema.ts";
import type { Container, Handler, HTTPGetAction, Probe } from "../types.ts";
import { validateNonnegative, validatePortNumOrName } from "./helpers.ts";

function validateHTTPGet(action: HTTPGetAction, path: string): FieldError[] {
  return [
    ...(action.path ? [] : [required(`${path}.path`)]),
    ...validatePortNumOrName(action.port, `${path}.port`),
    ...(action.scheme === "HTTP" || action.scheme === "HTTPS" ? [] : [notSupported(`${path}.scheme`, action.scheme ?? "", ["HTTP", "HTTPS"])]),
    ...(action.httpHeaders ?? []).flatMap((header) => invalidEach(`${path}.httpHeaders`, header.name, isHTTPHeaderName(header.name))),
  ];
}

function validateSleep(seconds: number, grace: number | undefined, path: string): FieldError[] {
  if (grace === undefined || (seconds >= 0 && seconds <= grace)) return [];
  return [invalid(path, seconds, `must be non-negative and less than terminationGracePeriodSeconds (${grace})`)];
}

function validateHandler(handler: Handler, grace: number | undefined, path: string): FieldError[] {
  const actions: readonly (readonly [string, FieldError[] | undefined])[] = [
    ["exec", handler.exec && (handler.exec.command?.length ? [] : [required(`${path}.exec.command`)])],
    ["httpGet", handler.httpGet && validateHTTPGet(handler.httpGet, `${path}.httpGet`)],
    ["tcpSocket", handler.tcpSocket && validatePortNumOrName(handler.tcpSocket.port, `${path}.tcpSocket.port`)],
    ["grpc", handler.grpc && validatePortNumOrName(handler.grpc.port, `${path}.grpc.port`)],
    ["sleep", handler.sleep && validateSleep(handler.sleep.seconds, grace, `${path}.sleep`)],
  ];
  const set = actions.filter((action) => action[1] !== undefined);
  if (set.length === 0) return [required(path, "must specify a handler type")];
  return set.flatMap(([name, errors], i) => (i === 0 ? (errors ?? []) : [forbidden(`${path}.${name}`, "may not specify more than 1 handler type")]));
}

function validateProbe(probe: Probe, grace: number | undefined, path: string): FieldError[] {
  const errors = validateHandler(probe, grace, path);
  for (const key of ["initialDelaySeconds", "timeoutSeconds", "periodSeconds", "successThreshold", "failureThreshold"] as const) errors.push(...validateNonnegative(probe[key], `${path}.${key}`));
  const own = probe.terminationGracePeriodSeconds;
  if (own !== undefined && own <= 0) errors.push(invalid(`${path}.terminationGracePeriodSeconds`, own, "must be greater than 0"));
  return errors;
}

function successOnce(probe: Probe, path: string): FieldError[] {
  return probe.successThreshold === 1 ? [] : [invalid(`${path}.successThreshold`, probe.successThreshold ?? 0, "must be 1")];
}

function validateStopSignal(signal: string | undefined, os: string | undefined, path: string): FieldError[] {
  if (signal === undefined) return [];
  if (os === undefined) return [forbidden(path, "may not be set for containers with empty `spec.os.name`")];
  const supported = os === "windows" ? ["SIGKILL", "SIGTERM"] : [...enumValues("Signal")].sort((a, b) => (a < b ? -1 : 1));
  return supported.includes(signal) ? [] : [notSupported(path, signal, supported)];
}

/** Lifecycle hooks and the three probes of an app container or sidecar. */
export function validateLifecycleAndProbes(container: Container, grace: number | undefined, os: string | undefined, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const { lifecycle, livenessProbe, readinessProbe, startupProbe } = container;
  if (lifecycle?.postStart) errors.push(...validateHandler(lifecycle.postStart, grace, `${path}.lifecycle.postStart`));
  if (lifecycle?.preStop) errors.push(...validateHandler(lifecycle.preStop, grace, `${path}.lifecycle.preStop`));
  errors.push(...validateStopSignal(lifecycle?.stopSignal, os, `${path}.lifecycle.stopSignal`));
  if (livenessProbe) errors.push(...validateProbe(livenessProbe, grace, `${path}.livenessProbe`), ...successOnce(livenessProbe, `${path}.livenessProbe`));
  if (readinessProbe) {
    errors.push(...validateProbe(readinessProbe, grace, `${path}.readinessProbe`));
    const own = readinessProbe.terminationGracePeriodSeconds;
    if (own !== undefined) errors.push(invalid(`${path}.readinessProbe.terminationGracePeriodSeconds`, own, "must not be set for readinessProbes"));
  }
  if (startupProbe) errors.push(...validateProbe(startupProbe, grace, `${path}.startupProbe`), ...successOnce(startupProbe, `${path}.startupProbe`));
  return errors;
}
