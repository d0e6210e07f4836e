// Models kubernetes/pkg/controller/certificates/rootcacertpublisher/publisher.go
import type { WatchSpec } from "../../api/http.ts";
import type { ConfigMap, Namespace } from "../../api/types.ts";
import type { World } from "../../api/world.ts";
import type { Component } from "../../kernel/types.ts";
import { type ControllerConfig, type ControllerState, createController, isSuccess, messageOf, type Plan, watchesOf } from "../controller.ts";
import type { View } from "../caches.ts";
import { isNamespaceTerminating } from "../pod-control.ts";
import { collectionPath, objectPath } from "../resources.ts";

const ID = "root-ca-cert-publisher";
const RESOURCES = ["namespaces", "configmaps"] as const;
const NAME = "kube-root-ca.crt";
const DESCRIBES = "kubernetes.io/description";
export const ROOT_CA_DESCRIPTION = { [DESCRIBES]: "Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters." };
const FALLBACK = "-----BEGIN CERTIFICATE-----\n(the cluster's CA)\n-----END CERTIFICATE-----\n";

/** The CA is the one that the settled world already publishes. */
export function rootCA(world: World): string {
  const published = world.objects.find((object) => object.kind === "ConfigMap" && object.metadata.name === NAME) as ConfigMap | undefined;
  return published?.data?.["ca.crt"] ?? FALLBACK;
}

function sync(name: string, ca: string, view: View): Plan {
  const namespace = view.get<Namespace>("namespaces", name);
  if (!namespace || namespace.status?.phase === "Terminating" || namespace.metadata.deletionTimestamp !== undefined) return {};
  const current = view.get<ConfigMap>("configmaps", `${name}/${NAME}`);
  const subject = `configmap/${name}/${NAME}`;
  if (current) {
    const { annotations } = current.metadata;
    if (current.data?.["ca.crt"] === ca && Object.keys(current.data).length === 1 && annotations?.[DESCRIBES]) return {};
    return { batches: [[{ method: "PUT", path: objectPath(current), body: { ...current, metadata: { ...current.metadata, annotations: { ...annotations, ...ROOT_CA_DESCRIPTION } }, data: { "ca.crt": ca } }, subject }]], next: name };
  }
  const body = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: NAME, namespace: name, annotations: ROOT_CA_DESCRIPTION }, data: { "ca.crt": ca } };
  return { batches: [[{ method: "POST", path: collectionPath("ConfigMap", name), body, subject }]], next: name };
}

/** Publishes the cluster's CA as a ConfigMap in every namespace, where Pods' token volumes take it from. */
export function createRootCACertPublisher(config: ControllerConfig): Component<ControllerState> {
  const ca = rootCA(config.world);
  return createController<unknown, unknown>(
    {
      id: ID,
      account: ID,
      resources: RESOURCES,
      workers: 1,
      latency: "controller.sync",
      memory: undefined,
      handle(change, resource) {
        if (resource === "namespaces") return change.type === "delete" ? {} : { keys: [{ key: change.object.metadata.name ?? "" }] };
        return change.object.metadata.name === NAME && change.type !== "add" ? { keys: [{ key: change.object.metadata.namespace ?? "" }] } : {};
      },
      sync: (key, view) => sync(key, ca, view),
      resume: (_key, _data, answers) => {
        const failed = answers.find((answer) => !isSuccess(answer) && answer.status !== 404);
        return !failed || isNamespaceTerminating(failed) ? {} : { error: messageOf(failed) };
      },
    },
    config,
  );
}

export const rootCACertWatches = (): WatchSpec[] => watchesOf(ID, RESOURCES);
