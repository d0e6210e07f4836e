// Models kubernetes/staging/src/k8s.io/kubectl/pkg/cmd/annotate/annotate.go
import { infosOf } from "./builder.ts";
import { changed, listed, mapPatch, pairsOf } from "./label.ts";
import { patch, reporter } from "./patching.ts";
import { command } from "./process.ts";

/** kubectl annotate */
export const annotate = command(["annotate"], (p) => {
  const pairs = pairsOf(p.options.args, "annotation");
  if (typeof pairs === "string") return p.fail(pairs);
  if (!p.on("list") && pairs.set.size + pairs.remove.length === 0) return p.fail("error: at least one annotation update is required");
  const report = reporter(p);
  for (const info of infosOf(p, { args: pairs.resources, latest: !p.on("local") })) {
    const { object, api, name } = info;
    const before = object.metadata.annotations ?? {};
    if (p.on("list")) {
      p.print(listed(before));
      continue;
    }
    const clashes = [...pairs.set].filter(([key, value]) => before[key] !== undefined && before[key] !== value).map(([key]) => `'${key}' already has a value (${before[key] ?? ""})`);
    if (clashes.length > 0 && !p.options.overwrite) {
      p.addError(`error: --overwrite is false but found the following declared annotation(s): ${clashes.join("; ")}`);
      continue;
    }
    const after = { ...object, metadata: { ...object.metadata, annotations: changed(before, pairs) } };
    const stored = p.options.dryRun === "client" || p.on("local") ? after : patch(p, info, { body: mapPatch("annotations", before, pairs), contentType: "application/merge-patch+json", manager: p.flag("field-manager", "kubectl-annotate") });
    if (stored) report({ api, name }, stored, "annotated");
  }
});
