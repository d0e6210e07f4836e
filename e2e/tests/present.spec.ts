import { expect, test } from "@playwright/test";
import { isPhone, openPage, panel, root, time, writeManifest } from "./page.ts";

test("presenting: one key for all, notes for the presenter, and a second window that follows", async ({ page }) => {
  test.skip(isPhone(page), "a hall has a large screen");
  await openPage(page, "#/v1/s/nginx?t=0");
  await page.getByRole("slider", { name: "Playhead" }).press("p");
  const notes = page.getByRole("region", { name: "Notes" });
  await expect(notes).toContainText("kubectl builds and sends the request");
  await expect(page.getByRole("region", { name: "Manifest" })).toBeHidden();
  const [second] = await Promise.all([page.waitForEvent("popup"), page.getByRole("button", { name: "Second window" }).click()]);
  await expect(root(second)).toHaveAttribute("data-millipod-state", "ready", { timeout: 30_000 });
  await expect(second.getByRole("region", { name: "Notes" })).toBeHidden();
  await page.bringToFront();
  for (let i = 0; i < 3; i++) await page.keyboard.press("PageDown");
  const told = page.getByRole("status").getByText(/kubectl/).last();
  await expect(told).toBeVisible();
  await expect.poll(async () => (await time(second)) === (await time(page)) && (await time(page)) > 0).toBe(true);
  await page.keyboard.press("n");
  await expect(notes).toBeHidden();
  await page.keyboard.press("Escape");
  await expect(await panel(page, "Manifest")).toBeVisible();
});

test("what was written and not applied is offered again", async ({ page }) => {
  await openPage(page, "#/v1/s/nginx?t=0");
  await writeManifest(page, "apiVersion: v1\nkind: Pod\nmetadata: {name: unfinished}\n");
  await expect.poll(() => page.evaluate(() => localStorage.getItem("millipod.draft"))).toContain("unfinished");
  await page.reload();
  await expect(root(page)).toHaveAttribute("data-millipod-state", "ready", { timeout: 30_000 });
  const manifest = await panel(page, "Manifest");
  await expect(manifest.getByText("A draft of nginx.yaml was not applied.")).toBeVisible();
  await manifest.getByRole("button", { name: "Restore draft" }).click();
  await expect(manifest.getByText("unfinished").or(manifest.getByRole("textbox", { name: "Manifest" })).first()).toBeVisible();
  await expect(manifest.getByText(/changed lines$/)).toBeVisible();
  await manifest.getByRole("button", { name: "Undo all" }).click();
  await expect(manifest.getByText("A draft of nginx.yaml was not applied.")).toBeHidden();
});
