// Models kubernetes/staging/src/k8s.io/client-go/metadata/metadata.go

const accept = (kind: string): string => `application/json;as=${kind};g=meta.k8s.io;v=v1,application/json`;

/** What a client accepts that wants to know of an object's metadata only. */
export const PARTIAL = accept("PartialObjectMetadata");

/** The same of a list. */
export const PARTIAL_LIST = accept("PartialObjectMetadataList");
