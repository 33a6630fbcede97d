import { expect, type Page, type Request, test } from "@playwright/test";
import {
  accountId,
  button,
  callApi,
  demo,
  openSignedIn,
  propose,
  readBalance,
  readTransfer,
} from "@/e2e/support/journey";

/** A network that drops answers: the page must not claim what it does not know, nor do anything twice. */

const isAction = (request: Request) => request.headers()["next-action"] !== undefined;

/**
 * Loses the first answer to an action.
 * @param when it is lost: on the way there, so that nothing happens, or on the way back
 * @param ofAction chooses among the actions of the page
 * @returns how many of these requests the page has sent
 */
async function loseFirst(
  page: Page,
  when: "THERE" | "BACK",
  ofAction: (request: Request) => boolean = () => true,
): Promise<() => number> {
  let sent = 0;
  await page.route("**/*", async (route) => {
    const request = route.request();
    if (!isAction(request) || !ofAction(request)) return route.fallback();
    sent += 1;
    if (sent > 1) return route.fallback();
    if (when === "BACK") await route.fetch();
    return route.abort("connectionreset");
  });
  return () => sent;
}

const open = (page: Page, path: string) => openSignedIn(page, `${demo().appUrl}${path}`);

test("an answer lost on its way back moves the money once, and the page opens it by itself", async ({
  page,
}) => {
  const [from, to] = [accountId("Profit"), accountId("Owner’s pay")];
  const before = await readBalance("Profit");
  await open(page, `/transfers/new?from=${from}&to=${to}&amountInCents=1117`);
  const move = page.getByRole("button", { name: "Move $11.17", exact: true });
  await expect(move).toBeEnabled();
  const sent = await loseFirst(page, "BACK", (request) => /"confirmation"/.test(request.postData() ?? ""));
  await move.click();

  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/\$11\.17 to Owner’s pay/);
  expect(sent()).toBe(2);
  await expect.poll(() => readBalance("Profit")).toBe(before - 1_117);
  const transfers = await callApi("GET", `/transfers?accountId=${from}`);
  expect(JSON.stringify(transfers).match(/"amountInCents":1117\b/g)).toHaveLength(1);
});

test("what could happen twice is not sent again: the page says what is unknown and keeps what was typed", async ({
  page,
}) => {
  await open(page, "/settings/beneficiaries");
  const sent = await loseFirst(page, "THERE");
  await page.getByLabel("Name", { exact: true }).fill("Lost and Found Ltd");
  const add = page.getByRole("button", { name: "Add beneficiary" });
  await add.click();
  await expect(
    page.getByText("Sluice did not answer, so it may or may not be added. Reload the page to check."),
  ).toBeVisible();
  expect(sent()).toBe(1);
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Lost and Found Ltd");
  await add.click();
  await expect(page.getByText("Lost and Found Ltd was added.")).toBeVisible();
});

test("a switch whose answer is lost is set again by itself", async ({ page }) => {
  await open(page, "/settings/notifications");
  const control = page.getByRole("switch").first();
  const label = (await control.getAttribute("aria-label")) ?? "";
  const wasOn = (await control.getAttribute("aria-checked")) === "true";
  const sent = await loseFirst(page, "THERE");
  await control.click();
  await expect.poll(sent).toBe(2);
  await expect(page.getByText("Sluice did not answer")).toHaveCount(0);
  await page.reload();
  const after = page.getByRole("switch", { name: label });
  await expect(after).toHaveAttribute("aria-checked", String(!wasOn));
  await after.click();
  await expect(after).toHaveAttribute("aria-checked", String(wasOn));
});

test("a step-up whose answer is lost says that nothing was changed", async ({ page }) => {
  await open(page, "/settings/members");
  await loseFirst(page, "THERE");
  await page.getByRole("button", { name: "Require for everyone" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Require for everyone" }).click();
  await expect(dialog.getByText("Sluice did not answer. Nothing was changed. Try again.")).toBeVisible();
  await dialog.getByRole("button", { name: "Not yet" }).click();
  await expect(page.getByText("Not required")).toBeVisible();
});

/** As Chrome translates: each text node becomes an element, now and whenever one is added, and the root is marked. */
function translate(): void {
  const replace = (node: Node) => {
    const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
    const texts: Text[] = [];
    for (let text = walker.nextNode(); text; text = walker.nextNode())
      if (text instanceof Text) texts.push(text);
    for (const text of texts) {
      const parent = text.parentElement;
      if (!parent || /^(SCRIPT|STYLE|FONT)$/.test(parent.tagName) || text.data.trim() === "") continue;
      const font = document.createElement("font");
      font.textContent = text.data;
      text.replaceWith(font);
    }
  };
  document.documentElement.classList.add("translated-ltr");
  replace(document.body);
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes) for (const node of addedNodes) replace(node);
  }).observe(document.body, { childList: true, subtree: true });
}

test("a page that the browser translated survives Approve, and shows the outcome", async ({ page }) => {
  const proposal = await propose({ amountInCents: 1_234, reasonForApproval: "In another language" });
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(error.message));
  await openSignedIn(page, proposal.approvalUrl);
  await expect(button(page, /^Approve/)).toBeEnabled();
  await page.evaluate(translate);
  await button(page, /^Approve/).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/You approved/);
  await expect(page.getByText("Something went wrong")).toHaveCount(0);
  expect((await readTransfer(proposal.id)).status).not.toBe("APPROVAL_PENDING");
  expect(faults).toEqual([]);
});

test("a page that was open during an upgrade says so, where its action is unknown to the new version", async ({
  page,
}) => {
  const proposal = await propose({ amountInCents: 1_235 });
  await page.route("**/*", async (route) => {
    if (!isAction(route.request())) return route.fallback();
    // As lib/api/launcher/settle-page-request.ts answers the action of another build.
    await route.fulfill({
      status: 404,
      contentType: "text/plain",
      headers: { "X-Nextjs-Action-Not-Found": "1" },
      body: "Server action not found.",
    });
  });
  await openSignedIn(page, proposal.approvalUrl);
  await button(page, /^Approve/).click();
  await expect(page.getByText("Not approved. Sluice was updated. Reload this page.").first()).toBeVisible();
  await open(page, "/settings/beneficiaries");
  await page.getByLabel("Name", { exact: true }).fill("Before the upgrade Ltd");
  await page.getByRole("button", { name: "Add beneficiary" }).click();
  await expect(page.getByText("Sluice was updated. Reload this page.").first()).toBeVisible();
  await expect(page.getByText("did not answer")).toHaveCount(0);
});
