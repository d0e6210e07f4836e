// Files of a volume's directory as plain data: path to content
type Files = Readonly<Record<string, string>>;

/** What a symbolic link has for content, before its target. */
export const LINK = "\0link:";

/** A path inside a volume with its first part followed: what the kubelet exchanges all at once is linked there, and nothing below. */
export function followLinks(files: Files, path: string): string {
  let at = path;
  for (let hops = 0; hops < 4; hops++) {
    const end = at.indexOf("/", 1);
    const target = files[end < 0 ? at : at.slice(0, end)];
    if (target === undefined || !target.startsWith(LINK)) break;
    at = `/${target.slice(LINK.length)}${end < 0 ? "" : at.slice(end)}`;
  }
  return at;
}

/** "/a/../b//c" -> "/b/c" */
export function normalizePath(path: string, cwd = "/"): string {
  const parts: string[] = [];
  for (const part of (path.startsWith("/") ? path : `${cwd}/${path}`).split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}
