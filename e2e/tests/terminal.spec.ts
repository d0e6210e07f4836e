import { expect, test } from "@playwright/test";
import { button, isPhone, kubectl, newRun, openPage, panel, root, toEnd } from "./page.ts";

test("Tab completes, Tab twice lists what the cluster has, and earlier commands come back", async ({ page }) => {
  test.skip(isPhone(page), "needs a keyboard");
  await openPage(page);
  await toEnd(page);
  const region = await panel(page, "Terminal");
  const prompt = region.getByRole("textbox", { name: "kubectl command" });
  await prompt.focus();
  await page.keyboard.type("k desc");
  await page.keyboard.press("Tab");
  await expect(prompt).toHaveValue("k describe ");
  await page.keyboard.type("pod ngi");
  await page.keyboard.press("Tab");
  await expect(prompt).toHaveValue("k describe pod nginx ");
  await prompt.fill("kubectl get node worker-node-0");
  await page.keyboard.press("Tab");
  await expect(region.getByText(/completions: Tab lists them/)).toBeVisible();
  await page.keyboard.press("Tab");
  await expect(region.getByRole("option", { name: /^worker-node-01/ })).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(prompt).toHaveValue("kubectl get node worker-node-02 ");
  await page.keyboard.press("Enter");
  await expect(region.getByRole("log")).toContainText(/worker-node-02\s+Ready/);
  await page.keyboard.press("Control+r");
  await page.keyboard.type("worker-node-0");
  await expect(region.getByText("kubectl get node worker-node-02", { exact: true })).toBeVisible();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+l");
  await expect(region.getByRole("log")).not.toContainText("node-02");
});

test("a here-document is applied", async ({ page }) => {
  await openPage(page);
  await toEnd(page);
  const log = await kubectl(page, "kubectl apply -f - <<EOF\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: pasted\ndata:\n  a: b\nEOF");
  await expect(log).toContainText("configmap/pasted created");
});

test("a watch prints as time goes on, and Ctrl+C ends it", async ({ page }) => {
  test.skip(isPhone(page), "needs a keyboard");
  await openPage(page);
  const log = await kubectl(page, "kubectl get pods -w");
  await expect(log.getByRole("button", { name: "Stop, Ctrl+C" })).toBeVisible();
  await toEnd(page);
  await expect(log).toContainText(/nginx\s+1\/1\s+Running/);
  await page.getByRole("textbox", { name: "kubectl command" }).focus();
  await page.keyboard.press("Control+c");
  await expect(log.getByRole("button", { name: "Stop, Ctrl+C" })).toBeHidden();
  await expect(log).toContainText("^C at");
});

test("kubectl edit opens the object in the editor and goes on when it is closed", async ({ page }) => {
  test.skip(isPhone(page), "types in the rich editor");
  await openPage(page);
  await toEnd(page);
  const log = await kubectl(page, "kubectl edit service nginx");
  const region = await panel(page, "Manifest");
  await expect(region.getByText("Editing service/nginx")).toBeVisible();
  const editor = region.getByRole("textbox", { name: "Manifest" });
  await expect(editor).toHaveValue(/# Please edit the object below/);
  const text = await editor.inputValue();
  await editor.focus();
  await expect(editor).toHaveAttribute("aria-roledescription", "editor");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText(text.replace("  name: nginx\n", "  name: nginx\n  labels: {edited: by-hand}\n"));
  await button(page, "Save and close").click();
  await newRun(page);
  await expect(root(page)).toHaveAttribute("data-millipod-state", "ready");
  await expect(log).toContainText("service/nginx edited");
  await expect(region.getByText("Editing service/nginx")).toBeHidden();
  await expect(region.getByRole("button", { name: "Apply" })).toBeVisible();
});
