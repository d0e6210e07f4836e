// Models the path rules of kubernetes/pkg/apis/core/validation/validation.go
import { type FieldError, invalid } from "../field-error.ts";

export function validatePathNoBacksteps(path: string, field: string): FieldError[] {
  return path.split("/").includes("..") ? [invalid(field, path, "must not contain '..'")] : [];
}

/** Relative, and never up. */
export function validateLocalDescendingPath(path: string, field: string): FieldError[] {
  return [...(path.startsWith("/") ? [invalid(field, path, "must be a relative path")] : []), ...validatePathNoBacksteps(path, field)];
}

/** Additionally may not start with "..", which the atomic writer keeps for itself. */
export function validateLocalNonReservedPath(path: string, field: string): FieldError[] {
  const errors = validateLocalDescendingPath(path, field);
  if (path.startsWith("..") && !path.startsWith("../")) errors.push(invalid(field, path, "must not start with '..'"));
  return errors;
}
