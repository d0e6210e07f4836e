// Models kubernetes/staging/src/k8s.io/kubectl/pkg/cmd/certificates/certificates.go
import { findResource } from "../api/schema/resources.ts";
import type { KubeObject } from "../api/types.ts";
import { infosOf } from "./builder.ts";
import { errorText, statusOf } from "./errors.ts";
import { commandSpec } from "./command-table.ts";
import { helpOf } from "./help.ts";
import { pathOf } from "./manifest.ts";
import { reporter } from "./patching.ts";
import { command, type Process } from "./process.ts";

interface Condition {
  readonly type: string;
}

/** Adds a condition by the approval subresource; one that is there stays, unless --force writes it again. */
function decide(p: Process, type: "Approved" | "Denied", message: string): void {
  const names = p.options.args.slice(1);
  const api = findResource("certificatesigningrequests");
  if (names.length === 0 && p.options.files.length === 0) return p.fail("error: one or more CSRs must be specified as <name> or -f <filename>");
  if (api === undefined) return;
  const report = reporter(p);
  for (const info of infosOf(p, { args: names.map((name) => `csr/${name}`), latest: true })) {
    const subject = `${api.singular}/${info.name}`;
    for (let attempt = 0; ; attempt++) {
      const answer = p.ask({ method: "GET", path: pathOf(api, "", info.name), subject });
      if (answer.status === 404) return p.fail(`error: could not find v1 version of ${info.name}: ${statusOf(answer)?.message ?? ""}`);
      if (answer.status !== 200) return p.fail(errorText(answer, p.turn.config.server));
      const live = answer.body as KubeObject;
      const { conditions = [], ...status } = (live.status ?? {}) as { readonly conditions?: readonly Condition[] };
      const other = type === "Approved" ? "Denied" : "Approved";
      if (conditions.some((condition) => condition.type === other)) return p.fail(`error: certificate signing request ${JSON.stringify(info.name)} is already ${other}`);
      const has = conditions.some((condition) => condition.type === type);
      if (has && !p.options.force) break;
      const now = p.timestamp();
      const added = has ? conditions : [...conditions, { type, status: "True", reason: type === "Approved" ? "KubectlApprove" : "KubectlDeny", message, lastUpdateTime: now, lastTransitionTime: null }];
      const put = p.ask({ method: "PUT", path: `${pathOf(api, "", info.name)}/approval`, body: { ...live, status: { ...status, conditions: added } }, subject, level: "basic" });
      if (put.status === 409 && attempt < 10) continue;
      if (put.status !== 200) return p.fail(errorText(put, p.turn.config.server));
      break;
    }
    report(info, info.object, type === "Approved" ? "approved" : "denied");
  }
}

/** kubectl certificate approve|deny NAME */
export const certificate = command(["certificate"], (p) => {
  switch (p.options.path) {
    case "certificate approve":
      return decide(p, "Approved", "This CSR was approved by kubectl certificate approve.");
    case "certificate deny":
      return decide(p, "Denied", "This CSR was denied by kubectl certificate deny.");
    default: {
      const spec = commandSpec("certificate");
      if (spec !== undefined) p.print(helpOf(spec));
    }
  }
});
