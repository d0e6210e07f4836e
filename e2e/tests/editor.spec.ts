import { expect, test } from "@playwright/test";
import { isPhone, openPage, panel, writeManifest } from "./page.ts";

const POD = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: typed\nspec:\n  containers:\n  - name: c\n    image: nginx:1.27\n";

test("the editor completes a field, offers its values and explains it by keyboard", async ({ page }) => {
  test.skip(isPhone(page), "phones have a plain editor");
  await openPage(page);
  const region = await panel(page, "Manifest");
  const editor = region.getByRole("textbox", { name: "Manifest" });
  await editor.focus();
  await expect(editor).toHaveAttribute("aria-roledescription", "editor");
  await writeManifest(page, POD);
  await page.keyboard.press("ControlOrMeta+End");
  await page.keyboard.type("  restartP");
  const field = page.getByRole("option", { name: /restartPolicy/ });
  await expect(field).toBeVisible();
  await page.keyboard.press("Enter");
  for (const value of ["Always", "OnFailure", "Never"]) await expect(page.getByRole("option", { name: new RegExp(`^${value}`) })).toBeVisible();
  await page.keyboard.type("Nev");
  await page.keyboard.press("Enter");
  await expect(editor).toHaveValue(/restartPolicy: Never/);
  await page.keyboard.press("Control+k");
  await page.keyboard.press("Control+i");
  const docs = page.getByRole("tooltip").filter({ hasText: "spec.restartPolicy" });
  await expect(docs).toContainText("one of Always, OnFailure, Never");
  await page.keyboard.press("Escape");
  await expect(docs).toBeHidden();
});

test("wrong values are told in the server's words, at their line", async ({ page }) => {
  await openPage(page);
  await writeManifest(page, `${POD}  restartPolicy: Sometimes\n`);
  const region = await panel(page, "Manifest");
  await expect(region.getByRole("button", { name: /^line 9: spec\.restartPolicy: Unsupported value: "Sometimes"/ })).toBeVisible();
});

test("the plain editor offers the same suggestions", async ({ page }) => {
  test.skip(!isPhone(page), "desktops have the rich editor");
  await openPage(page);
  await writeManifest(page, `${POD}  restartPolicy: `);
  const region = await panel(page, "Manifest");
  await region.getByRole("list", { name: "Suggestions" }).getByRole("button", { name: /^Never/ }).click();
  await expect(region.getByRole("textbox", { name: "Manifest" })).toHaveValue(/restartPolicy: Never$/);
});
