// Models kubernetes/staging/src/k8s.io/kubectl/pkg/cmd/kustomize
import { WORKING_FOLDER } from "./files.ts";
import { kustomize as build } from "./kustomize.ts";
import { command } from "./process.ts";
import { printYaml } from "./yaml.ts";

/** kubectl kustomize DIR */
export const kustomize = command(["kustomize"], (p) => {
  const [folder = ".", more] = p.options.args;
  if (more !== undefined) return p.fail("error: specify one path to kustomization.yaml");
  const built = build(p.turn.session.run.files, folder, WORKING_FOLDER);
  if (typeof built === "string") return p.fail(built);
  for (const warning of built.warnings) p.printError(warning);
  p.print(built.objects.map((object) => printYaml(object)).join("---\n"));
});
