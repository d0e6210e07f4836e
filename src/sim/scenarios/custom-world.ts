import { readStream } from "../api/go-yaml/document-stream.ts";
import type { KubeObject } from "../api/types.ts";
import { WORLDS } from "./worlds/registry.ts";
import type { WorldFile } from "./worlds/world-file.ts";

/** A text that cannot be a cluster; the message is for the user. */
export class WorldError extends Error {}

function objectsIn(text: string): KubeObject[] {
  const { documents, error } = readStream(text);
  if (error !== undefined) throw new WorldError(error.message);
  const objects: KubeObject[] = [];
  for (const document of documents) {
    const value = document.value as (KubeObject & { items?: KubeObject[] }) | null;
    if (value === null) continue;
    objects.push(...(value.kind?.endsWith("List") && value.items ? value.items : [value]));
  }
  return objects;
}

/**
 * The world a recipe names: a built-in one by id, else the text is read as YAML (a List or documents) of a real
 * cluster's nodes and Pods. Throws WorldError if it is neither or has no nodes.
 */
export function findWorld(nameOrYaml: string): WorldFile {
  const known = WORLDS.find((world) => world.id === nameOrYaml);
  if (known) return known;
  const objects = objectsIn(nameOrYaml);
  if (!objects.some((object) => object.kind === "Node")) throw new WorldError("a cluster needs at least one Node: paste the output of `kubectl get nodes,pods -A -o yaml`");
  return { id: "custom", title: "Your cluster", objects };
}
