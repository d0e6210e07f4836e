// Models kubernetes/staging/src/k8s.io/kubectl/pkg/cmd/{proxy,kuberc}: commands that work on the workstation alone
import { HOME } from "./files.ts";
import { onlySubcommands } from "./help-commands.ts";
import { command } from "./process.ts";

/** kubectl proxy. Simplified: nothing outside the simulation can connect, so it says so and ends. */
export const proxy = command(["proxy"], (p) => {
  const port = Number(p.flag("port", "8001"));
  const address = p.flag("address", "127.0.0.1");
  if (p.options.args.length > 0) return p.fail(`error: unknown command ${JSON.stringify(p.options.args.join(" "))}\nSee 'kubectl proxy -h' for help and examples`);
  if (p.given("unix-socket") && (p.given("port") || p.given("address"))) return p.fail("error: cannot set --unix-socket and --port or --address");
  if (port < 0 || port > 65_535) return p.fail(`error: listen tcp: address ${port}: invalid port`);
  p.print(`Starting to serve on ${address}:${port === 0 ? 41_017 : port}`);
  p.printError("Nothing outside this simulation can connect here: use kubectl get --raw PATH to see what the API server answers.");
});

/** kubectl kuberc: preferences. Simplified: none are kept. */
export const kuberc = command(["kuberc"], (p) => {
  const section = p.flag("section");
  if (p.options.path === "kuberc view") return p.print(`kuberc file not found at ${HOME}/.kube/kuberc\nWould you like to generate a default kuberc file with recommended options? (y/N): `);
  if (p.options.path !== "kuberc set") return onlySubcommands(p);
  if (!["defaults", "aliases", "credentialplugin"].includes(section)) return p.fail(`error: --section must be "defaults", "aliases", or "credentialplugin", got: ${section}`);
  if (section === "aliases" && p.flag("name") === "") return p.fail("error: --name is required when --section=aliases");
  if (section === "defaults" && p.flag("name") !== "") return p.fail("error: --name should not be specified when --section=defaults");
  if (section !== "aliases" && (p.given("prependarg") || p.given("appendarg"))) return p.fail("error: --prependarg and --appendarg are only valid for --section=aliases");
  if (section !== "credentialplugin" && p.flag("command") === "") return p.fail("error: --command is required when --section=aliases or --section=defaults");
  if (section === "credentialplugin" && p.flag("policy") === "") return p.fail("error: --policy is required when --section=credentialplugin");
  p.print(`Updated ${HOME}/.kube/kuberc`);
});
