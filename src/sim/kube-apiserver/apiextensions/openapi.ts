// Models kubernetes/staging/src/k8s.io/apiextensions-apiserver/pkg/controller/openapi/builder/builder.go
import { schemaIndex } from "../../api/apiextensions/schema-index.ts";
import { conditionOf, type JsonSchema } from "../../api/apiextensions/types.ts";
import type { ApiResource } from "../../api/schema/resources.ts";
import { parseRfc3339, SECOND } from "../../api/time.ts";
import type { Micros } from "../../kernel/types.ts";

const HEAD = ["apiVersion", "kind", "metadata"];

/** "com.example.v1.Widget" */
const definitionName = ({ group, version, kind }: ApiResource): string => `${group.split(".").reverse().join(".")}.${version}.${kind}`;

function modelOf({ group, version, kind, custom }: ApiResource): object {
  const schema: JsonSchema = custom?.version.schema?.openAPIV3Schema ?? { type: "object" };
  const { properties = {} } = schema;
  const head = Object.fromEntries(HEAD.map((name) => [name, { ...properties[name], ...(name === "metadata" ? { allOf: [{ $ref: "#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta" }] } : { type: "string" }) }]));
  return { ...schema, properties: { ...properties, ...head }, "x-kubernetes-group-version-kind": [{ group, version, kind }] };
}

const built = new WeakMap<readonly ApiResource[], Map<string, object>>();

function documentOf(path: string, custom: readonly ApiResource[]): object {
  const groupVersion = path.replace("/openapi/v3/apis/", "");
  const models = custom.filter(({ apiVersion }) => apiVersion === groupVersion);
  if (path === "/openapi/v3") return { paths: Object.fromEntries(Object.entries(schemaIndex(custom)).map(([version, { hash }]) => [`apis/${version}`, { serverRelativeURL: `/openapi/v3/apis/${version}?hash=${hash}` }])) };
  return models.length === 0 ? {} : { openapi: "3.0.0", info: { title: "Kubernetes CRD Swagger", version: "v0.1.0" }, components: { schemas: Object.fromEntries(models.map((api) => [definitionName(api), modelOf(api)])) } };
}

/** What the aggregator has seen: it looks at the documents of the servers it is made of once a second (kube-aggregator/pkg/controllers/openapiv3). */
export function published(custom: readonly ApiResource[], now: Micros): readonly ApiResource[] {
  const second = Math.floor(now / SECOND);
  const seen = (api: ApiResource): boolean => {
    const since = api.custom === undefined ? undefined : conditionOf(api.custom.crd, "Established")?.lastTransitionTime;
    return since === undefined || since === null || second > Math.floor(parseRfc3339(since) / SECOND);
  };
  return custom.every(seen) ? custom : custom.filter(seen);
}

/** The schemas of custom resources as clients read them: /openapi/v3/apis/GROUP/VERSION. Empty for what is not described. */
export function openApiDocument(path: string, custom: readonly ApiResource[]): object {
  let documents = built.get(custom);
  if (documents === undefined) {
    documents = new Map();
    built.set(custom, documents);
  }
  let document = documents.get(path);
  if (document === undefined) {
    document = documentOf(path, custom);
    documents.set(path, document);
  }
  return document;
}
