import { expect, test } from "@playwright/test";
import { button, caption, openMenu, openPage, panel, root, time } from "./page.ts";

test("playing stops at a breakpoint that was typed, and a link sets it again", async ({ page }) => {
  await openPage(page, "#/v1/s/greedy?t=99800");
  await openMenu(page);
  await button(page, "Stop when").click();
  const dialog = page.getByRole("dialog", { name: "Stop when…" });
  await dialog.getByRole("textbox", { name: "Condition" }).or(dialog.getByRole("combobox", { name: "Condition" })).fill("when pigs fly");
  await dialog.getByRole("button", { name: "Set" }).click();
  await expect(dialog.getByText(/^not understood: write it like/)).toBeVisible();
  await dialog.getByLabel("Condition").fill("event FailedScheduling");
  await dialog.getByRole("button", { name: "Set" }).click();
  await expect(dialog.getByRole("checkbox", { name: "event FailedScheduling" })).toBeChecked();
  await expect(dialog.getByText(/^\d+×, next at 0\./)).toBeVisible();
  await dialog.getByRole("button", { name: "Close" }).click();
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await expect(caption(page)).toContainText("Stopped at the breakpoint event FailedScheduling");
  const stopped = await time(page);
  expect(stopped).toBeGreaterThan(0);
  await expect(page).toHaveURL(/bp=event%20FailedScheduling/);

  const other = await page.context().newPage();
  await openPage(other, new URL(page.url()).hash.replace(/t=\d+/, "t=99800"));
  await openMenu(other);
  await button(other, "Stop when: 1 breakpoint").click();
  await other.getByRole("dialog").getByRole("button", { name: "Run to the next" }).click();
  await expect(root(other)).toHaveAttribute("data-time", String(stopped));
});

test("every field says why, and can be stopped at", async ({ page }) => {
  await openPage(page, "#/v1/s/nginx?t=400000");
  const stage = await panel(page, "Stage");
  await stage.getByRole("button", { name: /^Pod nginx/ }).first().click();
  const inspector = await panel(page, "Inspector");
  await inspector.getByRole("tab", { name: "Why each field" }).click();
  await inspector.getByRole("searchbox", { name: "Find a field" }).fill("nodeName");
  await inspector.getByRole("button", { name: /^Why is spec\.nodeName/ }).click();
  await expect(inspector.getByText("Why? From here back to the beginning")).toBeVisible();
  await expect(inspector.getByRole("button", { name: /kube-scheduler/ }).first()).toBeVisible();
  await inspector.getByRole("searchbox", { name: "Find a field" }).fill("status.phase");
  const stop = inspector.getByRole("button", { name: /^Stop when pod\/default\/nginx status\.phase != Pending/ });
  await stop.click();
  await expect(stop).toHaveAttribute("aria-pressed", "true");
});
