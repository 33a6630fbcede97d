import { createHmac } from "node:crypto";
import { expect, type Page, test } from "@playwright/test";
import { type OwnProduct, startOwnProduct } from "@/e2e/support/demo-folder";
import { ageSignIns } from "@/e2e/support/join-database";
import { hasSession, openSignedIn, signInWithoutForm } from "@/e2e/support/journey";
import { findAxeViolations, findLookFaults } from "@/e2e/support/page-checks";
import { readDemo } from "@/e2e/support/product";
import type { DemoDescription } from "@/lib/contract/demo";
import { startReceiver, type TestReceiver } from "@/lib/testing/webhooks";

const WEBHOOKS = "/settings/webhooks";
/** The first retry comes after five seconds; an attempt may take ten. */
const UNTIL_RETRIED = { timeout: 25_000 };

/** A product of its own: most of its journeys wait for the next attempt, while those of the shared demo go on. */
let product: OwnProduct;
let demo: DemoDescription;
test.beforeAll(async () => {
  product = await startOwnProduct("webhooks");
  demo = await readDemo(product.dataDirectory);
});
test.afterAll(() => product.close());

async function open(page: Page, path: string): Promise<void> {
  if (!(await hasSession(page, demo.appUrl))) await signInWithoutForm(page, "OWNER", demo);
  await page.goto(`${demo.appUrl}${path}`);
}

/** Adds an endpoint and opens its page, with the secret saved "another way"; returns the secret. */
async function addEndpoint(page: Page, url: string): Promise<string> {
  await open(page, `${WEBHOOKS}/new`);
  await page.getByLabel("Address").fill(url);
  await page.getByRole("button", { name: "Add endpoint" }).click();
  await expect(page.getByRole("heading", { name: "Endpoint added" })).toBeVisible();
  const secret = (await page.locator("[data-secret] code").textContent()) ?? "";
  await page.getByRole("button", { name: "I stored it" }).click();
  await page.getByRole("button", { name: "I saved it another way" }).click();
  await expect(page).toHaveURL(/\/settings\/webhooks\/[0-9a-f-]{36}$/);
  return secret;
}

/** The signature that the receiver computes for its latest delivery. */
function isGenuine({ received }: TestReceiver, secret: string): boolean {
  const last = received.at(-1);
  const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(last?.headers["x-service-signature"])) ?? [];
  return createHmac("sha256", secret).update(`${t}.${last?.body}`).digest("hex") === v1;
}

const details = (page: Page) => page.locator("[data-attempts]");

test("an endpoint is added, its secret shown once, and a test event is seen to arrive", async ({ page }) => {
  const receiver = await startReceiver(() => 200);
  await open(page, `${WEBHOOKS}/new`);
  await page.getByLabel("Address").fill("ftp://127.0.0.1/hooks");
  await page.getByRole("button", { name: "Add endpoint" }).click();
  await expect(page.getByLabel("Address")).toHaveAttribute("aria-invalid", "true");
  expect(await findAxeViolations(page)).toEqual([]);
  await page.getByLabel("Address").fill(receiver.url);
  await page.getByRole("button", { name: "Add endpoint" }).click();
  await expect(page.getByRole("heading", { name: "Endpoint added" })).toBeVisible();
  const secret = (await page.locator("[data-secret] code").textContent()) ?? "";
  expect(secret).toMatch(/^whsec_[A-Za-z0-9_-]{43}$/);
  expect(await findAxeViolations(page)).toEqual([]);

  // Leaving without the secret is held back once, also by a link to where the test event is shown.
  await page.getByRole("button", { name: "Send test event" }).click();
  await page.getByRole("link", { name: "See the receiver’s answer" }).click();
  const warning = page.getByRole("dialog", { name: "You have not copied the secret" });
  expect(await findAxeViolations(page)).toEqual([]);
  await warning.getByRole("button", { name: "Back to the secret" }).click();
  await expect(page.locator("[data-secret] code")).toHaveText(secret);
  await page.getByRole("link", { name: "See the receiver’s answer" }).click();
  await warning.getByRole("button", { name: "I saved it another way" }).click();

  // It changes by itself.
  await expect(details(page).getByText(/^Delivered today at/)).toBeVisible();
  await expect(page.getByText("Receiving", { exact: true })).toBeVisible();
  expect(receiver.received).toHaveLength(1);
  expect(isGenuine(receiver, secret)).toBe(true);
  const [delivery] = receiver.received;
  await page.getByText("Show what was sent").click();
  await expect(details(page).getByRole("region", { name: "The request" })).toContainText(
    delivery?.body ?? "?",
  );
  await expect(details(page)).toContainText(String(delivery?.headers["x-service-event-id"]));
  // Shown once: neither the page nor the server's data for it contains the secret.
  expect(await (await page.request.get(page.url())).text()).not.toContain(secret);
  expect(page.url()).not.toContain("whsec");
  await receiver.close();
});

test("a failing receiver is diagnosed, fixed, and gets what it missed", async ({ page }) => {
  let status = 503;
  const receiver = await startReceiver(() => status);
  await addEndpoint(page, receiver.url);
  await page.getByRole("button", { name: "Send test event" }).click();
  const row = page.locator("tr[data-open]");
  await expect(row).toContainText("Retrying", UNTIL_RETRIED);
  await expect(
    page.getByText(/^Every attempt has failed since today at .*: it answers 503\.$/),
  ).toBeVisible();
  await expect(page.getByText("Its log at these times says why.")).toBeVisible();
  await expect(details(page).getByText(/^Next try at/)).toBeVisible(UNTIL_RETRIED);
  await expect(
    details(page).getByRole("img", { name: /2 attempts failed.*the next attempts are:/ }),
  ).toBeVisible();
  await page.getByText("Show what was sent").click();
  await expect(details(page).getByText("Attempts 1 and 2")).toBeVisible();
  expect(await findAxeViolations(page)).toEqual([]);

  status = 204;
  await page.getByRole("button", { name: "Redeliver now" }).click();
  await expect(details(page).getByText(/^Delivered today at/)).toBeVisible(UNTIL_RETRIED);
  await expect(row).toContainText("204");
  await expect(page.getByText("Receiving", { exact: true })).toBeVisible();
  await expect(page.getByText(/^Every attempt has failed/)).toHaveCount(0);
  const [first, , third] = receiver.received;
  expect(third?.body).toBe(first?.body);

  status = 500;
  await page.getByRole("button", { name: "Send test event" }).click();
  await expect(details(page).getByText(/^Next try at/)).toBeVisible(UNTIL_RETRIED);
  status = 200;
  await page.getByLabel("Events since").selectOption({ label: "The last hour" });
  await page.getByRole("button", { name: "Retry" }).click();
  await expect(page.getByText("Retrying 1 delivery.")).toBeVisible();
  await expect(details(page).getByText(/^Delivered today at/)).toBeVisible(UNTIL_RETRIED);
  await page.getByRole("link", { name: "Failing", exact: true }).click();
  await expect(page.getByText("No failing deliveries")).toBeVisible();
  await receiver.close();
});

test("a recreated endpoint takes over only after a success", async ({ page }) => {
  let takes = "";
  const receiver = await startReceiver((delivery) => {
    const [, t, v1] = /^t=(\d+),v1=(\w+)$/.exec(String(delivery.headers["x-service-signature"])) ?? [];
    return createHmac("sha256", takes).update(`${t}.${delivery.body}`).digest("hex") === v1 ? 200 : 401;
  });
  takes = await addEndpoint(page, receiver.url);
  const old = page.url();
  await page.getByRole("button", { name: "Recreate" }).click();
  const asking = page.getByRole("dialog", { name: "Recreate it with a new secret?" });
  expect(await findAxeViolations(page)).toEqual([]);
  await asking.getByRole("button", { name: "Create a new secret" }).click();
  const dialog = page.getByRole("dialog", { name: "The new secret is ready" });
  const newSecret = (await dialog.locator("[data-secret] code").textContent()) ?? "";
  await page.keyboard.press("Escape");
  await expect(dialog).toBeVisible();
  await dialog.getByLabel("I saved the secret").check();
  await dialog.getByRole("button", { name: "Go to the new endpoint" }).click();
  await expect(page.getByText(/^It will replace the endpoint with the secret/)).toBeVisible();
  expect(page.url()).not.toBe(old);

  // The receiver knows only the old secret: the new endpoint fails, and the old one stays.
  await page.getByRole("button", { name: "Send test event" }).click();
  await expect(page.getByText(/it answers 401/)).toBeVisible(UNTIL_RETRIED);
  expect((await page.request.get(old)).status()).toBe(200);
  await expect(details(page).getByText(/^Next try at/)).toBeVisible(UNTIL_RETRIED);
  takes = newSecret;
  await page.getByRole("button", { name: "Redeliver now" }).click();
  await expect(details(page).getByText(/^Delivered today at/)).toBeVisible(UNTIL_RETRIED);
  await expect(page.getByText(/^It will replace/)).toHaveCount(0);
  expect((await page.request.get(old)).status()).toBe(404);
  await receiver.close();
});

test("an endpoint is turned off, on again, and deleted, each after its consequences were shown", async ({
  page,
}) => {
  const receiver = await startReceiver(() => 200);
  await addEndpoint(page, receiver.url);
  const address = page.url();
  await page.getByRole("button", { name: "Switch off" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Switch off" }).click();
  await expect(page.getByText(/^Mara Okafor switched it off today at/)).toBeVisible();
  await expect(page.getByRole("button", { name: "Send test event" })).toHaveCount(0);
  expect(await findAxeViolations(page)).toEqual([]);
  await page.getByRole("button", { name: "Switch on" }).click();
  const dialog = page.getByRole("dialog", { name: "Switch this endpoint on?" });
  await expect(dialog).toContainText("It has no waiting events.");
  await dialog.getByRole("button", { name: "Switch on" }).click();
  await expect(page.getByText("Nothing sent yet", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Delete endpoint" }).click();
  const deleting = page.getByRole("dialog", { name: "Delete this endpoint?" });
  await expect(deleting).toContainText("It has no waiting deliveries.");
  await deleting.getByRole("button", { name: "Delete endpoint" }).click();
  await expect(page).toHaveURL(new RegExp(`${WEBHOOKS}$`));
  await expect(page.getByRole("link", { name: receiver.url.replace("http://", "") })).toHaveCount(0);
  expect((await page.request.get(address)).status()).toBe(404);
  await receiver.close();
});

test("an old session adds, recreates and deletes an endpoint only after its member proves who they are", async ({
  page,
}) => {
  const owner = demo.members.find(({ role }) => role === "OWNER");
  const receiver = await startReceiver(() => 200);
  const proof = page.getByRole("dialog").filter({ has: page.getByLabel("Your password") });
  const prove = async (label: string) => {
    await proof.getByLabel("Your password").fill(owner?.password ?? "");
    await proof.getByRole("button", { name: label }).click();
  };
  await open(page, `${WEBHOOKS}/new`);
  // Each proof counts for its own act: the next one asks again.
  await ageSignIns(owner?.email ?? "", product.dataDirectory);
  await page.getByLabel("Address").fill(receiver.url);
  await page.getByRole("button", { name: "Add endpoint" }).click();
  await expect(page.getByRole("dialog", { name: `Send events to ${receiver.url}` })).toBeVisible();
  expect(await findAxeViolations(page)).toEqual([]);
  await proof.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByText("Not confirmed. Nothing was changed.")).toBeVisible();
  await page.getByRole("button", { name: "Add endpoint" }).click();
  await prove("Add endpoint");
  await expect(page.getByRole("heading", { name: "Endpoint added" })).toBeVisible();
  await page.getByRole("button", { name: "I stored it" }).click();
  await page.getByRole("button", { name: "I saved it another way" }).click();

  await page.getByRole("button", { name: "Recreate" }).click();
  await page.getByRole("button", { name: "Create a new secret" }).click();
  await prove("Create a new secret");
  await expect(page.getByRole("dialog", { name: "The new secret is ready" })).toBeVisible();
  await page.reload();

  await page.getByRole("button", { name: "Delete endpoint" }).click();
  const deleting = page.getByRole("dialog", { name: "Delete this endpoint?" });
  await deleting.getByRole("button", { name: "Delete endpoint" }).click();
  await prove("Delete endpoint");
  await expect(page).toHaveURL(new RegExp(`${WEBHOOKS}$`));
  await receiver.close();
});

test("a viewer reads endpoints, and adds, changes and redelivers none", async ({ page, browser }) => {
  const receiver = await startReceiver(() => 200);
  await addEndpoint(page, receiver.url);
  await page.getByRole("button", { name: "Send test event" }).click();
  await expect(details(page).getByText(/^Delivered today at/)).toBeVisible(UNTIL_RETRIED);
  const opened = page.url();
  const context = await browser.newContext();
  const viewer = await context.newPage();
  await openSignedIn(viewer, `${demo.appUrl}${WEBHOOKS}`, "VIEWER", demo);
  await expect(viewer.getByText(/Owners and co-owners add and change them/)).toBeVisible();
  await expect(viewer.getByRole("link", { name: "Add endpoint" })).toHaveCount(0);
  await viewer.goto(`${demo.appUrl}${WEBHOOKS}/new`);
  await expect(viewer.getByRole("heading", { name: "Owners and co-owners add endpoints" })).toBeVisible();
  await viewer.goto(opened);
  await expect(viewer.getByText(/^You can view everything here/)).toBeVisible();
  await expect(details(viewer).getByText(/^Delivered today at/)).toBeVisible();
  await expect(
    viewer.getByRole("button", { name: /Delete|Switch|Send test|Redeliver|Recreate|Retry/ }),
  ).toHaveCount(0);
  await context.close();
  await receiver.close();
});

test("on a phone nothing is cut off, in both themes", async ({ page }) => {
  const receiver = await startReceiver(() => 500);
  await addEndpoint(page, receiver.url);
  await page.getByRole("button", { name: "Send test event" }).click();
  await expect(details(page).getByText(/^Next try at/)).toBeVisible(UNTIL_RETRIED);
  await page.getByText("Show what was sent").click();
  await page.emulateMedia({ reducedMotion: "reduce" });
  expect(await findLookFaults(page)).toEqual([]);
  await receiver.close();
});
