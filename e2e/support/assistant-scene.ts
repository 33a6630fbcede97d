import { type Browser, expect, type Page } from "@playwright/test";
import { type JoinedDatabase, joinDatabase } from "@/e2e/support/join-database";
import { button, signInWithoutForm } from "@/e2e/support/journey";
import { type CallbackServer, openCallback } from "@/e2e/support/local-servers";

/** A browser with the demo's owner signed in, a program on this machine to return to, and the database. */
export interface SignedInScene {
  page: Page;
  callback: CallbackServer;
  database: JoinedDatabase;
  close: () => Promise<void>;
}

export async function openSignedInScene(browser: Browser): Promise<SignedInScene> {
  const callback = await openCallback();
  const database = await joinDatabase();
  const context = await browser.newContext();
  const page = await context.newPage();
  await signInWithoutForm(page);
  const close = async () => {
    await context.close();
    await database.close();
    await callback.close();
  };
  return { page, callback, database, close };
}

/**
 * Opens a request for access in the browser of a signed-in member, and answers it.
 * @returns the parameters with which the browser returned to the assistant
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
