import { expect, type Page, test } from "@playwright/test";
import { kubectl, newRun, openPage, panel, root, seek, settled, toEnd } from "./page.ts";

/** Chooses a sample from the menu, and waits until its whole story is simulated. */
async function choose(page: Page, title: string): Promise<void> {
  await page.getByRole("combobox", { name: "Sample" }).selectOption({ label: title });
  await newRun(page);
  await expect(root(page)).toHaveAttribute("data-millipod-state", "ready", { timeout: 60_000 });
}

/** Replicas that are ready and wanted, as kubectl printed them last for a Deployment: "4/4". */
async function expectReplicas(page: Page, name: string, want: RegExp): Promise<void> {
  const log = await kubectl(page, `kubectl get deployment ${name}`);
  const last = async (): Promise<string> => [...((await log.textContent()) ?? "").matchAll(new RegExp(`${name}\\s+(\\d+/\\d+)`, "g"))].at(-1)?.[1] ?? "";
  await expect.poll(last).toMatch(want);
}

test("the autoscaler's replicas grow with the load, and are one again in the end", async ({ page }) => {
  await openPage(page);
  await choose(page, "Autoscaler under load");
  await expect(page.getByText(/Watch the replicas follow/).first()).toBeAttached();
  await seek(page, "19 s");
  await settled(page);
  await expectReplicas(page, "php-apache", /^1\/1$/);
  await seek(page, "200 s");
  await settled(page);
  // All that are wanted are ready.
  await expectReplicas(page, "php-apache", /^([3-9]|10)\/\1$/);
  await toEnd(page);
  await expectReplicas(page, "php-apache", /^1\/1$/);
});

test("a night is there in seconds, with its turning points", async ({ page }) => {
  test.slow();
  await openPage(page, "#/v1/s/night?t=0", 90_000);
  const story = await panel(page, "Story");
  await story.getByRole("button", { name: /does not start the Job of 01:30/ }).click();
  await settled(page);
  await expect(page.getByRole("status").first()).toContainText("does not start the Job of 01:30");
  await toEnd(page);
  await expect(await kubectl(page, "kubectl get jobs")).toContainText(/Failed\s+0\/1/);
});

test("what a sample still brings comes in a fork too", async ({ page }) => {
  await openPage(page, "#/v1/s/rolling?t=4000000");
  const log = await kubectl(page, "kubectl label deployment web team=blue");
  await newRun(page);
  await expect(log).toContainText("deployment.apps/web labeled");
  await panel(page, "Timeline");
  await toEnd(page);
  await expect(await kubectl(page, "kubectl get deployment web --show-labels -o wide")).toContainText(/nginx:1\.28.*team=blue/);
});
