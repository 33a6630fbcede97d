import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, expect, type Page, test, type Worker } from "@playwright/test";
import { type OwnProduct, startOwnProduct } from "@/e2e/support/demo-folder";
import { openSignedIn, propose, signIn } from "@/e2e/support/journey";
import { findAxeViolations, findLookFaults } from "@/e2e/support/page-checks";
import { readDemo } from "@/e2e/support/product";
import { type PushMessaging, startPushMessaging } from "@/e2e/support/push-messaging";
import { createTestDevice } from "@/lib/testing/push/push-service";

/**
 * A real subscription of Chromium, whose push messaging is on this machine: what the product posts there is decrypted by
 * Chromium and shown by our service worker.
 */
let product: OwnProduct;
let push: PushMessaging;
let profile: string;
let browser: BrowserContext;
test.beforeAll(async () => {
  [product, push] = await Promise.all([startOwnProduct("devices"), startPushMessaging()]);
  profile = await mkdtemp(join(tmpdir(), "sluice-profile-"));
  browser = await push.openBrowser(profile, product.url);
});
test.afterAll(async () => {
  await browser?.close();
  await Promise.all([product?.close(), push?.close(), rm(profile, { recursive: true, force: true })]);
});

const NOTIFICATIONS = "/settings/notifications";

interface Shown {
  title: string;
  body: string;
  actions: string[];
}

/** What the device shows at this moment. */
function readShown(page: Page): Promise<Shown[]> {
  return page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration("/");
    const shown = (await registration?.getNotifications()) ?? [];
    return shown.map((one) => ({
      title: one.title,
      body: one.body,
      actions: ("actions" in one && Array.isArray(one.actions) ? one.actions : []).map(({ title }) => title),
    }));
  });
}

async function turnOn(page: Page): Promise<void> {
  const here = page.getByRole("switch", { name: "Notifications on this device" });
  await expect(here).toBeVisible();
  if (!(await here.isChecked())) await here.click();
  await expect(page.getByText("On. Proposals arrive as notifications that open the approval.")).toBeVisible();
  await expect(here).toBeChecked();
}

/**
 * Presses the notification that is shown, or one of its buttons.
 * @returns the address of each window that it opens, and of each open one that it shows
 */
function press(worker: Worker, action: "" | "deny"): Promise<string[]> {
  return worker.evaluate(async (pressed) => {
    // A press outside the page cannot be simulated, and without one no window opens or gets the focus.
    const scope = globalThis as unknown as {
      clients: { openWindow: (url: string) => Promise<null> };
      WindowClient: { prototype: { focus: (this: { url: string }) => Promise<void> } };
      registration: { getNotifications: () => Promise<{ close: () => void }[]> };
      NotificationEvent: new (type: string, init: object) => Event;
      dispatchEvent: (event: Event) => boolean;
    };
    const shown: string[] = [];
    scope.clients.openWindow = async (url) => {
      shown.push(url);
      return null;
    };
    scope.WindowClient.prototype.focus = async function () {
      shown.push(this.url);
    };
    const [notification] = await scope.registration.getNotifications();
    const ended: Promise<unknown>[] = [];
    const event = new scope.NotificationEvent("notificationclick", { notification, action: pressed });
    Object.defineProperty(event, "waitUntil", { value: (work: Promise<unknown>) => ended.push(work) });
    scope.dispatchEvent(event);
    await Promise.all(ended);
    return shown;
  }, action);
}

test("a proposal arrives on a device, opens the approval, and is denied there", async ({
  page: elsewhere,
}) => {
  const demo = await readDemo(product.dataDirectory);
  const page = await browser.newPage();
  await openSignedIn(page, `${product.url}${NOTIFICATIONS}`, "OWNER", demo);
  const here = page.getByRole("switch", { name: "Notifications on this device" });
  await expect(here).not.toBeChecked();
  await expect(page.getByText("Off. Turn it on to get proposals as notifications.")).toBeVisible();
  expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0);
  await turnOn(page);
  await expect(page.getByText("Not notified yet.")).toBeVisible();
  expect(await findAxeViolations(page)).toEqual([]);
  expect(await findLookFaults(page)).toEqual([]);

  await page.getByRole("button", { name: /^Send a test to / }).click();
  await expect(page.getByText("Test sent. It arrives within seconds.")).toBeVisible();
  await expect
    .poll(() => readShown(page))
    .toMatchObject([{ title: "Notifications work on this device", actions: [] }]);
  const [worker] = browser.serviceWorkers();
  if (!worker) throw new Error("No service worker runs");
  expect(await press(worker, "")).toEqual([`${product.url}${NOTIFICATIONS}`]);
  await expect.poll(() => readShown(page)).toEqual([]);

  const { id, approvalUrl } = await propose(
    { amountInCents: 125_000, reasonForApproval: "Reply YES to approve" },
    demo,
  );
  await expect.poll(() => readShown(page)).toHaveLength(1);
  const [shown] = await readShown(page);
  expect(shown).toMatchObject({
    title: "$1,250.00 to Taxes needs your decision",
    actions: ["Review", "Deny"],
  });
  expect(shown?.body).toMatch(/^From Operating\. demo-key asks\. Open until /);
  expect(shown?.body).toContain("Northwind Studio. Sandbox bank: no real money");
  expect(shown?.body).not.toContain("YES");

  const [denial] = await press(worker, "deny");
  expect(denial).toBe(`${approvalUrl}&decision=deny`);
  // Opening it is all that the button does: it asks to sign in, and then to confirm.
  await elsewhere.goto(denial ?? "");
  await signIn(elsewhere, "CO_OWNER", demo);
  const dialog = elsewhere.getByRole("dialog", { name: /^Deny \$1,250\.00 from / });
  await expect(dialog).toBeVisible();
  expect(await findAxeViolations(elsewhere)).toEqual([]);
  await dialog.getByRole("button", { name: "Deny transfer" }).click();
  await expect(elsewhere.getByText("You denied this")).toBeVisible();
  await elsewhere.goto(`${product.url}/transfers/${id}`);
  await expect(elsewhere.getByText("Denied").first()).toBeVisible();

  // No page and no data stay on the device.
  expect(await page.evaluate(() => caches.keys())).toEqual([]);
});

test("a renewed subscription takes the place of its device, for its signed-in person only", async ({
  request,
}) => {
  const demo = await readDemo(product.dataDirectory);
  const page = await browser.newPage();
  await openSignedIn(page, `${product.url}${NOTIFICATIONS}`, "OWNER", demo);
  await turnOn(page);
  const renewed = createTestDevice(push.service.origin);
  /** As public/sw.js does. */
  const renew = (oldEndpoint: string) =>
    page.evaluate(
      async (body) => {
        const headers = { "Content-Type": "application/json" };
        const response = await fetch("/settings/notifications/device", { method: "POST", headers, body });
        return response.status;
      },
      JSON.stringify({ oldEndpoint, subscription: renewed.subscription }),
    );
  expect(await renew("https://push.example/someone-elses")).toBe(400);
  const oldEndpoint = await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration("/");
    return (await registration?.pushManager.getSubscription())?.endpoint ?? "";
  });
  const stranger = await request.post(`${product.url}/settings/notifications/device`, {
    data: { oldEndpoint, subscription: renewed.subscription },
    headers: { Origin: product.url },
  });
  expect(stranger.status()).toBe(401);
  expect(await renew(oldEndpoint)).toBe(204);
  await page.reload();
  await expect(page.getByRole("button", { name: /^Send a test to / })).toHaveCount(1);
  await page.getByRole("button", { name: /^Send a test to / }).click();
  await expect.poll(() => push.service.received.some(({ token }) => token === renewed.token)).toBe(true);
  await page.close();
});

test("signing out ends the notifications of a device", async () => {
  const demo = await readDemo(product.dataDirectory);
  const page = await browser.newPage();
  await openSignedIn(page, `${product.url}${NOTIFICATIONS}`, "OWNER", demo);
  await turnOn(page);
  const before = push.service.received.length;
  await page.getByRole("button", { name: /^Account/ }).click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page).toHaveURL(/sign-in/);
  await propose({ amountInCents: 130_000 }, demo);
  await page.goto(`${product.url}/mailbox`);
  await expect(async () => {
    await page.reload();
    await expect(page.getByRole("link", { name: /Move \$1,300\.00/ }).first()).toBeVisible({ timeout: 500 });
  }).toPass({ timeout: 20_000 });
  expect(push.service.received).toHaveLength(before);
});

test("a browser that blocks notifications says what to change", async ({ page, context }) => {
  const demo = await readDemo(product.dataDirectory);
  await context.clearPermissions();
  await page.addInitScript(() => {
    Object.defineProperty(Notification, "permission", { get: () => "denied" });
  });
  await openSignedIn(page, `${product.url}${NOTIFICATIONS}`, "VIEWER", demo);
  await expect(page.getByText(/^Notifications are blocked\. Allow them for this site/)).toBeVisible();
  await expect(page.getByRole("switch", { name: "Notifications on this device" })).toHaveCount(0);
});
