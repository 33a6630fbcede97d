import { expect, type Page } from "@playwright/test";
import type { CallbackServer } from "@/e2e/callback-server";
import { button } from "@/e2e/journey";

/**
 * Opens a request for access in the browser of somebody who is signed in, and answers it.
 * @returns with what the browser was sent back to the assistant
 */
export async function answerConsent(
  page: Page,
  url: string,
  answer: "CONNECT" | "NOT_NOW",
  callback: CallbackServer,
): Promise<URLSearchParams> {
  await page.goto(url);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("wants to connect to");
  await button(page, answer === "CONNECT" ? /^Connect$/ : /^Not now$/).click();
  await expect(page.getByRole("heading", { name: "Back at the assistant" })).toBeVisible();
  const back = callback.take();
  if (!back) throw new Error("The browser was not sent back to the assistant");
  return back;
}
