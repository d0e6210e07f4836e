import { expect, test } from "@playwright/test";
import { kubectl, newRun, openPage, panel, toEnd } from "./page.ts";

test("the autoscaler's sample brings its cluster; the replicas follow the load", async ({ page }) => {
  await openPage(page, "#/v1/s/autoscaler?t=199000000");
  const log = await kubectl(page, "kubectl get hpa php-apache");
  await expect(log).toContainText(/php-apache\s+Deployment\/php-apache\s+cpu: \d+%\/50%\s+1\s+10\s+[3-9]/);
  await panel(page, "Timeline");
  await toEnd(page);
  await expect(await kubectl(page, "kubectl get deployment php-apache")).toContainText(/php-apache\s+1\/1/);
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
