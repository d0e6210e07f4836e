import type { KubeObject } from "../../../../sim/api/types.ts";

interface Resources {
  requests?: Record<string, string>;
  limits?: Record<string, string>;
}

/**
 * "cpu 80m/200m, memory limit 96Mi" as a patch of the resize subresource: a quantity alone is a request, one after a
 * slash a limit. Words in parentheses are the recorder's remark; a container's name may stand before.
 */
export function resizePatch(words: string, manifests: readonly KubeObject[]): unknown {
  const text = words.replace(/\(.*\)/, "").trim();
  const pod = manifests.find((object) => object.kind === "Pod") as (KubeObject & { spec?: { containers?: readonly { name: string }[] } }) | undefined;
  const containers = pod?.spec?.containers?.map(({ name }) => name) ?? [];
  const name = containers.find((candidate) => new RegExp(`(?:^|[ /])${candidate}[ :]`).test(text)) ?? containers[0] ?? "";
  const resources: Resources = {};
  for (const [, resource = "", which, quantity = "", limit] of text.matchAll(/(cpu|memory) (?:(requests?|limits?) )?(\d[\w.]*)(?:\/(\d[\w.]*))?/g)) {
    const kind = which?.startsWith("limit") ? "limits" : "requests";
    resources[kind] = { ...resources[kind], [resource]: quantity };
    if (limit !== undefined) resources.limits = { ...resources.limits, [resource]: limit };
  }
  return { spec: { containers: [{ name, resources }] } };
}
