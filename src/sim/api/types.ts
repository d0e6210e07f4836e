// The API's object types, importable as types from anywhere. One file a group of upstream's staging/src/k8s.io/api.
export type * from "./types/meta.ts";
export type * from "./types/core.ts";
export type * from "./types/apps.ts";
