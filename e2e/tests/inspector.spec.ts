import { AxeBuilder } from "@axe-core/playwright";
import { expect, test } from "@playwright/test";
import { isPhone, openPage, panel } from "./page.ts";

/** While etcd-0 has applied an entry that the others have only on disk. */
const WRITING = "#/v1/s/nginx?t=106500";

test("etcd's three logs stand side by side, as a table that can be read aloud", async ({ page }) => {
  test.skip(isPhone(page), "the stage is covered there");
  await openPage(page, WRITING);
  await page.getByRole("button", { name: /^etcd-1,/ }).click();
  const region = await panel(page, "Inspector");
  const log = region.getByRole("table", { name: /^Log entries by index at .*; etcd-0 leads$/ });
  await expect(log.getByRole("columnheader")).toHaveText(["Index", "Term", /^etcd-0/, "etcd-1", "etcd-2", "Writes"]);
  await expect(log.getByRole("row").filter({ hasText: "create pods/default/nginx" }).getByText("applied")).toHaveCount(3);
  await expect(log.getByText(/a majority has up to \d+ on disk/)).toBeVisible();
  await expect(region.getByRole("table", { name: /^Members of etcd/ }).getByRole("row", { name: /^Role/ })).toContainText("leader");
  const { violations } = await new AxeBuilder({ page }).include('section[aria-label="Inspector"]').analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ""}`)).toEqual([]);
});

test("a request shows its gates, and what defaulting changed", async ({ page }) => {
  test.skip(isPhone(page), "the stage is covered there");
  await openPage(page, `${WRITING}&d=operator`);
  await page.getByRole("button", { name: /^kube-apiserver,/ }).click();
  const region = await panel(page, "Inspector");
  const request = region.getByRole("button", { name: /POST service\/default\/nginx from kubectl/ });
  await expect(request).toHaveAttribute("aria-expanded", "true");
  const defaulting = region.getByRole("listitem").filter({ has: page.getByRole("button", { name: "Defaulting", exact: true }) }).last();
  await expect(defaulting).toContainText("changed");
  await defaulting.getByText(/fields before and after/).click();
  await expect(defaulting).toContainText("spec.sessionAffinity");
  await expect(region.getByRole("button", { name: "pods", exact: true })).toBeVisible();
  const { violations } = await new AxeBuilder({ page }).include('section[aria-label="Inspector"]').analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ""}`)).toEqual([]);
});
