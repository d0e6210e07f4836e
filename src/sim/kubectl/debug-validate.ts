// Models kubernetes/staging/src/k8s.io/kubectl/pkg/cmd/debug/debug.go (Complete, Validate)
import { parseImageName } from "../api/image-name.ts";
import { readYamlStream } from "../api/go-yaml/document-stream.ts";
import type { Json } from "./debug-profiles.ts";
import type { Process } from "./process.ts";

/** "a=b,c=d" of flags that may be repeated. */
export const pairsOf = (p: Process, flag: string): Readonly<Record<string, string>> => Object.fromEntries(p.flags(flag).map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]));

/** The file of --custom; undefined without one. */
function customOf(p: Process): Json | undefined {
  const file = p.flag("custom");
  if (file === "") return undefined;
  const text = p.file(file);
  if (text === undefined) return p.fail(`error: must pass a container spec json file for custom profile: open ${file}: no such file or directory`);
  const { documents: [first], error } = readYamlStream(text);
  const value = first?.value ?? {};
  if (error !== undefined || typeof value !== "object" || Array.isArray(value)) return p.fail(`error: ${file} does not contain a valid container spec: ${error?.message ?? "json: cannot unmarshal into Go value of type v1.Container"}`);
  return value as Json;
}

const FIXED = ["name", "command", "image", "lifecycle", "volumeDevices"];

/** What forbids a combination of flags that has no copy. */
function wrongWithoutCopy(p: Process): string | undefined {
  if (p.on("replace")) return "--replace may only be used with --copy-to.";
  if (p.on("same-node")) return "--same-node may only be used with --copy-to.";
  if (p.given("set-image")) return "--set-image may only be used with --copy-to.";
  return p.flag("image") === "" ? "you must specify --image when not using --copy-to." : undefined;
}

function wrongWithCopy(p: Process): string | undefined {
  const words = p.options.dash ?? [];
  if (p.flag("image") === "" && !p.given("set-image") && words.length === 0) return "you must specify --image, --set-image or command arguments.";
  return words.length > 0 && p.options.container === "" && p.flag("image") === "" ? "you must specify an existing container or a new image when specifying args." : undefined;
}

function wrongFlags(p: Process): string | undefined {
  const { args, files, container } = p.options;
  const image = p.flag("image");
  const policy = p.flag("image-pull-policy");
  if (p.on("attach") && image === "" && container === "") return "you must specify --container or create a new container using --image in order to attach.";
  const wrong = p.flag("copy-to") === "" ? wrongWithoutCopy(p) : wrongWithCopy(p);
  if (wrong !== undefined) return wrong;
  if (image !== "" && parseImageName(image) === undefined) return `invalid image name ${JSON.stringify(image)}: invalid reference format`;
  if (args.length === 0 && files.length === 0) return "NAME or filename is required for debug";
  if (!["", "Always", "IfNotPresent", "Never"].includes(policy)) return `invalid image pull policy: ${policy}`;
  for (const [name, set] of Object.entries(pairsOf(p, "set-image"))) if (parseImageName(set) === undefined) return `invalid image name ${JSON.stringify(set)} for container ${JSON.stringify(name)}: invalid reference format`;
  return p.flag("target") !== "" && p.flag("copy-to") !== "" ? "--target is incompatible with --copy-to. Use --share-processes instead." : undefined;
}

/** Ends the command when flags contradict each other; the partial container of --custom. */
export function validateDebug(p: Process): Json | undefined {
  const custom = customOf(p);
  const wrong = wrongFlags(p);
  if (wrong !== undefined) return p.fail(`error: ${wrong}`);
  const target = p.flag("target");
  if (target !== "" && !p.on("quiet")) p.print(`Targeting container ${JSON.stringify(target)}. If you don't see processes from this container it may be because the container runtime doesn't support this feature.`);
  if (p.on("tty") && !p.on("stdin")) return p.fail("error: -i/--stdin is required for containers with -t/--tty=true");
  if (custom !== undefined && FIXED.some((key) => custom[key] !== undefined)) return p.fail("error: name, command, image, lifecycle and volume devices are not modifiable via custom profile");
  if (p.flag("profile") === "legacy") p.printError('--profile=legacy is deprecated and planned to be removed in v1.39. It is recommended to specify other profile, for example "--profile=general".');
  return custom;
}
