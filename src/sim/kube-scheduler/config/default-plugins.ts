// Models kubernetes/pkg/scheduler/apis/config/v1/default_plugins.go
import { registry } from "../plugins/registry.ts";
import { EXTENSION_POINTS, type PluginRef, type PluginSet, type PluginSets } from "./types.ts";

/** The plugins of a profile that says nothing about them: all of the registry, through MultiPoint. */
const DEFAULT_MULTI_POINT: readonly PluginRef[] = registry.map(({ plugin, weight }) => (weight > 0 ? { name: plugin.name, weight } : { name: plugin.name }));

function mergeSet(standard: PluginSet, custom: PluginSet): PluginSet {
  const disabled = [...(custom.disabled ?? []), ...(standard.disabled ?? [])].map(({ name }) => ({ name }));
  const off = new Set(disabled.map((p) => p.name));
  const mine = custom.enabled ?? [];
  const replacing = new Set<number>();
  const enabled: PluginRef[] = [];
  for (const plugin of off.has("*") ? [] : (standard.enabled ?? [])) {
    if (off.has(plugin.name)) continue;
    // Configured again: it keeps its place in the order. Of several the last counts.
    const at = mine.findLastIndex((p) => p.name === plugin.name);
    if (at >= 0) replacing.add(at);
    enabled.push(mine[at] ?? plugin);
  }
  return { enabled: [...enabled, ...mine.filter((_, i) => !replacing.has(i))], disabled };
}

/** mergePlugins: the user's sets on top of the default ones. */
export function mergePlugins(custom: PluginSets | undefined): PluginSets {
  const merged: Record<string, PluginSet> = { multiPoint: mergeSet({ enabled: DEFAULT_MULTI_POINT }, custom?.multiPoint ?? {}) };
  for (const point of EXTENSION_POINTS) merged[point] = mergeSet({}, custom?.[point] ?? {});
  return merged;
}
