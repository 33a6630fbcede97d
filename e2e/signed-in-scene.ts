import type { Browser, Page } from "@playwright/test";
import { type CallbackServer, openCallback } from "@/e2e/callback-server";
import { type JoinedDatabase, joinDatabase } from "@/e2e/join-database";
import { signInWithoutForm } from "@/e2e/journey";

/** A browser in which the demo's owner is signed in, a program on this machine to come back to, and the database. */
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
