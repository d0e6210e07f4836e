import { expect, type Locator, type Page } from "@playwright/test";

export type PanelName = "Stage" | "Timeline" | "Story" | "Inspector" | "Events" | "Manifest" | "Terminal" | "Break it";

/** What the button, tab or link that shows a panel may be called where there is no room for all panels. */
const SWITCHES: Record<PanelName, RegExp> = {
  Stage: /^stage$/i,
  Timeline: /^timeline$/i,
  Story: /^story$/i,
  Inspector: /^(inspect|inspector)$/i,
  Events: /^events$/i,
  Manifest: /^(yaml|manifest)$/i,
  Terminal: /^terminal$/i,
  "Break it": /^break( it)?$/i,
};

export const root = (page: Page): Locator => page.locator("[data-millipod-state]");
export const isPhone = (page: Page): boolean => (page.viewportSize()?.width ?? 0) < 900;
export const caption = (page: Page): Locator => page.getByRole("status").first();
export const button = (page: Page, name: string): Locator => page.getByRole("button", { name, exact: true }).first();

/** Opens the page and waits until its run can be stepped through. */
export async function openPage(page: Page, hash = "", timeout = 30_000): Promise<void> {
  await page.goto(`./${hash}`);
  await expect(root(page)).toHaveAttribute("data-millipod-state", "ready", { timeout });
}

/** The panel, shown first if the layout hides it. */
export async function panel(page: Page, name: PanelName): Promise<Locator> {
  const region = page.getByRole("region", { name, exact: true });
  if (!(await region.isVisible())) {
    const control = page.getByRole("tab", { name: SWITCHES[name] }).or(page.getByRole("button", { name: SWITCHES[name] }));
    await control.locator("visible=true").first().click();
  }
  await expect(region).toBeVisible();
  return region;
}

/** Simulated time of the playhead in microseconds. */
export async function time(page: Page): Promise<number> {
  const text = await root(page).getAttribute("data-time");
  expect(text, "data-time is whole microseconds").toMatch(/^\d+$/);
  return Number(text);
}

/** "step 14 of 61, 2.114388 s, ..." of the playhead. */
export async function step(page: Page): Promise<{ readonly number: number; readonly of: number }> {
  const text = (await page.getByRole("slider", { name: "Playhead" }).getAttribute("aria-valuetext")) ?? "";
  const match = /^step (\d+) of (\d+), [\d.]+ s, /.exec(text);
  expect(match, `aria-valuetext "${text}"`).not.toBeNull();
  return { number: Number(match?.[1]), of: Number(match?.[2]) };
}

/** The playhead at the end of the run. */
export async function toEnd(page: Page): Promise<void> {
  await page.getByRole("slider", { name: "Playhead" }).press("End");
  await settled(page);
}

/** What a narrow page keeps in its menu. */
export async function openMenu(page: Page): Promise<void> {
  if (isPhone(page)) await button(page, "Menu").click();
}

/** Waits until a step's animation is over. */
export async function settled(page: Page): Promise<number> {
  let before = -1;
  await expect.poll(async () => {
    const now = await time(page);
    const still = now === before;
    before = now;
    return still;
  }, { intervals: [150] }).toBe(true);
  return before;
}

/** Replaces the whole manifest, in Monaco or in the plain editor. */
export async function writeManifest(page: Page, text: string): Promise<void> {
  const region = await panel(page, "Manifest");
  const editor = region.getByRole("textbox", { name: "Manifest" });
  await editor.focus();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText(text);
}

/** Applies the manifest and waits for its run, which plays from there, or for the refusal. */
export async function apply(page: Page): Promise<void> {
  await panel(page, "Manifest");
  await button(page, "Apply").click();
  await newRun(page);
}

/** Waits until a change has become a run of its own, or an alert, and stops the playing. */
export async function newRun(page: Page): Promise<void> {
  await expect(page.getByRole("button", { name: "Pause", exact: true }).or(page.getByRole("alert")).first()).toBeVisible({ timeout: 30_000 });
  await expect(root(page)).toHaveAttribute("data-millipod-state", /ready|failed/, { timeout: 30_000 });
}

/** Runs a kubectl command in the terminal; its output appears in the log. */
export async function kubectl(page: Page, command: string): Promise<Locator> {
  const region = await panel(page, "Terminal");
  await region.getByRole("textbox", { name: "kubectl command" }).fill(command);
  await page.keyboard.press("Enter");
  return region.getByRole("log", { name: "Terminal output" });
}

/** Puts the playhead at a time written as a user would ("2.5 s", "50ms"). */
export async function seek(page: Page, text: string): Promise<void> {
  const field = page.getByRole("textbox", { name: "Time", exact: true });
  await field.fill(text);
  await field.press("Enter");
}
