// Models kubernetes/staging/src/k8s.io/kubectl/pkg/cmd/create: objects made of a command line
import { findResource } from "../api/schema/resources.ts";
import type { KubeObject } from "../api/types.ts";
import { applyFiles, withLastApplied } from "./apply.ts";
import { accountOf, configMapOf, namespaceObjectOf, priorityClassOf, quotaOf, secretOf, pdbOf } from "./create-configuration.ts";
import { clusterRoleBindingOf, clusterRoleOf, roleBindingOf, roleOf } from "./create-rbac.ts";
import { cronJobOf, deploymentOf, ingressOf, jobOf, serviceOf, tokenOf } from "./create-workloads.ts";
import { plainText } from "./errors.ts";
import { fieldValidation } from "./flags.ts";
import { pathOf } from "./manifest.ts";
import { nameHash } from "./name-hash.ts";
import { dryRunQuery, reporter } from "./patching.ts";
import { command, eitherOf, type Process } from "./process.ts";

/** Makes the object, or ends the process with its own error. */
export type Generator = (p: Process, words: readonly string[]) => KubeObject | undefined;

interface Kind {
  readonly names: readonly string[];
  readonly plural: string;
  readonly make: Generator;
  /** What the error says; "" leaves upstream's plain form. */
  readonly failure: string;
}

/** One line a kind. */
const KINDS: readonly Kind[] = [
  { names: ["clusterrole"], plural: "clusterroles", make: clusterRoleOf, failure: "" },
  { names: ["clusterrolebinding"], plural: "clusterrolebindings", make: clusterRoleBindingOf, failure: "failed to create clusterrolebinding: " },
  { names: ["configmap", "cm"], plural: "configmaps", make: configMapOf, failure: "failed to create configmap: " },
  { names: ["cronjob", "cj"], plural: "cronjobs", make: cronJobOf, failure: "failed to create cronjob: " },
  { names: ["deployment", "deploy"], plural: "deployments", make: deploymentOf, failure: "failed to create deployment: " },
  { names: ["ingress", "ing"], plural: "ingresses", make: ingressOf, failure: "failed to create ingress: " },
  { names: ["job"], plural: "jobs", make: jobOf, failure: "failed to create job: " },
  { names: ["namespace", "ns"], plural: "namespaces", make: namespaceObjectOf, failure: "" },
  { names: ["poddisruptionbudget", "pdb"], plural: "poddisruptionbudgets", make: pdbOf, failure: "failed to create poddisruptionbudgets: " },
  { names: ["priorityclass", "pc"], plural: "priorityclasses", make: priorityClassOf, failure: "failed to create priorityclass: " },
  { names: ["quota", "resourcequota"], plural: "resourcequotas", make: quotaOf, failure: "failed to create quota: " },
  { names: ["role"], plural: "roles", make: roleOf, failure: "" },
  { names: ["rolebinding"], plural: "rolebindings", make: roleBindingOf, failure: "failed to create rolebinding: " },
  { names: ["secret"], plural: "secrets", make: secretOf, failure: "failed to create secret " },
  { names: ["service", "svc"], plural: "services", make: serviceOf, failure: "failed to create service: " },
  { names: ["serviceaccount", "sa"], plural: "serviceaccounts", make: accountOf, failure: "failed to create serviceaccount: " },
  { names: ["token"], plural: "serviceaccounts/token", make: tokenOf, failure: "" },
];

function generate(p: Process): void {
  const [type = "", ...words] = p.options.args;
  const kind = KINDS.find(({ names }) => names.includes(type));
  if (kind === undefined) return p.fail(`error: Unexpected args: [${p.options.args.join(" ")}]\nSee 'kubectl create -h' for help and examples`);
  const written = kind.make(p, words);
  const made = written === undefined || !p.on("append-hash") ? written : { ...written, metadata: { ...written.metadata, name: `${written.metadata.name ?? ""}-${nameHash(written, written.metadata.name ?? "", {})}` } };
  const api = findResource(kind.plural);
  if (made === undefined || api === undefined) return;
  const report = reporter(p, true);
  const given = api.namespaced && p.options.namespaceGiven ? { ...made, metadata: { ...made.metadata, namespace: p.namespace } } : made;
  const object = p.on("save-config") ? withLastApplied(given) : given;
  const { name = "" } = object.metadata;
  if (p.options.dryRun === "client") return report({ api, name }, object, "created");
  const namespace = api.namespaced ? p.namespace : "";
  p.say(`makes a ${object.kind} of the command line`, "what a file would say, with the defaults of this command", "basic", { body: object });
  const body = api.namespaced ? { ...object, metadata: { ...object.metadata, namespace } } : object;
  const answer = p.ask({ method: "POST", path: pathOf(api, namespace), query: { ...dryRunQuery(p), fieldManager: p.flag("field-manager", "kubectl-create"), fieldValidation: fieldValidation(p.options) ?? "Strict" }, body, subject: `${api.singular}/${namespace === "" ? "" : `${namespace}/`}${name}`, level: "basic" });
  if (answer.refused || answer.status !== 201) return p.fail(plainText(answer, p.turn.config.server, kind.failure));
  report({ api, name }, answer.body as KubeObject, "created");
}

/** kubectl create -f FILE, kubectl create KIND NAME */
export const create = eitherOf("create", applyFiles, command([], generate));
