import { expect, test } from "@playwright/test";
import { openPage, panel, root, time } from "./page.ts";

test("a fault begins and ends when conditions hold, and the link holds the times", async ({ page }) => {
  await openPage(page, "#/v1/s/nginx?t=0");
  const region = await panel(page, "Break it");
  await region.getByRole("button", { name: /^The kubelet of a node is stopped/ }).click();
  const begins = region.getByRole("group", { name: "Begins" });
  await begins.getByLabel("Begins when", { exact: true }).fill("when pigs fly");
  await expect(begins.getByRole("radio", { name: "when" })).toBeChecked();
  await region.getByRole("button", { name: "Inject" }).click();
  await expect(region.getByRole("alert")).toHaveText(/^Not understood: write it like/);
  await begins.getByLabel("Begins when", { exact: true }).fill("event Scheduled");
  const ends = region.getByRole("group", { name: "Ends" });
  await ends.getByLabel("Ends when", { exact: true }).fill("node Ready = Unknown");
  await expect(ends.getByRole("radio", { name: "when" })).toBeChecked();
  await region.getByRole("button", { name: "Inject" }).click();
  await page.getByRole("button", { name: "Pause", exact: true }).click({ timeout: 30_000 });
  await expect(page).toHaveURL(/i=kubelet\.stopped/, { timeout: 30_000 });
  const [, begin = "", end = ""] = /i=kubelet\.stopped@(\d+)-(\d+)/.exec(decodeURIComponent(page.url())) ?? [];
  expect(Number(begin)).toBeGreaterThan(0);
  // The node controller waits 50 s after the last status.
  expect(Number(end) - Number(begin)).toBeGreaterThan(35_000_000);
});

test("a fault begins when a message is sent, for a while", async ({ page }) => {
  await openPage(page, "#/v1/s/nginx?t=0");
  const region = await panel(page, "Break it");
  await region.getByRole("button", { name: /^The scheduler is down/ }).click();
  await region.getByLabel("Begins at message", { exact: true }).fill("x");
  await region.getByRole("button", { name: "Inject" }).click();
  await expect(region.getByRole("alert")).toHaveText("Write the number of a message: the inspector shows it.");
  await region.getByLabel("Begins at message", { exact: true }).fill("400");
  await region.getByLabel("Ends after", { exact: true }).fill("3s");
  await region.getByRole("button", { name: "Inject" }).click();
  await page.getByRole("button", { name: "Pause", exact: true }).click({ timeout: 30_000 });
  await expect(page).toHaveURL(/i=scheduler\.down/, { timeout: 30_000 });
  const [, begin = "", end = ""] = /i=scheduler\.down@(\d+)-(\d+)/.exec(decodeURIComponent(page.url())) ?? [];
  expect(Number(end) - Number(begin)).toBe(3_000_000);
  await expect(root(page)).toHaveAttribute("data-millipod-state", "ready");
  expect(await time(page)).toBeGreaterThanOrEqual(0);
});
