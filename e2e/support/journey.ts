import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { z } from "zod";
import { demoFolder } from "@/e2e/support/demo-folder";
import { accountSchema } from "@/lib/contract/account";
import { type DemoDescription, demoDescriptionSchema } from "@/lib/contract/demo";
import { type Transfer, transferSchema } from "@/lib/contract/transfer";

/** The demo organization of this journey. */
export function demo(): DemoDescription {
  return demoDescriptionSchema.parse(JSON.parse(readFileSync(join(demoFolder(), "demo.json"), "utf8")));
}

export function accountId(name: string, of: DemoDescription = demo()): string {
  const account = of.accounts.find((candidate) => candidate.name === name);
  if (!account) throw new Error(`The demo has no account ${name}`);
  return account.id;
}

/** A call as a program makes it, with the demo key. */
export async function callApi(
  method: string,
  path: string,
  body?: unknown,
  { apiUrl, apiKey }: DemoDescription = demo(),
): Promise<unknown> {
  const response = await fetch(`${apiUrl}${path}`, {
    method,
    headers: { Authorization: `Bearer ${apiKey}`, "Content-Type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!response.ok)
    throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
  return z.object({ data: z.unknown() }).parse(await response.json()).data;
}

/** Proposes a transfer; the demo key's proposals wait for an approval. */
export async function propose(
  fields: {
    from?: string;
    to?: string;
    amountInCents: number;
    description?: string;
    reasonForApproval?: string;
  },
  of: DemoDescription = demo(),
): Promise<Transfer & { approvalUrl: string }> {
  const transfer = transferSchema.parse(
    await callApi(
      "POST",
      "/transfers",
      {
        sourceAccountId: accountId(fields.from ?? "Operating", of),
        destinationAccountId: accountId(fields.to ?? "Taxes", of),
        amountInCents: fields.amountInCents,
        description: fields.description,
        reasonForApproval: fields.reasonForApproval,
      },
      of,
    ),
  );
  if (transfer.approvalUrl === null) throw new Error("It does not wait for an approval");
  return { ...transfer, approvalUrl: transfer.approvalUrl };
}

export async function readTransfer(id: string): Promise<Transfer> {
  return transferSchema.parse(await callApi("GET", `/transfers/${id}`));
}

/** In cents, as the API shows it. */
export async function readBalance(name: string): Promise<number> {
  const account = accountSchema.parse(await callApi("GET", `/accounts/${accountId(name)}`));
  if (account.balance?.balanceInCents == null) throw new Error(`The balance of ${name} is not known`);
  return account.balance.balanceInCents;
}

export type DemoRole = "OWNER" | "CO_OWNER" | "VIEWER";

function memberOf({ members }: DemoDescription, role: DemoRole): DemoDescription["members"][number] {
  const member = members.find((candidate) => candidate.role === role);
  if (!member) throw new Error(`The demo has no ${role}`);
  return member;
}

const SESSION_COOKIE = /session-token/;

/** Whether anyone is signed in to the product at this address in the page's browser. */
export async function hasSession(page: Page, url: string): Promise<boolean> {
  return (await page.context().cookies(url)).some(({ name }) => SESSION_COOKIE.test(name));
}

/**
 * Signs a member in without the form and the pages around it, for journeys about something else. Creates a new session
 * each time, like the form: its age decides what may be done.
 */
export async function signInWithoutForm(
  page: Page,
  role: DemoRole = "OWNER",
  of: DemoDescription = demo(),
): Promise<void> {
  const { email, password } = memberOf(of, role);
  const { csrfToken } = z
    .object({ csrfToken: z.string() })
    .parse(await (await page.request.get(`${of.appUrl}/api/auth/csrf`)).json());
  const answer = await page.request.post(`${of.appUrl}/api/auth/callback/password`, {
    form: { csrfToken, email, password },
    // The browser's own: sessions are listed and notified by the browser that began them.
    headers: { "User-Agent": await page.evaluate(() => navigator.userAgent) },
    maxRedirects: 0,
  });
  expect(await hasSession(page, of.appUrl), `signing in answered ${answer.status()}`).toBe(true);
}

/** Opens an address as a member who has just signed in. */
export async function openSignedIn(
  page: Page,
  address: string,
  role: DemoRole = "OWNER",
  of: DemoDescription = demo(),
): Promise<void> {
  await signInWithoutForm(page, role, of);
  await page.goto(address);
}

/** Fills the sign-in form that is open. */
export async function signIn(
  page: Page,
  role: DemoRole = "OWNER",
  of: DemoDescription = demo(),
): Promise<void> {
  const member = memberOf(of, role);
  await expect(page.getByRole("heading", { name: "Welcome back" })).toBeVisible();
  await page.getByLabel("Email").fill(member.email);
  await page.getByLabel("Password").fill(member.password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page).not.toHaveURL(/sign-in/);
}

/**
 * Presses keys until they are heard: no page hears any before its scripts have run.
 * @param isHeard expects what they bring about; pressing again restarts a navigation, so it waits as long as one may take
 */
export async function pressUntil(
  page: Page,
  keys: readonly string[],
  isHeard: () => Promise<void>,
): Promise<void> {
  await expect(async () => {
    for (const key of keys) await page.keyboard.press(key);
    await isHeard();
  }).toPass({ timeout: 60_000 });
}

/** The page's scripts handle presses from here on: a click or tap before that follows links as the browser does. */
export async function untilLive(page: Page): Promise<void> {
  await expect(page.locator("[data-waits]")).toHaveCount(0);
}

/** The visible button of this name: in the side panel, or in the bar on a phone. */
export function button(page: Page, name: RegExp) {
  return page.getByRole("button", { name }).filter({ visible: true }).first();
}
