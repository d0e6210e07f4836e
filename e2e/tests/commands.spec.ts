import { expect, test } from "@playwright/test";
import { button, caption, isPhone, openMenu, openPage, panel, root, seek, time } from "./page.ts";

test("any command is found by typing, and run from the keyboard", async ({ page }) => {
  await openPage(page, "#/v1/s/nginx?t=100000");
  await page.keyboard.press("ControlOrMeta+k");
  const dialog = page.getByRole("dialog", { name: "All commands" });
  const field = dialog.getByRole("combobox", { name: "Command" });
  await expect(field).toBeFocused();
  await field.fill("next chap");
  await expect(dialog.getByRole("option").first()).toHaveAccessibleName(/Next chapter/);
  const before = await time(page);
  await page.keyboard.press("Enter");
  await expect(dialog).toBeHidden();
  await expect.poll(() => time(page)).toBeGreaterThan(before);

  await page.keyboard.press("ControlOrMeta+k");
  await field.fill("nothing is called this");
  await expect(dialog.getByText("Nothing is called that.")).toBeVisible();
  await field.fill("component etcd-0");
  await page.keyboard.press("Enter");
  await expect((await panel(page, "Inspector")).getByRole("heading", { name: "etcd-0", exact: true })).toBeVisible();

  await page.keyboard.press("ControlOrMeta+k");
  await field.fill("sample crashloop");
  await expect(dialog.getByRole("option", { selected: true })).toHaveAccessibleName(/CrashLoopBackOff/);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("combobox", { name: "Sample" })).toHaveValue("crash");
});

test("bookmarks and a loop are set by key, and a link has them", async ({ page }) => {
  await openPage(page, "#/v1/s/nginx?t=0");
  await seek(page, "100 ms");
  const slider = page.getByRole("slider", { name: "Playhead" });
  await slider.press("m");
  await openMenu(page);
  await expect(button(page, "Bookmarks: 1 bookmark")).toBeVisible();
  await slider.press("l");
  await slider.press("Shift+M");
  const dialog = page.getByRole("dialog", { name: "Bookmarks and loop" });
  await dialog.getByRole("textbox", { name: "Name of bookmark 1" }).fill("here it is");
  await expect(dialog.getByRole("textbox", { name: "Loop until" })).not.toHaveValue("");
  await dialog.getByRole("textbox", { name: "Loop until" }).fill("then");
  await dialog.getByRole("button", { name: "Loop", exact: true }).click();
  await expect(dialog.getByText("A time is written like 2.114 s or 50ms")).toBeVisible();
  await dialog.getByRole("textbox", { name: "Loop from" }).fill("90ms");
  await dialog.getByRole("textbox", { name: "Loop until" }).fill("101 ms");
  await dialog.getByRole("button", { name: "Loop", exact: true }).click();
  await dialog.getByRole("button", { name: "Close" }).click();
  await expect(page).toHaveURL(/b=100000~here%20it%20is&lp=90000-101000/);

  const other = await page.context().newPage();
  await openPage(other, new URL(page.url()).hash.replace(/t=\d+/, "t=5000000"));
  await button(other, "Play").click();
  await expect.poll(() => time(other)).toBeLessThan(101_001);
  await button(other, "Pause").click();
  expect(await time(other)).toBeGreaterThanOrEqual(90_000);
  await openMenu(other);
  await other.getByRole("button", { name: /^Bookmarks: 1 bookmark/ }).click();
  await other.getByRole("button", { name: /^Go to bookmark 1/ }).click();
  await expect(root(other)).toHaveAttribute("data-time", "100000");
});

test("message by message, and back", async ({ page }) => {
  test.skip(isPhone(page), "keys of the stage");
  await openPage(page, "#/v1/s/nginx?t=95000");
  const slider = page.getByRole("slider", { name: "Playhead" });
  await slider.press(".");
  const first = await time(page);
  const inspector = await panel(page, "Inspector");
  const heading = inspector.getByRole("heading").nth(1);
  const name = await heading.textContent();
  await slider.press(".");
  await expect(heading).not.toHaveText(name ?? "");
  await slider.press(",");
  await expect(heading).toHaveText(name ?? "");
  expect(await time(page)).toBe(first);
});

test("a lane's name searches the events of its components, and the search is ringed on the timeline", async ({ page }) => {
  test.skip(isPhone(page), "lanes are for wide pages");
  await openPage(page, "#/v1/s/nginx?t=400000");
  await page.getByRole("button", { name: "Search the events of etcd" }).click();
  const events = await panel(page, "Events");
  await expect(events.getByRole("searchbox", { name: "Filter events" })).toHaveValue("lane:etcd");
  await expect(events.getByRole("option").or(events.getByRole("listitem")).or(events.getByRole("button", { name: /etcd/ })).first()).toBeVisible();
  await expect(caption(page)).toBeVisible();
});
