import { expect, type Page, test } from "@playwright/test";
import { button, kubectl, openPage, panel, root, seek } from "./page.ts";

const COMPLAINT = "New Pods stay Pending, and there is not one event that says why.";

async function openList(page: Page): Promise<void> {
  const region = await panel(page, "Break it");
  await region.getByRole("button", { name: "Diagnose" }).click();
}

test("an exercise hides its fault until it is found, and then shows it and mends it", async ({ page }) => {
  await openPage(page);
  await openList(page);
  const list = page.getByRole("dialog", { name: "Diagnose" });
  await list.getByRole("button", { name: COMPLAINT }).click();
  const card = page.getByRole("region", { name: "Exercise" });
  await expect(card).toContainText(COMPLAINT);
  await expect(root(page)).toHaveAttribute("data-millipod-state", "ready", { timeout: 30_000 });
  await expect(root(page)).toHaveAttribute("data-time", "25000000");
  // Neither the page's text nor its address tells.
  await expect(page.getByRole("region", { name: "Stage" })).not.toContainText(/\bfault\b/i);
  await expect(page.getByRole("status").first()).not.toContainText(/\bfault\b|scheduler is down/i);
  expect(page.url()).not.toContain("scheduler");
  await expect(page.getByRole("button", { name: /, fault: / })).toHaveCount(0);

  await card.getByRole("button", { name: "Hint" }).click();
  await expect(card).toContainText("Who holds the lease");
  await card.getByRole("button", { name: "Hint" }).click();
  await expect(card.getByRole("button", { name: "kubectl get pods" })).toBeVisible();
  await expect(await kubectl(page, "kubectl get pods")).toContainText("Pending");

  await card.getByRole("button", { name: "Answer" }).click();
  const answer = page.getByRole("dialog", { name: "What is broken, and where?" });
  await answer.getByRole("radio", { name: "kube-scheduler" }).check();
  await answer.getByRole("group", { name: "What is it?" }).getByRole("radio").filter({ hasNot: page.getByText("The scheduler does not run") }).first().check();
  const wrong = await answer.getByRole("radio", { name: "The scheduler does not run" }).isChecked();
  if (!wrong) {
    await answer.getByRole("button", { name: "That is it" }).click();
    await expect(answer.getByText("The place is right, the cause is not.")).toBeVisible();
  }
  await answer.getByRole("radio", { name: "The scheduler does not run" }).check();
  await answer.getByRole("button", { name: "That is it" }).click();
  await expect(card).toContainText("Found.");
  await expect(root(page)).toHaveAttribute("data-millipod-state", "ready", { timeout: 30_000 });
  await card.getByRole("button", { name: "Show how it came about" }).click();
  await expect(await panel(page, "Inspector")).toContainText("Fault scheduler.down begins");
  await seek(page, "25 s");
  await expect(root(page)).toHaveAttribute("data-time", "25000000");
  await card.getByRole("button", { name: "Mend it here" }).click();
  await expect((await panel(page, "Terminal")).getByRole("log", { name: "Terminal output" })).toContainText("in the run “exercise, mended”");
  await expect(root(page)).toHaveAttribute("data-millipod-state", "ready", { timeout: 30_000 });
  await seek(page, "50 s");
  await expect(root(page)).toHaveAttribute("data-time", "50000000", { timeout: 30_000 });
  await expect(await kubectl(page, "kubectl get deployment web")).toContainText("4/4");
  await card.getByRole("button", { name: "Next exercise" }).click();
  await expect(list.getByText("✓ found")).toHaveCount(1);
});

test("a link opens an exercise without saying what it is", async ({ page }) => {
  await openPage(page);
  await openList(page);
  await page.getByRole("dialog", { name: "Diagnose" }).getByRole("button", { name: "A new Pod never starts, and no registry is asked." }).click();
  await expect(page.getByRole("region", { name: "Exercise" })).toBeVisible();
  await expect(root(page)).toHaveAttribute("data-millipod-state", "ready", { timeout: 30_000 });
  await expect(page).toHaveURL(/&x=[\w-]+&t=20000000/);
  const other = await page.context().newPage();
  await openPage(other, new URL(page.url()).hash);
  const card = other.getByRole("region", { name: "Exercise" });
  await expect(card).toContainText("A new Pod never starts, and no registry is asked.");
  await card.getByRole("button", { name: "Give up" }).click();
  await expect(card).toContainText("It was: The image's name is no valid name, in the manifest.");
  await expect(button(other, "Next exercise")).toBeVisible();
});
