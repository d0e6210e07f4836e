import { expect, test } from "@playwright/test";
import { button, caption, isPhone, openMenu, openPage, panel, root, seek, settled, step, time, toEnd } from "./page.ts";

test("loads ready, paused at the first step of a finished run", async ({ page }) => {
  await openPage(page);
  expect((await step(page)).number).toBe(1);
  expect((await step(page)).of).toBeGreaterThanOrEqual(20);
  await expect(button(page, "Play")).toBeVisible();
  const at = await time(page);
  await page.waitForTimeout(500);
  expect(await time(page)).toBe(at);
  await expect(caption(page)).not.toBeEmpty();
});

test("next and previous step move the playhead and the caption, and come back to the same time", async ({ page }) => {
  await openPage(page);
  const start = await time(page);
  const first = await caption(page).innerText();
  for (const wanted of [2, 3, 4]) {
    await button(page, "Next step").click();
    await settled(page);
    expect((await step(page)).number).toBe(wanted);
  }
  expect(await time(page)).toBeGreaterThanOrEqual(start);
  expect(await caption(page).innerText()).not.toBe(first);
  for (const _ of [3, 2, 1]) await button(page, "Previous step").click();
  await settled(page);
  expect((await step(page)).number).toBe(1);
  expect(await time(page)).toBe(start);
  expect(await caption(page).innerText()).toBe(first);
});

test("play goes on by itself and pause stops it", async ({ page }) => {
  await openPage(page);
  const start = await time(page);
  await button(page, "Play").click();
  await expect.poll(() => time(page)).toBeGreaterThan(start);
  await button(page, "Pause").click();
  const stopped = await settled(page);
  await page.waitForTimeout(400);
  expect(await time(page)).toBe(stopped);
  await expect(button(page, "Play")).toBeVisible();
});

test("first and last step", async ({ page }) => {
  await openPage(page);
  await button(page, "Last step").click();
  await settled(page);
  const { number, of } = await step(page);
  expect(number).toBe(of);
  await button(page, "First step").click();
  await settled(page);
  expect((await step(page)).number).toBe(1);
});

test("the time field seeks, and the same time shows the same state from both sides", async ({ page }) => {
  await openPage(page);
  await seek(page, "300ms");
  await expect(root(page)).toHaveAttribute("data-time", "300000");
  const forward = await caption(page).innerText();
  await toEnd(page);
  await seek(page, "0.3 s");
  await expect(root(page)).toHaveAttribute("data-time", "300000");
  expect(await caption(page).innerText()).toBe(forward);
});

test("a link with t= opens there", async ({ page }) => {
  await openPage(page);
  await seek(page, "250ms");
  const link = new URL(page.url());
  const hash = link.hash.includes("t=") ? link.hash : "#/v1/s/nginx?t=250000";
  await page.goto("about:blank");
  await openPage(page, hash);
  await expect(root(page)).toHaveAttribute("data-time", "250000");
});

test("chapters: next and previous", async ({ page }) => {
  await openPage(page);
  const story = await panel(page, "Story");
  const before = await story.innerText();
  const start = await time(page);
  await button(page, "Next chapter").click();
  await button(page, "Next chapter").click();
  await settled(page);
  expect(await time(page)).toBeGreaterThan(start);
  await expect.poll(() => story.innerText()).not.toBe(before);
  await button(page, "Previous chapter").click();
  await button(page, "Previous chapter").click();
  await settled(page);
  expect(await time(page)).toBe(start);
});

test("components on the stage say what they do now", async ({ page }) => {
  await openPage(page);
  const stage = await panel(page, "Stage");
  const scheduler = stage.getByRole("button", { name: /^kube-scheduler/ });
  await expect(scheduler).toBeVisible();
  await expect(stage.getByRole("button", { name: /^kube-apiserver/ })).toBeVisible();
  await expect(stage.getByRole("button", { name: /^etcd/ }).first()).toBeVisible();
});

test("detail shows more steps", async ({ page }) => {
  await openPage(page);
  const basic = (await step(page)).of;
  await openMenu(page);
  await page.getByRole("radiogroup", { name: "Detail" }).getByRole("radio", { name: "Operator" }).click();
  await expect.poll(async () => (await step(page)).of).toBeGreaterThan(basic);
});

test("the caption, the story and the timeline agree on the chapter at every step", async ({ page }) => {
  test.skip(isPhone(page), "the flags need a wide timeline");
  await openPage(page);
  const story = await panel(page, "Story");
  const { of } = await step(page);
  for (let i = 1; i <= of; i += 3) {
    await page.getByRole("textbox", { name: "Step", exact: true }).fill(String(i));
    await page.keyboard.press("Enter");
    const told = /Chapter (\d+)/.exec(await caption(page).innerText())?.[1] ?? "";
    await expect(story.getByText(new RegExp(`^Chapter ${told} of 15`))).toBeVisible();
    await expect(page.locator("[aria-label='Chapters on the timeline'] [aria-current=step]")).toHaveText(told);
  }
});

test("what is pinned gets the room, and gives it back", async ({ page }) => {
  test.skip(isPhone(page), "a phone shows one panel at a time");
  await openPage(page);
  const inspector = await panel(page, "Inspector");
  const height = async (): Promise<number> => (await inspector.boundingBox())?.height ?? 0;
  const before = await height();
  await (await panel(page, "Stage")).getByRole("button", { name: /^kube-scheduler/ }).click();
  await expect.poll(height).toBeGreaterThan(before * 1.5);
  await button(page, "Unpin").click();
  await expect.poll(height).toBe(before);
});

test("the story's way to a fault opens its card", async ({ page }) => {
  await openPage(page);
  await panel(page, "Story");
  await seek(page, "98ms");
  await page.getByRole("button", { name: "The etcd leader crashes" }).first().click();
  await expect(page.getByRole("region", { name: "Break it" }).getByRole("button", { name: "Inject" })).toBeVisible();
});
