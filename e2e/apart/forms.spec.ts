import { type Browser, type BrowserContext, expect, type Page, test } from "@playwright/test";
import { examplesOf } from "@/e2e/pages/page-examples";
import { type PageFacts, readDemoFacts } from "@/e2e/pages/page-facts";
import { type OwnProduct, startOwnProduct } from "@/e2e/support/demo-folder";
import { signInWithoutForm } from "@/e2e/support/journey";
import { readDemo } from "@/e2e/support/product";
import type { DemoDescription } from "@/lib/contract/demo";

/**
 * What a browser does with a form before the scripts of its page run, and without them: it sends it to a server action,
 * or cannot send it at all. Input never becomes part of an address, which ends up in histories, logs and proxies.
 */
let product: OwnProduct;
let demo: DemoDescription;
let facts: PageFacts;
test.beforeAll(async () => {
  product = await startOwnProduct("forms");
  demo = await readDemo(product.dataDirectory);
  facts = await readDemoFacts(product.dataDirectory, demo);
});
test.afterAll(() => product.close());

/** Filters and searches, whose fields belong in the address. */
const SEARCHES =
  /^\/(audit(\/activity)?|approvals|rules|accounts\/connect|transfers(\/(cards|outside))?|rules\/[0-9a-f-]+\/run)$/;
const SCRIPTS_LATE_MS = 4_000;
const WRONG = "not the password, and in no address";

const ownerOf = () => {
  const owner = demo.members.find(({ role }) => role === "OWNER");
  if (!owner) throw new Error("The demo has no owner");
  return owner;
};

/** Buttons that a reader can press though only scripts hear them. */
async function unheardButtons(reader: Page, html: string): Promise<string[]> {
  return reader.evaluate(
    (text) =>
      [...new DOMParser().parseFromString(text, "text/html").querySelectorAll("button")]
        .filter((button) => button.type === "button" && !button.disabled && !button.popoverTargetElement)
        .map((button) => button.getAttribute("aria-label") ?? button.textContent?.trim() ?? ""),
    html,
  );
}

interface Form {
  action: string;
  method: string;
  types: string[];
  isServerAction: boolean;
  /** Buttons that a reader can press, or that Enter presses. */
  submits: number;
}

/** What a browser without scripts makes of this page. @param reader any page; nothing is loaded into it */
async function formsOf(reader: Page, html: string, url: string): Promise<Form[]> {
  return reader.evaluate(
    ([text, address]) =>
      [...new DOMParser().parseFromString(text, "text/html").forms].map((form) => {
        const fields = [...form.elements].filter(
          (field) => field instanceof HTMLInputElement || field instanceof HTMLButtonElement,
        );
        return {
          action: new URL(form.getAttribute("action") ?? new URL(address).pathname, address).pathname,
          method: form.method,
          types: fields.map(({ type }) => type),
          isServerAction:
            form.enctype === "multipart/form-data" && fields.some(({ name }) => name.startsWith("$ACTION_")),
          submits: fields.filter((field) => ["submit", "image"].includes(field.type) && !field.disabled)
            .length,
        };
      }),
    [html, url] as const,
  );
}

function faultOf({ action, method, types, isServerAction, submits }: Form): string | null {
  if (method === "get") {
    if (!SEARCHES.test(action)) return `a form puts its fields into the address ${action}`;
    return types.some((type) => ["password", "email", "tel"].includes(type))
      ? "a search asks a secret"
      : null;
  }
  const worksAlone = isServerAction || action === "/organization";
  return submits > 0 && !worksAlone ? "a form sent before its scripts run loses its input" : null;
}

/** Signed in, with scripts enabled only for that. */
async function withoutScripts(browser: Browser): Promise<BrowserContext> {
  const begun = await browser.newContext();
  await signInWithoutForm(await begun.newPage(), "OWNER", demo);
  const storageState = await begun.storageState();
  await begun.close();
  return browser.newContext({ javaScriptEnabled: false, storageState });
}

test("without scripts every form of every page goes to a server action, and no press is lost", async ({
  browser,
}) => {
  const member = await browser.newContext();
  const nobody = await browser.newContext();
  const reader = await member.newPage();
  await signInWithoutForm(reader, "OWNER", demo);
  await reader.goto("about:blank");
  const found: string[] = [];
  let count = 0;
  for (const { as, views } of examplesOf(process.cwd())) {
    for (const { at } of views(facts)) {
      if (at === null) continue;
      const response = await (as === "MEMBER" ? member : nobody).request.get(`${product.url}${at}`);
      const html = await response.text();
      for (const name of await unheardButtons(reader, html)) {
        found.push(`${at}: a press of "${name}" before its scripts run is lost`);
      }
      for (const form of await formsOf(reader, html, response.url())) {
        count += 1;
        const fault = faultOf(form);
        if (fault) found.push(`${at}: ${fault}`);
      }
    }
  }
  expect(found).toEqual([]);
  expect(count).toBeGreaterThan(80);
  await Promise.all([member.close(), nobody.close()]);
});

test("without scripts signing in works, a wrong password gets an error, and no input becomes part of an address", async ({
  browser,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${product.url}/sign-in?next=%2Faccounts`);
  await page.getByLabel("Email").fill(ownerOf().email);
  await page.getByLabel("Password").fill(WRONG);
  await page.getByLabel("Password").press("Enter");
  await expect(page.getByText("That email and password do not match.")).toBeVisible();
  expect(page.url()).toBe(`${product.url}/sign-in?next=%2Faccounts`);
  // The address is kept; the password is in no page.
  await expect(page.getByLabel("Email")).toHaveValue(ownerOf().email);
  expect(await page.content()).not.toContain(WRONG);
  await page.getByLabel("Password").fill(ownerOf().password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page).toHaveURL(`${product.url}/accounts`);
  await context.close();
});

test("without scripts a forgotten password is replaced, by a page that tells its address to nobody", async ({
  browser,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  const { email, password } = ownerOf();
  await page.goto(`${product.url}/forgot`);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Email").press("Enter");
  await expect(page.getByText("If that address has an account")).toBeVisible();
  expect(page.url()).not.toContain("@");
  const link = await newestLink(page);
  await page.goto(link);
  await page.getByLabel("New password").fill("short");
  await page.getByRole("button", { name: "Set this password" }).click();
  await expect(page.getByText("The password must have at least 10 characters.")).toBeVisible();
  expect(page.url()).toBe(link);
  await page.getByLabel("New password").fill(password);
  await page.getByRole("button", { name: "Set this password" }).click();
  await expect(page.getByRole("heading", { name: "Your password is changed" })).toBeVisible();
  await context.close();
});

/** From the email that sets a new password. */
async function newestLink(page: Page): Promise<string> {
  let found = "";
  await expect(async () => {
    await page.goto(`${product.url}/mailbox?face=PLAIN_TEXT`);
    await page
      .getByRole("link", { name: /Set a new password/ })
      .first()
      .click();
    await page.goto(`${page.url()}&face=PLAIN_TEXT`);
    found = /https?:\/\/\S+\/reset\/[\w-]+/.exec(await page.content())?.[0] ?? "";
    expect(found).not.toBe("");
  }).toPass();
  return found;
}

test("while the scripts of its page are still loading, signing in works, and no secret becomes part of an address", async ({
  browser,
}) => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const addresses = await slowScripts(page);
  await page.goto(`${product.url}/sign-in`, { waitUntil: "commit" });
  await page.getByLabel("Email").fill(ownerOf().email);
  await page.getByLabel("Password").fill(ownerOf().password);
  await page.getByLabel("Password").press("Enter");
  await expect(page).not.toHaveURL(/sign-in/);

  // A form that needs scripts waits for them: neither Enter nor a click sends it natively.
  await page.goto(`${product.url}/settings/members`, { waitUntil: "commit" });
  const email = page.locator("main form input[type=email]").first();
  await email.fill("waits@northwind.example");
  await email.press("Enter");
  await expect(page.locator("main form button[type=submit]").first()).toBeDisabled();
  await expect(page.locator("main form button[type=submit]").first()).toBeEnabled({ timeout: 20_000 });
  await expect(email).toHaveValue("waits@northwind.example");
  for (const address of addresses) {
    expect(address).not.toContain(encodeURIComponent(ownerOf().password));
    expect(address).not.toContain("northwind.example");
  }
  await context.close();
});

test("all gates close, with late scripts and without any", async ({ browser }) => {
  const late = await browser.newContext();
  const page = await late.newPage();
  await signInWithoutForm(page, "OWNER", demo);
  await slowScripts(page);
  await page.goto(`${product.url}/rules`, { waitUntil: "commit" });
  await page.getByRole("button", { name: "Close all gates" }).click();
  await expect(page.getByText("All gates are closed.")).toBeVisible();
  await late.close();

  const none = await withoutScripts(browser);
  const plain = await none.newPage();
  await openAll(browser);
  await plain.goto(`${product.url}/rules`);
  await plain.getByRole("button", { name: "Close all gates" }).click();
  await expect(plain.getByText("All gates are closed.")).toBeVisible();
  expect(plain.url()).toBe(`${product.url}/rules`);
  await none.close();
});

/** With the password, which opening always requires: the owner has just signed in. */
async function openAll(browser: Browser): Promise<void> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await signInWithoutForm(page, "OWNER", demo);
  await page.goto(`${product.url}/gates`);
  await page.getByRole("button", { name: "Open with password" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Password").fill(ownerOf().password);
  await dialog.getByRole("button", { name: "Open the gates" }).click();
  await expect(page.getByRole("heading", { name: "The gates are open" })).toBeVisible();
  await context.close();
}

/** @returns every address that the page asks for from now on */
async function slowScripts(page: Page): Promise<string[]> {
  const addresses: string[] = [];
  page.on("request", (request) => addresses.push(request.url()));
  await page.route(/\/_next\/static\/.*\.js/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, SCRIPTS_LATE_MS));
    await route.continue().catch((error: Error) => {
      // The page was left before, and its scripts with it.
      if (!/closed|handled|navigat/i.test(error.message)) throw error;
    });
  });
  return addresses;
}
