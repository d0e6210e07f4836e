// Models kubernetes/staging/src/k8s.io/kubectl/pkg/cmd/exec
import { containerStream, podOf } from "./container-stream.ts";
import { command } from "./process.ts";

/** Shells that wait for what is typed. */
const SHELLS = new Set(["sh", "bash", "ash", "/bin/sh", "/bin/bash", "/bin/ash"]);

/** kubectl exec POD -- COMMAND */
export const exec = command(["exec"], (p) => {
  const { args, dash, files } = p.options;
  const [name] = args;
  if (args.length > 1 || (args.length > 0 && dash === undefined && files.length > 0)) return p.fail("error: exec [POD] [COMMAND] is not supported anymore. Use exec [POD] -- [COMMAND] instead\nSee 'kubectl exec -h' for help and examples");
  if (name === undefined && files.length === 0) return p.fail("error: pod, type/name or --filename must be specified");
  if (dash === undefined || dash.length === 0) return p.fail("error: you must specify at least one command for the container");
  const pod = podOf(p, name ?? "");
  const [shell = ""] = dash;
  if (p.on("stdin") && dash.length === 1 && SHELLS.has(shell)) p.printError(`This terminal lends no keyboard to a shell in a container, so it reads the end of its input and leaves. Type the commands behind it: kubectl exec ${name ?? ""} -- ${shell} -c "ls /; env"`);
  const { exitCode = 0, output = "" } = containerStream(p, pod, dash);
  if (output !== "") p.printRaw(output);
  if (exitCode !== 0) {
    p.printError(`command terminated with exit code ${exitCode}`);
    p.exit(exitCode);
  }
});
