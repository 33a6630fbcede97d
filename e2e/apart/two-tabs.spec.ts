import { expect, type Page, test } from "@playwright/test";
import pg from "pg";
import { type OwnProduct, startOwnProduct } from "@/e2e/support/demo-folder";
import { addOrganization } from "@/e2e/support/join-database";
import { button, openSignedIn, propose } from "@/e2e/support/journey";
import { readDemo } from "@/e2e/support/product";
import type { DemoDescription } from "@/lib/contract/demo";
import { openEmbeddedEngine } from "@/lib/db/embedded-engine";

/**
 * Two tabs of one browser: in the first a member views Northwind, in the second they switch to Bravo, or someone else
 * signs in. Nothing pressed in the first tab affects either; the page that it opens next is the
 * session's, and says so. Every action and every
 * route, one by one: app/shown.test.ts.
 */
let product: OwnProduct;
let demo: DemoDescription;
test.beforeAll(async () => {
  product = await startOwnProduct("two-tabs");
  demo = await readDemo(product.dataDirectory);
  const engine = await openEmbeddedEngine({ dataDirectory: product.dataDirectory });
  const owner = new pg.Pool({ ...engine.owner, max: 1 });
  try {
    const bravo = await addOrganization(owner, "Bravo");
    await owner.query(
      `insert into memberships select $1, user_id, 'OWNER', now() from memberships m join users u on u.id = m.user_id
        where u.email = $2`,
      [bravo, demo.members.find(({ role }) => role === "OWNER")?.email],
    );
  } finally {
    await owner.end();
    await engine.leave();
  }
});
test.afterAll(() => product.close());

async function chooseOrganization(page: Page, name: string): Promise<void> {
  await page
    .getByRole("button", { name: /^Account:/ })
    .first()
    .click();
  await page.getByRole("button", { name, exact: true }).click();
}

test("a tab that shows another organization than the one chosen since acts in neither, says so, and offers a way on", async ({
  page: first,
}) => {
  await openSignedIn(first, `${product.url}/rules`, "OWNER", demo);
  const second = await first.context().newPage();
  await second.goto(product.url);
  await chooseOrganization(second, "Bravo");
  await expect(second.getByRole("button", { name: /Bravo/ }).first()).toBeVisible();

  await first.bringToFront();
  await first.getByRole("button", { name: "Close all gates" }).click();
  await expect(
    first.getByText("This came from a page of Northwind Studio, but you switched to Bravo since."),
  ).toBeVisible();
  await second.goto(`${product.url}/gates`);
  await expect(second.getByRole("heading", { name: "The gates are open" })).toBeVisible();

  // The first tab learns it by itself. A link there opens the page of Bravo, which its shell names.
  await expect(first.getByText("You switched to Bravo in another tab.")).toBeVisible({ timeout: 20_000 });
  await first.getByRole("link", { name: "Accounts" }).first().click();
  await expect(first).toHaveURL(`${product.url}/accounts`);
  await expect(first.getByRole("button", { name: /^Account:.*Bravo/ })).toBeVisible();
  await chooseOrganization(first, "Northwind Studio");
  await first.goto(`${product.url}/accounts`);
  await expect(first.getByText("Operating").first()).toBeVisible();

  // Now the second tab is out of date. It learns this without being touched.
  await second.bringToFront();
  await expect(second.getByText("You switched to Northwind Studio in another tab.")).toBeVisible({
    timeout: 20_000,
  });
  await second.getByRole("link", { name: "Continue in Northwind Studio" }).click();
  await expect(second.getByText("This page still shows")).toHaveCount(0);
});

test("an approval link opens in its own organization and is decided there, and the session stays where it was", async ({
  page,
}) => {
  const proposal = await propose({ amountInCents: 31_200 }, demo);
  await openSignedIn(page, product.url, "OWNER", demo);
  await chooseOrganization(page, "Bravo");
  await expect(page.getByRole("button", { name: /Bravo/ }).first()).toBeVisible();
  await page.goto(proposal.approvalUrl);
  await expect(page.getByRole("button", { name: /^Account:.*Northwind Studio/ })).toBeVisible();
  await button(page, /^Deny/).click();
  await page.getByRole("dialog").getByRole("button", { name: /^Deny/ }).click();
  await expect(page.getByText(/^Denied/).first()).toBeVisible();
  await page.goto(`${product.url}/accounts`);
  await expect(page.getByRole("button", { name: /Bravo/ }).first()).toBeVisible();
});

test("a tab that shows one member does nothing once someone else has signed in, says who, and offers a way on", async ({
  page: first,
}) => {
  const proposal = await propose({ amountInCents: 52_740 }, demo);
  await openSignedIn(first, proposal.approvalUrl, "OWNER", demo);
  const third = await first.context().newPage();
  await third.goto(`${product.url}/rules`);
  const second = await first.context().newPage();
  await openSignedIn(second, product.url, "CO_OWNER", demo);

  await first.bringToFront();
  await button(first, /^Approve/).click();
  await expect(first.getByText(/You are signed in as .+ now\. Look again\./).first()).toBeVisible();
  await second.goto(proposal.approvalUrl);
  await expect(button(second, /^Approve/)).toBeVisible();

  // The other tab says so as well, and offers the new member's page.
  await third.bringToFront();
  await expect(third.getByText(/You are signed in as .+ now\. Look again\./)).toBeVisible({
    timeout: 20_000,
  });
  await third.getByRole("link", { name: /^Continue as / }).click();
  await third.getByRole("link", { name: "Accounts" }).first().click();
  await expect(third).toHaveURL(`${product.url}/accounts`);
  await expect(third.getByText("Operating").first()).toBeVisible();
});
