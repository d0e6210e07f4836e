import { expect, test } from "vitest";
import { readTar, writeTar } from "./tar.ts";

test.each([[[]], [[{ name: "a", content: "" }]], [[{ name: "d/", content: "" }, { name: "d/x", content: "x".repeat(511) }, { name: "d/y", content: "y".repeat(513) }]]])("an archive gives back what was put in: %#", (entries) => {
  const archive = writeTar(entries);
  expect(archive.length % 512).toBe(0);
  expect(readTar(archive)).toEqual(entries);
});

test("headers are those of ustar", () => {
  const archive = writeTar([{ name: "etc/hosts", content: "hello\n" }]);
  expect([archive.slice(0, 9), archive.slice(124, 135), archive.slice(156, 157), archive.slice(257, 265)]).toEqual(["etc/hosts", "00000000006", "0", "ustar\u000000"]);
  const header = archive.slice(0, 512);
  const sum = [...`${header.slice(0, 148)}        ${header.slice(156)}`].reduce((total, char) => total + char.charCodeAt(0), 0);
  expect(Number.parseInt(header.slice(148, 154), 8)).toBe(sum);
});

test.each([["not an archive"], [""]])("%j is no archive", (text) => expect(readTar(text)).toBeUndefined());
