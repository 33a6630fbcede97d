import { expect, type Page, test } from "@playwright/test";
import { z } from "zod";
import {
  accountId,
  demo,
  openSignedIn,
  pressUntil,
  propose,
  readTransfer,
  signIn,
  untilLive,
} from "@/e2e/support/journey";
import { findAxeViolations } from "@/e2e/support/page-checks";

test("by keyboard alone: goes, finds a proposal by its amount, and lists the keys", async ({ page }) => {
  const transfer = await propose({ amountInCents: 612_345 });
  await openSignedIn(page, `${demo().appUrl}/accounts`);
  const palette = page.getByRole("dialog", { name: "Go, find or do" });
  const field = palette.getByRole("combobox");
  const openPalette = () =>
    pressUntil(page, ["ControlOrMeta+k"], () => expect(field).toBeFocused({ timeout: 4_000 }));

  await openPalette();
  expect(await findAxeViolations(page)).toEqual([]);
  await page.keyboard.type("6123.45");
  const found = palette.getByRole("option", { name: /\$6,123\.45 waits/ });
  await expect(found).toHaveAttribute("aria-selected", "true");
  await expect(field).toHaveAttribute("aria-activedescendant", (await found.getAttribute("id")) ?? "");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(transfer.approvalUrl);

  // What one does with them finds those that wait.
  await page.goto(`${demo().appUrl}/accounts`);
  await openPalette();
  await page.keyboard.type("approve taxes");
  const waiting = palette.getByRole("group", { name: "Needs your decision" });
  await expect(waiting.getByRole("option", { name: /\$6,123\.45, .* left/ })).toBeVisible();
  await waiting.getByRole("option", { name: /\$6,123\.45, .* left/ }).click();
  await expect(page).toHaveURL(transfer.approvalUrl);

  // From the focus page on: G A navigates, and never approves.
  await untilLive(page);
  // Sent together: on a busy machine the time between two calls can end the sequence.
  await Promise.all([page.keyboard.press("g"), page.keyboard.press("a")]);
  await expect(page).toHaveURL(/\/approvals$/);
  expect(await readTransfer(transfer.id)).toMatchObject({ status: "APPROVAL_PENDING" });

  // The page after a navigation hears keys once it is there.
  await openPalette();
  await page.keyboard.type("taxes");
  await expect(palette.getByRole("group", { name: "Accounts" }).getByRole("option")).toHaveText(/Taxes/);
  await page.keyboard.press("Escape");
  await expect(palette).toBeHidden();

  await page.keyboard.press("?");
  const keys = page.getByRole("dialog", { name: "Keys" });
  await keys.getByRole("switch", { name: "Single keys" }).click();
  await page.keyboard.press("Escape");
  await expect(keys).toBeHidden();
  await page.reload();
  // From here on the page hears keys.
  await openPalette();
  await page.keyboard.press("Escape");
  await expect(palette).toBeHidden();
  await page.keyboard.press("?");
  await page.keyboard.press("ControlOrMeta+k");
  await expect(field).toBeFocused();
  await expect(keys).toBeHidden();
});

/** The number on an installed app's icon, 0 for none. */
async function watchBadge(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const show = (count: number) => {
      document.documentElement.dataset.badge = String(count);
      return Promise.resolve();
    };
    Object.defineProperty(navigator, "setAppBadge", { value: (count = 0) => show(count) });
    Object.defineProperty(navigator, "clearAppBadge", { value: () => show(0) });
  });
  return async () => Number(await page.evaluate(() => document.documentElement.dataset.badge ?? "-1"));
}

test("a new proposal is counted, on the app's icon too, and listed while the page is open, and nothing typed is lost", async ({
  page,
}) => {
  const badge = await watchBadge(page);
  await openSignedIn(page, `${demo().appUrl}/approvals`);
  const main = page.getByRole("navigation", { name: "Main", exact: true });
  const count = main.getByRole("link", { name: /^Approvals/ }).getByText(/^\d+ waiting$/);
  const before = Number.parseInt((await count.textContent()) ?? "0", 10);
  await propose({ amountInCents: 77_077, reasonForApproval: "While the page is open." });
  await expect(count).toHaveText(`${before + 1} waiting`, { timeout: 15_000 });
  await expect(page).toHaveTitle(new RegExp(`^\\(${before + 1}\\) Approvals`));
  await expect.poll(badge).toBe(before + 1);
  const reason = page.getByText("While the page is open.");
  await expect(reason).toBeAttached();
  // From four proposals on, they are grouped by route.
  const route = page.locator("[data-queue] details").filter({ has: reason }).locator("summary");
  if ((await route.count()) > 0) await route.click();
  await expect(reason).toBeVisible();

  await page.goto(`${demo().appUrl}/settings/api-keys/new`);
  const name = page.getByLabel("Name", { exact: true });
  await name.fill("half a name");
  await propose({ amountInCents: 78_078 });
  await expect(count).toHaveText(`${before + 2} waiting`, { timeout: 15_000 });
  await expect(name).toHaveValue("half a name");
  await expect.poll(badge).toBe(before + 2);

  // The next person to take the phone learns nothing from the icon.
  await page.context().clearCookies();
  await expect.poll(badge, { timeout: 15_000 }).toBe(0);
});

test("in Berlin: money and times are formatted for their reader from the first paint on, and typed amounts are parsed accordingly", async ({
  browser,
}) => {
  const context = await browser.newContext({ timezoneId: "Europe/Berlin", locale: "de-DE" });
  const page = await context.newPage();
  const problems: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(message.text());
  });
  page.on("pageerror", (error) => problems.push(error.message));
  const transfer = await propose({ amountInCents: 123_456 });
  // A browser's first page reports its time zone; through the form, as on a first visit.
  await page.goto(`${demo().appUrl}/sign-in`);
  await signIn(page);
  const html = await (
    await context.request.get(transfer.approvalUrl, { headers: { "Accept-Language": "de-DE" } })
  ).text();
  const clock = new Intl.DateTimeFormat("en-US", {
    timeZone: "Europe/Berlin",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    timeZoneName: "short",
  }).format(new Date(transfer.createdAt));
  // The organization is in New York, so the zone is named.
  expect(clock).toMatch(/^\d\d:\d\d GMT\+[12]$/);
  expect(html).toContain(clock);
  await page.goto(transfer.approvalUrl);
  await expect(page.locator("main")).toContainText(clock);
  await expect(page.locator("main")).not.toContainText(/\d [AP]M/);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("1.234,56\u00a0$");
  await page.goto(`${demo().appUrl}/accounts/${accountId("Operating")}`);
  await expect(page.locator("#main [data-cents]").locator("..").first()).toContainText(/,\d\d\s\$/);
  const field = page.getByRole("combobox", { name: "Go, find or do" });
  await pressUntil(page, ["ControlOrMeta+k"], () => expect(field).toBeFocused({ timeout: 4_000 }));
  await page.keyboard.type("1.234,56");
  await expect(page.getByRole("option", { name: /1\.234,56\s\$ waits/ })).toBeVisible();
  expect(problems).toEqual([]);
  await context.close();
});

test("on a phone: installs, and finds by tap", async ({ browser }) => {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  const page = await context.newPage();
  const manifest = z
    .object({
      display: z.literal("standalone"),
      start_url: z.literal("/"),
      icons: z.array(z.object({ src: z.string(), sizes: z.string(), purpose: z.string() })),
    })
    .parse(await (await context.request.get(`${demo().appUrl}/manifest.webmanifest`)).json());
  expect(manifest.icons.map(({ sizes, purpose }) => `${sizes} ${purpose}`)).toEqual([
    "192x192 any",
    "512x512 any",
    "512x512 maskable",
  ]);
  for (const { src } of manifest.icons) {
    const icon = await context.request.get(`${demo().appUrl}${src}`);
    expect(icon.headers()["content-type"]).toBe("image/png");
  }
  await openSignedIn(page, `${demo().appUrl}/accounts`);
  await page.getByRole("button", { name: "Go, find or do" }).tap();
  const palette = page.getByRole("dialog", { name: "Go, find or do" });
  await palette.getByRole("combobox").fill("webhoo");
  await palette.getByRole("option", { name: /Webhooks/ }).tap();
  await expect(page).toHaveURL(/\/settings\/webhooks$/);
  expect(
    await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
  ).toBeLessThanOrEqual(0);
  await context.close();
});

test("the navigation responds at once, works without reloading the document, and leaves new tabs to the browser", async ({
  page,
  context,
}) => {
  await openSignedIn(page, `${demo().appUrl}/accounts`);
  const rail = page.getByRole("navigation", { name: "Main", exact: true });
  const cards = rail.getByRole("link", { name: "Cards" });
  // Held until the mark was visible: the server is faster than anyone can see.
  let letGo = () => {};
  const isSeen = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  await page.route(/\/cards\?_rsc/, async (route) => {
    await isSeen;
    await route.continue();
  });
  await page.evaluate(() => {
    document.body.dataset.kept = "yes";
  });
  await untilLive(page);
  await cards.click();
  await expect(cards).toHaveAttribute("data-going");
  letGo();
  await expect(page).toHaveURL(/\/cards$/);
  await expect(cards).toHaveAttribute("aria-current", "page");
  await expect(page.locator("[data-going]")).toHaveCount(0);
  await expect(page.locator("body")).toHaveAttribute("data-kept", "yes");

  const opened = context.waitForEvent("page");
  await rail.getByRole("link", { name: "Rules" }).click({ modifiers: ["ControlOrMeta"] });
  await (await opened).waitForURL(/\/rules$/);
  await expect(page).toHaveURL(/\/cards$/);
});

test("a link loads its page when the pointer or the focus rests on it, and a click then asks for nothing more", async ({
  page,
}) => {
  const asked: string[] = [];
  page.on("request", (request) => {
    const { pathname, searchParams } = new URL(request.url());
    // Before a page, Next asks for its place among the layouts.
    const isPage = searchParams.has("_rsc") && !("next-router-segment-prefetch" in request.headers());
    if (isPage) asked.push(pathname);
  });
  const asksFor = (path: string) => expect.poll(() => asked.filter((each) => each === path).length).toBe(1);
  await openSignedIn(page, `${demo().appUrl}/accounts`);
  const rail = page.getByRole("navigation", { name: "Main", exact: true });
  const taxes = page.getByRole("main").getByRole("link", { name: /Taxes/ }).first();
  await expect(taxes).toBeVisible();
  expect(asked).toEqual([]);

  await taxes.hover();
  const address = (await taxes.getAttribute("href")) ?? "";
  await asksFor(address);
  await rail.getByRole("link", { name: "Cards" }).focus();
  await asksFor("/cards");
  await rail.getByRole("link", { name: "Rules" }).hover();
  await asksFor("/rules");
  await page.waitForLoadState("networkidle");
  await rail.getByRole("link", { name: "Rules" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText(/rules? routes? your money/);
  expect(asked).toEqual([address, "/cards", "/rules"]);
});
