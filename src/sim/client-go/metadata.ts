// Models kubernetes/staging/src/k8s.io/client-go/metadata/metadata.go

/** What a client accepts that wants to know of an object's metadata only. */
export const PARTIAL = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json";
