import { expect, type Page, test } from "@playwright/test";
import { button, openMenu, openPage, panel, root, time } from "./page.ts";

/** The crash-loop sample at 25 s: its second back-off, of 20 s, has just begun. */
const CRASH = "#/v1/s/crash?t=25000000";

async function openWaits(page: Page, name: RegExp): Promise<ReturnType<Page["getByRole"]>> {
  const stage = await panel(page, "Stage");
  await stage.getByRole("button", { name }).first().click();
  const inspector = await panel(page, "Inspector");
  await inspector.getByRole("tab", { name: "Waits" }).click();
  return inspector;
}

test("a Pod in a crash loop says on the stage how long it still waits, and on which rung", async ({ page }) => {
  await openPage(page, CRASH);
  const stage = await panel(page, "Stage");
  const pod = stage.getByRole("button", { name: /^Pod crasher, .*back-off 20 s, 18 s left, rung 2 of 6/ });
  await expect(pod).toBeVisible();
  await expect(pod.getByText(/left · rung 2 of 6$/)).toBeVisible();

  // One second later there is a second less to go.
  await page.getByRole("textbox", { name: "Time" }).fill("26 s");
  await page.getByRole("textbox", { name: "Time" }).press("Enter");
  await expect(stage.getByRole("button", { name: /^Pod crasher, .*back-off 20 s, 17 s left/ })).toBeVisible();
});

test("the ladder, the rule and the end of a back-off, and the way there", async ({ page }) => {
  await openPage(page, CRASH);
  const inspector = await openWaits(page, /^Pod crasher/);
  const ladder = inspector.getByRole("list", { name: "Ladder of 6 rungs" });
  await expect(ladder.getByRole("listitem")).toHaveText([/10 s, passed/, /20 s, in force/, /40 s$/, /80 s$/, /160 s$/, /5 min$/]);
  await expect(ladder.getByRole("listitem").nth(1)).toHaveAttribute("aria-current", "step");
  await expect(inspector.getByRole("progressbar", { name: "Crash-loop back-off: time passed" })).toHaveAttribute("aria-valuetext", /^18 s left of 20 s$/);
  await expect(inspector.getByText(/^At 47\.\d{3} s, \d\.\d s after its end, the Pod worker wakes and starts the container\.$/)).toBeVisible();
  await expect(inspector.getByText(/each further restart doubles the back-off/)).toBeVisible();

  const stop = inspector.getByRole("button", { name: "Stop when event Started on Pod/crasher" });
  await stop.click();
  await expect(stop).toHaveAttribute("aria-pressed", "true");

  await inspector.getByRole("button", { name: "Go to the end of the wait" }).click();
  await expect.poll(async () => time(page)).toBeGreaterThan(42_000_000);
  await expect.poll(async () => time(page)).toBeLessThan(43_000_000);
  // The back-off is over, though the worker still sleeps.
  await expect(inspector.getByText("The Pod worker sleeps")).toBeVisible();
  await expect(ladder).toBeHidden();
  await expect((await panel(page, "Stage")).getByRole("button", { name: /^Pod crasher, .*worker wakes in 5 s/ })).toBeVisible();
});

test("a Pod that fits nowhere waits at the scheduler", async ({ page }) => {
  await openPage(page, "#/v1/s/greedy?t=1000000");
  const inspector = await openWaits(page, /^kube-scheduler, .*back-off 1 s, 1 s left, rung 1 of 5/);
  await expect(inspector.getByRole("list", { name: "Ladder of 5 rungs" }).getByRole("listitem").first()).toContainText("in force");
  await expect(inspector.getByText("default/greedy, no node fits")).toBeVisible();
});

test("all that waits stands in the text view, the weightiest first and open", async ({ page }) => {
  await openPage(page, CRASH);
  await openMenu(page);
  await button(page, "Text view").click();
  const waits = page.getByRole("list", { name: "Waits" });
  await expect(waits.getByRole("list", { name: "Ladder of 6 rungs" })).toBeVisible();
  await expect(waits.getByText("Node Lease").first()).toBeVisible();
  await expect(root(page)).toHaveAttribute("data-time", "25000000");
});
