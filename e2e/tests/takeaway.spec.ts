import { readFile } from "node:fs/promises";
import { expect, type Page, test } from "@playwright/test";
import { button, isPhone, openMenu, openPage, toEnd } from "./page.ts";

async function openExport(page: Page): Promise<void> {
  await openPage(page);
  await toEnd(page);
  if (isPhone(page)) await openMenu(page);
  await button(page, "Export").click();
  await expect(page.getByRole("dialog", { name: "Export" })).toBeVisible();
}

async function save(page: Page, name: string): Promise<string> {
  const download = page.waitForEvent("download");
  await page.getByRole("dialog", { name: "Export" }).getByRole("button", { name, exact: true }).click();
  return readFile(await (await download).path(), "utf8");
}

test("the traces have the shapes that Perfetto and Jaeger read", async ({ page }) => {
  await openExport(page);
  const { traceEvents } = JSON.parse(await save(page, "Chrome trace (JSON)")) as { traceEvents: { ph: string; name: string; ts?: number; args?: { name?: string } }[] };
  expect(traceEvents.filter((event) => event.ph === "M").map((event) => event.args?.name)).toEqual(expect.arrayContaining(["kubectl", "kube-scheduler"]));
  expect(traceEvents.filter((event) => event.ph === "X").every((event) => Number.isInteger(event.ts))).toBe(true);
  const { resourceSpans } = JSON.parse(await save(page, "OpenTelemetry (JSON)")) as { resourceSpans: { scopeSpans: { spans: { traceId: string; spanId: string }[] }[] }[] };
  const spans = resourceSpans.flatMap((one) => one.scopeSpans).flatMap((one) => one.spans);
  expect(spans.length).toBeGreaterThan(0);
  for (const span of spans) expect(`${span.traceId} ${span.spanId}`).toMatch(/^[0-9a-f]{32} [0-9a-f]{16}$/);
});

test("the transcript has the chapters", async ({ page }) => {
  await openExport(page);
  const text = await save(page, "Transcript (Markdown)");
  expect(text).toContain("## Chapter 1: kubectl builds and sends the request");
  expect(text.match(/^## Chapter /gm)?.length).toBeGreaterThan(5);
});

test("events and objects are what kubectl prints", async ({ page }) => {
  await openExport(page);
  expect(await save(page, "Events")).toMatch(/^NAMESPACE +LAST SEEN +TYPE +REASON +OBJECT +MESSAGE\n[\s\S]*Scheduled/);
  expect(await save(page, "Objects (YAML)")).toMatch(/^apiVersion: v1\nitems:\n[\s\S]*kind: Pod[\s\S]*kind: List/);
});
