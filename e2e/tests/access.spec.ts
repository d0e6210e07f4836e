import AxeBuilder from "@axe-core/playwright";
import { expect, test } from "@playwright/test";
import { button, isPhone, openMenu, openPage, panel, root, settled, step, time, toEnd } from "./page.ts";

test("nothing is asked of another origin", async ({ page }) => {
  const elsewhere: string[] = [];
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.protocol.startsWith("http") && url.origin !== new URL(page.url() === "about:blank" ? request.url() : page.url()).origin) elsewhere.push(request.url());
  });
  await openPage(page);
  const { origin } = new URL(page.url());
  for (const name of ["Manifest", "Story", "Events", "Inspector", "Break it"] as const) await panel(page, name);
  await toEnd(page);
  expect(elsewhere.filter((url) => !url.startsWith(origin))).toEqual([]);
});

test("no error is logged", async ({ page }) => {
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  await openPage(page);
  await button(page, "Next chapter").click();
  await toEnd(page);
  expect(problems).toEqual([]);
});

for (const scheme of ["light", "dark"] as const) {
  test(`axe finds nothing serious, ${scheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
    await openPage(page);
    // Monaco's own dimmed line numbers are third-party markup.
    const { violations } = await new AxeBuilder({ page }).exclude(".monaco-editor").analyze();
    const serious = violations.filter((violation) => violation.impact === "serious" || violation.impact === "critical");
    expect(serious.map((violation) => `${violation.id}: ${violation.nodes.map((node) => node.target.join(" ")).join(", ")}`)).toEqual([]);
  });
}

test("the page fits its width", async ({ page }) => {
  await openPage(page);
  const { scroll, width } = await page.evaluate(() => ({ scroll: document.documentElement.scrollWidth, width: document.documentElement.clientWidth }));
  expect(scroll).toBeLessThanOrEqual(width);
});

test("targets are large enough to hit", async ({ page }) => {
  await openPage(page);
  const least = isPhone(page) ? 44 : 24;
  for (const name of ["Play", "Next step", "Previous step", "Next chapter", "Previous chapter"]) {
    const box = await button(page, name).boundingBox();
    expect(box?.height, name).toBeGreaterThanOrEqual(least);
    expect(box?.width, name).toBeGreaterThanOrEqual(least);
  }
});

test("keyboard only: step, jump, play, pause", async ({ page }) => {
  test.skip(isPhone(page), "needs a keyboard");
  await openPage(page);
  const slider = page.getByRole("slider", { name: "Playhead" });
  for (let i = 0; i < 60 && !(await slider.evaluate((element) => element === document.activeElement)); i++) await page.keyboard.press("Tab");
  await expect(slider).toBeFocused();
  await page.keyboard.press("ArrowRight");
  await settled(page);
  expect((await step(page)).number).toBe(2);
  await page.keyboard.press("ArrowLeft");
  await settled(page);
  expect((await step(page)).number).toBe(1);
  await page.keyboard.press("End");
  await settled(page);
  const { number, of } = await step(page);
  expect(number).toBe(of);
  await page.keyboard.press("Home");
  await settled(page);
  expect((await step(page)).number).toBe(1);
  const start = await time(page);
  await page.keyboard.press("k");
  await expect.poll(() => time(page)).toBeGreaterThan(start);
  await page.keyboard.press("k");
  const stopped = await settled(page);
  await page.waitForTimeout(400);
  expect(await time(page)).toBe(stopped);
});

test("keyboard only: Ctrl+Enter applies, and Tab can leave the editor", async ({ page }) => {
  test.skip(isPhone(page), "needs a keyboard");
  await openPage(page);
  const region = await panel(page, "Manifest");
  const editor = region.getByRole("textbox", { name: "Manifest" });
  await editor.focus();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText("apiVersion: v1\nkind: Pod\nmetadata:\n  name: keys\nspec:\n  containers:\n    - name: c\n      image: nginx:1.27\n");
  await page.keyboard.press("ControlOrMeta+Enter");
  await expect(root(page)).toHaveAttribute("data-millipod-state", "ready", { timeout: 30_000 });
  await expect(page.getByRole("log", { name: "Terminal output" })).toContainText("pod/keys created");
  await editor.focus();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Tab");
  await expect(editor).not.toBeFocused();
});

test("text view tells the same run in words", async ({ page }) => {
  await openPage(page);
  await openMenu(page);
  await button(page, "Text view").click();
  await expect(page.getByRole("heading", { name: "Now", exact: true })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Components", exact: true })).toBeVisible();
});
