import { expect, test } from "@playwright/test";
import { isPhone, newRun, openPage, panel, toEnd } from "./page.ts";

test("a broken run explains itself beside the whole one, and undo brings back what was removed", async ({ page }) => {
  await openPage(page, "#/v1/s/nginx?t=300000");
  const faults = await panel(page, "Break it");
  await faults.getByRole("button", { name: /^The image is gone/ }).click();
  await faults.getByRole("button", { name: "Inject" }).click();
  await newRun(page);
  await toEnd(page);
  if (!isPhone(page)) await page.getByRole("button", { name: "Compare" }).first().click();
  const story = await panel(page, "Story");
  await story.getByRole("button", { name: "Compare" }).click();
  await expect(story.getByText(/^The image is gone from the registry: Pod nginx never becomes Ready and ends as (?:ErrImagePull|ImagePullBackOff); Events say/)).toBeVisible();
  await expect(story.getByRole("row", { name: /^nginx Ready at 1\.845 s; in the end Running, ready never Ready/ })).toBeVisible();
  await expect(story.getByText(/^After \d+ equal steps/)).toBeVisible();

  const list = await panel(page, "Break it");
  await list.getByRole("button", { name: /^Remove the run The image is gone/ }).click();
  await expect(list.getByRole("button", { name: /^Remove the run/ })).toHaveCount(0);
  await list.getByRole("button", { name: "Undo the last change" }).click();
  await expect(list.getByRole("button", { name: /^Remove the run The image is gone/ })).toBeVisible();
});

test("the critical path adds up, and a slider plays the story again, slower", async ({ page }) => {
  await openPage(page);
  const story = await panel(page, "Story");
  await story.getByRole("button", { name: "Critical path" }).click();
  await expect(story.getByText("nginx is Ready 1.84 s after kubectl apply -f nginx.yaml.")).toBeVisible();
  const slider = story.getByRole("slider", { name: /^API server/ });
  await slider.focus();
  for (let i = 0; i < 4; i++) await slider.press("ArrowRight");
  await expect(story.getByText(/nginx is Ready .* after kubectl apply/)).not.toHaveText("nginx is Ready 1.84 s after kubectl apply -f nginx.yaml.");
  await expect(story.getByRole("slider", { name: /^API server/ })).toHaveAttribute("aria-valuetext", "20 times slower");
  await story.getByRole("button", { name: "As it was" }).click();
  await expect(story.getByText("nginx is Ready 1.84 s after kubectl apply -f nginx.yaml.")).toBeVisible();
});
