// Models kubernetes/cmd/kube-controller-manager/app/controllermanager.go (InformerFactory): what the controllers watch
import type { WatchSpec } from "../api/http.ts";
import type { World } from "../api/world.ts";
import { collectionPath, infoOfResource } from "./resources.ts";

/**
 * Watches of a controller, for the settled world.
 * Simplified: upstream's controllers share one informer per resource within the process; here each has its own.
 */
export const watchesOf = (id: string, resources: readonly string[]): WatchSpec[] =>
  resources.map((resource) => ({ component: id, resource, path: collectionPath(infoOfResource(resource)?.kind ?? "") }));

/** Watches of a lazy controller: all but the first resource only if the world has an object of that. */
export const lazyWatchesOf = (id: string, resources: readonly string[], world: World | undefined): WatchSpec[] => watchesOf(id, world === undefined || isUsed(resources, world) ? resources : resources.slice(0, 1));

export const isUsed = ([first = ""]: readonly string[], world: World): boolean => world.objects.some((object) => object.kind === infoOfResource(first)?.kind);
