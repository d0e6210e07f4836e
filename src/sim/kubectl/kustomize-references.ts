// Models sigs.k8s.io/kustomize/api/internal/builtins/NameReference: objects that name others follow their new names
import { change, isMap, type Json, kindOf, listOf, nameIn, podSpecPath, type Resource, textOf } from "./kustomize-model.ts";

/** Kind and paths below the spec of Pods that name it. */
const IN_PODS: readonly (readonly [string, readonly string[]])[] = [
  ["ConfigMap", ["volumes", "configMap", "name"]], ["ConfigMap", ["volumes", "projected", "sources", "configMap", "name"]], ["Secret", ["volumes", "secret", "secretName"]], ["Secret", ["volumes", "projected", "sources", "secret", "name"]], ["Secret", ["imagePullSecrets", "name"]],
  ["PersistentVolumeClaim", ["volumes", "persistentVolumeClaim", "claimName"]], ["ServiceAccount", ["serviceAccountName"]], ["PriorityClass", ["priorityClassName"]],
  ...["containers", "initContainers"].flatMap((list): (readonly [string, readonly string[]])[] => [["ConfigMap", [list, "env", "valueFrom", "configMapKeyRef", "name"]], ["ConfigMap", [list, "envFrom", "configMapRef", "name"]], ["Secret", [list, "env", "valueFrom", "secretKeyRef", "name"]], ["Secret", [list, "envFrom", "secretRef", "name"]]]),
];
/** Named kind, kind that names it, path. */
const ELSEWHERE: readonly (readonly [string, string, readonly string[]])[] = [
  ["Service", "StatefulSet", ["spec", "serviceName"]], ["Service", "Ingress", ["spec", "rules", "http", "paths", "backend", "service", "name"]], ["Service", "Ingress", ["spec", "defaultBackend", "service", "name"]], ["Secret", "Ingress", ["spec", "tls", "secretName"]],
  ["Secret", "ServiceAccount", ["secrets", "name"]], ["Secret", "ServiceAccount", ["imagePullSecrets", "name"]], ["StorageClass", "PersistentVolumeClaim", ["spec", "storageClassName"]], ["PersistentVolume", "PersistentVolumeClaim", ["spec", "volumeName"]],
];

/** Puts the final names in where objects name each other. */
export function updateReferences(resources: readonly Resource[]): readonly Resource[] {
  const names = new Map(resources.map(({ object, original }) => [`${kindOf(object)}/${original}`, nameIn(object)] as const));
  const follow = (kind: string) => (name: unknown): unknown => names.get(`${kind}/${textOf(name)}`) ?? name;
  const ofObject = (object: Json): Json => {
    const kind = kindOf(object);
    const spec = podSpecPath(kind);
    let next = spec === undefined ? object : IN_PODS.reduce((current, [named, path]) => change(current, [...spec, ...path], follow(named)), object);
    for (const [named, by, path] of ELSEWHERE) if (by === kind) next = change(next, path, follow(named));
    if (kind === "HorizontalPodAutoscaler") next = change(next, ["spec", "scaleTargetRef"], (target) => (isMap(target) ? { ...target, name: follow(textOf(target["kind"]))(target["name"]) } : target));
    if (kind !== "RoleBinding" && kind !== "ClusterRoleBinding") return next;
    next = change(next, ["roleRef"], (role) => (isMap(role) ? { ...role, name: follow(textOf(role["kind"]))(role["name"]) } : role));
    return change(next, ["subjects"], (subjects) => listOf(subjects).map((subject) => (isMap(subject) && subject["kind"] === "ServiceAccount" ? { ...subject, name: follow("ServiceAccount")(subject["name"]) } : subject)));
  };
  return resources.map((resource) => ({ ...resource, object: ofObject(resource.object) }));
}
