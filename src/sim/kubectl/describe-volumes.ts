// Models kubernetes/staging/src/k8s.io/kubectl/pkg/describe/describe.go (describeVolumes)
import type { PodSpec } from "../api/types.ts";

type Json = Readonly<Record<string, unknown>>;
const json = (value: unknown): Json => (typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {});
const list = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.map(json) : []);
const text = (value: unknown): string => (value === undefined || value === null ? "" : String(value));
const truth = (value: unknown): string => (value === true ? "true" : "false");

function projected(source: Json): string {
  const lines = ["    Type:\tProjected (a volume that contains injected data from multiple sources)\n"];
  for (const part of list(source["sources"])) {
    if (part["secret"]) lines.push(`    SecretName:\t${text(json(part["secret"])["name"])}\n    Optional:\t${truth(json(part["secret"])["optional"])}\n`);
    else if (part["downwardAPI"]) lines.push("    DownwardAPI:\ttrue\n");
    else if (part["configMap"]) lines.push(`    ConfigMapName:\t${text(json(part["configMap"])["name"])}\n    Optional:\t${truth(json(part["configMap"])["optional"])}\n`);
    else if (part["serviceAccountToken"]) lines.push(`    TokenExpirationSeconds:\t${text(json(part["serviceAccountToken"])["expirationSeconds"])}\n`);
  }
  return lines.join("");
}

function source(volume: Json): string {
  const of = (kind: string): Json | undefined => (volume[kind] === undefined ? undefined : json(volume[kind]));
  const host = of("hostPath");
  if (host) return `    Type:\tHostPath (bare host directory volume)\n    Path:\t${text(host["path"])}\n    HostPathType:\t${text(host["type"])}\n`;
  const empty = of("emptyDir");
  if (empty) return `    Type:\tEmptyDir (a temporary directory that shares a pod's lifetime)\n    Medium:\t${text(empty["medium"])}\n    SizeLimit:\t${text(empty["sizeLimit"]) || "<unset>"}\n`;
  const secret = of("secret");
  if (secret) return `    Type:\tSecret (a volume populated by a Secret)\n    SecretName:\t${text(secret["secretName"])}\n    Optional:\t${truth(secret["optional"])}\n`;
  const config = of("configMap");
  if (config) return `    Type:\tConfigMap (a volume populated by a ConfigMap)\n    Name:\t${text(config["name"])}\n    Optional:\t${truth(config["optional"])}\n`;
  const claim = of("persistentVolumeClaim");
  if (claim) return `    Type:\tPersistentVolumeClaim (a reference to a PersistentVolumeClaim in the same namespace)\n    ClaimName:\t${text(claim["claimName"])}\n    ReadOnly:\t${truth(claim["readOnly"])}\n`;
  const parts = of("projected");
  if (parts) return projected(parts);
  if (volume["downwardAPI"]) {
    const items = list(json(volume["downwardAPI"])["items"]).map((item) => `      ${text(json(item["fieldRef"])["fieldPath"])} -> ${text(item["path"])}\n`);
    return `    Type:\tDownwardAPI (a volume populated by information about the pod)\n    Items:\n${items.join("")}`;
  }
  // Simplified: the remaining volume kinds are named without their fields.
  return `    Type:\t${Object.keys(volume).find((key) => key !== "name") ?? "<unknown>"}\n`;
}

/** `space` is "" for a Pod and "  " for a Pod template. */
export function volumeLines(volumes: PodSpec["volumes"], space = ""): string {
  if (volumes === undefined || volumes.length === 0) return `${space}Volumes:\t<none>\n`;
  return `${space}Volumes:\n${volumes.map((volume) => `${space === "" ? "  " : `${space} `}${volume.name}:\n${source(volume as unknown as Json)}`).join("")}`;
}
