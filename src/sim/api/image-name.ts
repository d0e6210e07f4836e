// Models kubernetes/pkg/util/parsers/parsers.go and github.com/distribution/reference

export interface ImageName {
  /** Normalized, e.g. "docker.io/library/nginx". */
  readonly repository: string;
  /** "latest" when neither tag nor digest was written, "" with a digest alone. */
  readonly tag: string;
  readonly digest: string;
}

const COMPONENT = "[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*";
const HOST = "(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])";
const DOMAIN = `(?:${HOST}(?:\\.${HOST})*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?`;
const REFERENCE = new RegExp(
  `^((?:${DOMAIN}/)?${COMPONENT}(?:/${COMPONENT})*)(?::([A-Za-z0-9_][A-Za-z0-9_.-]{0,127}))?(?:@([A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}))?$`,
);

function normalize(image: string): string {
  const slash = image.indexOf("/");
  const first = slash < 0 ? "" : image.slice(0, slash);
  const hasDomain = slash >= 0 && (/[.:]/.test(first) || first === "localhost" || first.toLowerCase() !== first);
  const domain = hasDomain ? (first === "index.docker.io" ? "docker.io" : first) : "docker.io";
  const rest = hasDomain ? image.slice(slash + 1) : image;
  return `${domain}/${domain === "docker.io" && !rest.includes("/") ? `library/${rest}` : rest}`;
}

/** Parses an image reference; undefined for one that no registry could have (upper case, empty, a bare 64-digit id). */
export function parseImageName(image: string): ImageName | undefined {
  if (/^[a-f0-9]{64}$/.test(image)) return undefined;
  const m = REFERENCE.exec(normalize(image));
  if (!m) return undefined;
  const digest = m[3] ?? "";
  return { repository: m[1] ?? "", tag: m[2] ?? (digest === "" ? "latest" : ""), digest };
}
