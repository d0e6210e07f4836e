// Models the POSIX ustar archive format, as tar and Go's archive/tar write and read it

export interface TarEntry {
  /** A directory's name ends with a slash. */
  readonly name: string;
  readonly content: string;
}

const BLOCK = 512;
const octal = (value: number, width: number): string => `${value.toString(8).padStart(width - 1, "0")}\0`;
const field = (text: string, width: number): string => text.slice(0, width).padEnd(width, "\0");
const padded = (text: string): string => text.padEnd(Math.ceil(text.length / BLOCK) * BLOCK, "\0");

function header({ name, content }: TarEntry): string {
  const directory = name.endsWith("/");
  const before = field(name, 100) + octal(directory ? 0o755 : 0o644, 8) + octal(0, 8) + octal(0, 8) + octal(content.length, 12) + octal(0, 12);
  const after = (directory ? "5" : "0") + field("", 100) + "ustar\0" + "00" + field("root", 32) + field("root", 32) + octal(0, 8) + octal(0, 8);
  const sum = [...`${before}        ${after}`].reduce((total, char) => total + char.charCodeAt(0), 0);
  return padded(`${before}${sum.toString(8).padStart(6, "0")}\0 ${after}`);
}

/** An archive. Simplified: one character counts as one byte, and nothing is known of owners, modes and times. */
export const writeTar = (entries: readonly TarEntry[]): string => entries.map((entry) => header(entry) + padded(entry.content)).join("") + "\0".repeat(2 * BLOCK);

/** What an archive holds; undefined for what is none. */
export function readTar(archive: string): readonly TarEntry[] | undefined {
  const entries: TarEntry[] = [];
  for (let at = 0; at < archive.length; ) {
    const block = archive.slice(at, at + BLOCK);
    if (block.replaceAll("\0", "") === "") return entries;
    if (!block.startsWith("ustar", 257)) return undefined;
    const size = Number.parseInt(block.slice(124, 135), 8);
    entries.push({ name: block.slice(0, 100).replace(/\0.*$/s, ""), content: archive.slice(at + BLOCK, at + BLOCK + size) });
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
  return archive === "" ? undefined : entries;
}
