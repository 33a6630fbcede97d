import { expect, type Page, test } from "@playwright/test";
import { type OwnProduct, startOwnProduct } from "@/e2e/support/demo-folder";
import { joinDatabase } from "@/e2e/support/join-database";
import { button, callApi, openSignedIn, signInWithoutForm } from "@/e2e/support/journey";
import { findAxeViolations, findLookFaults } from "@/e2e/support/page-checks";
import { readDemo } from "@/e2e/support/product";
import { transferBatchSchema } from "@/lib/contract/approvals/batch";
import type { DemoDescription } from "@/lib/contract/demo";
import { payeeSchema } from "@/lib/contract/payee";
import { type Transfer, transferSchema } from "@/lib/contract/transfer";
import { anyDeciders, asks, named, policyOf, putInForce } from "@/lib/testing/policies";

let product: OwnProduct;
let demo: DemoDescription;

/** Two of three sign what goes to a new payee over $5,000; the owner, who made the key, does not count. */
test.beforeAll(async () => {
  product = await startOwnProduct("signatures");
  demo = await readDemo(product.dataDirectory);
  const { ownerPool, close } = await joinDatabase(product.dataDirectory);
  try {
    const { rows } = await ownerPool.query<{ id: string; organizationId: string; email: string }>(
      `select u.id, u.email, m.organization_id as "organizationId" from memberships m join users u on u.id = m.user_id
        where u.email = any ($1) and m.role <> 'VIEWER' order by u.name`,
      [demo.members.map(({ email }) => email)],
    );
    const owner = rows.find(({ email }) => email === emailOf("OWNER"));
    if (!owner) throw new Error("The demo has no owner");
    await ownerPool.query("update api_keys set created_by = $1 where name = 'demo-key'", [owner.id]);
    const people = rows.map(({ id }) => id);
    await putInForce(
      { ownerPool },
      owner.organizationId,
      owner.id,
      policyOf(asks([named(people)]), {
        name: "New payee",
        when: { payee: ["NEW", "CHANGED"], amountOver: 500_000 },
        ...asks([named(people, 2)], { requesterCounts: false, expiresAfterHours: 72 }),
      }),
    );
  } finally {
    await close();
  }
});
test.afterAll(() => product.close());

const emailOf = (role: string) => demo.members.find((member) => member.role === role)?.email;

/** Proposed by the key, given an account and confirmed by the owner. */
async function addPayee(page: Page, name: string, accountNumber: string): Promise<string> {
  const { id } = payeeSchema.parse(
    await callApi("POST", "/payees", { name, kind: "BUSINESS", email: "billing@example.com" }, demo),
  );
  await page.goto(`${demo.appUrl}/payees/${id}`);
  await page.getByLabel("Account holder").fill(name);
  await page.getByLabel("Routing number").fill("101050001");
  await page.getByLabel("Account number").fill(accountNumber);
  await page.getByRole("button", { name: "Save for confirmation" }).click();
  await expect(page.getByRole("heading", { name: "Waits for confirmation" })).toBeVisible();
  await page.getByLabel("Who was called back?").fill("Ana, on the number of our contract");
  await page.getByRole("button", { name: "Confirm payee" }).click();
  await expect(page.getByRole("heading", { name: "Waits for confirmation" })).toBeHidden();
  return id;
}

async function read(id: string): Promise<Transfer> {
  return transferSchema.parse(await callApi("GET", `/transfers/${id}`, undefined, demo));
}

for (const { name, viewport, colorScheme, account } of [
  {
    name: "desktop, light",
    viewport: { width: 1440, height: 900 },
    colorScheme: "light",
    account: "000123454321",
  },
  {
    name: "phone, dark",
    viewport: { width: 390, height: 844 },
    colorScheme: "dark",
    account: "000123459876",
  },
] as const) {
  test(`two of three sign a payment to a new payee, and the member who made the key may not (${name})`, async ({
    browser,
  }) => {
    const context = await browser.newContext({ viewport, colorScheme });
    const page = await context.newPage();
    await openSignedIn(page, `${demo.appUrl}/payees`, "OWNER", demo);
    const destinationAccountId = await addPayee(page, `Marlow Legal ${viewport.width}`, account);
    const sourceAccountId = demo.accounts.find((candidate) => candidate.name === "Operating")?.id;
    const body = { sourceAccountId, destinationAccountId, amountInCents: 620_000 };
    const proposed = transferSchema.parse(await callApi("POST", "/transfers", body, demo));
    expect(proposed.approvals).toMatchObject({ required: [{ atLeast: 2, given: 0 }], given: [] });
    const url = proposed.approvalUrl ?? "";
    const sign = page.getByRole("button", { name: /^Sign/ }).locator("visible=true");
    const signatures = page.getByRole("region", { name: "Signatures" });

    await page.goto(url);
    await expect(signatures.getByText("0 of 2")).toBeVisible();
    await expect(signatures).toContainText(
      `Marlow Legal ${viewport.width} is a new payee, so Jonas Weil and Priya Nair must approve.`,
    );
    await expect(page.getByText("You may not sign.").locator("visible=true")).toBeVisible();
    await expect(sign).toBeDisabled();
    expect(await findAxeViolations(page)).toEqual([]);
    expect(await findLookFaults(page)).toEqual([]);

    await signInWithoutForm(page, "CO_OWNER", demo);
    await page.goto(url);
    await expect(signatures.getByText("Yours is one of several")).toBeVisible();
    await sign.click();
    await expect(
      page.getByText(/^You have signed\. It still waits for/).locator("visible=true"),
    ).toBeVisible();
    await expect(signatures.getByText("1 of 2")).toBeVisible();
    expect(await read(proposed.id)).toMatchObject({
      status: "APPROVAL_PENDING",
      approvals: { given: [{ signedAt: expect.any(String) }] },
    });
    await page.getByRole("button", { name: "Withdraw your signature" }).locator("visible=true").click();
    await expect(signatures.getByText("0 of 2")).toBeVisible();
    await page.reload();
    await sign.click();
    await expect(signatures.getByText("1 of 2")).toBeVisible();
    expect(await findLookFaults(page)).toEqual([]);

    await signInWithoutForm(page, "CO_OWNER", { ...demo, members: demo.members.slice(2) });
    await page.goto(url);
    await expect(signatures.getByText("Yours would complete it")).toBeVisible();
    expect(await findAxeViolations(page)).toEqual([]);
    expect(await findLookFaults(page)).toEqual([]);
    await sign.click();
    await expect(page.getByText(/^Signed by /)).toHaveCount(2);
    expect(await read(proposed.id)).toMatchObject({
      status: expect.stringMatching(/PROCESSING|COMPLETE/),
      approvals: { given: [{}, {}] },
    });
    await context.close();
  });
}

test("a batch is signed by two people, of whom the first strikes a line out on a phone", async ({
  browser,
}) => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, colorScheme: "dark" });
  const page = await context.newPage();
  await openSignedIn(page, `${demo.appUrl}/payees`, "OWNER", demo);
  const destinationAccountId = await addPayee(page, "Ridge Labs", "000123456012");
  const sourceAccountId = demo.accounts.find((candidate) => candidate.name === "Operating")?.id;
  const lineOf = (amountInCents: number) => ({ sourceAccountId, destinationAccountId, amountInCents });
  const proposed = transferBatchSchema.parse(
    // None over $5,000 by itself; together they are.
    await callApi("POST", "/transfers/batch", { transfers: [300_000, 100_000, 250_000].map(lineOf) }, demo),
  );
  expect(proposed.approvals).toMatchObject({
    required: [
      { rule: "New payee", atLeast: 2, given: 0 },
      { rule: null, atLeast: 1, given: 0 },
    ],
  });
  const url = proposed.approvalUrl ?? "";
  const signatures = page.getByRole("region", { name: "Signatures" });

  await page.goto(url);
  await expect(page.getByText("You may not sign.").locator("visible=true")).toBeVisible();

  await signInWithoutForm(page, "CO_OWNER", demo);
  await page.goto(url);
  await expect(signatures).toContainText(
    "Ridge Labs is a new payee, so Jonas Weil and Priya Nair must approve.",
  );
  await page.getByRole("button", { name: /^Strike out line 2,/ }).click();
  expect(await findAxeViolations(page)).toEqual([]);
  expect(await findLookFaults(page)).toEqual([]);
  await button(page, /^Sign 2/).click();
  await expect(
    page
      .getByText("You have signed. It still waits for Priya Nair.", { exact: false })
      .locator("visible=true"),
  ).toBeVisible();
  await expect(signatures.getByText("1 of 2")).toBeVisible();

  await page.setViewportSize({ width: 1440, height: 900 });
  await signInWithoutForm(page, "CO_OWNER", { ...demo, members: demo.members.slice(2) });
  await page.goto(url);
  await expect(page.getByText("Struck out by Jonas Weil").locator("visible=true")).toBeVisible();
  await expect(page.getByRole("button", { name: /line 2,/ })).toHaveCount(0);
  expect(await findAxeViolations(page)).toEqual([]);
  expect(await findLookFaults(page)).toEqual([]);
  await button(page, /^Sign 2/).click();
  await expect(page.getByText("1 line was struck out and denied.")).toBeVisible();
  await expect(page.getByText(/^Signed by /)).toHaveCount(2);
  const signed = transferBatchSchema.parse(
    await callApi("GET", `/transfer-batches/${proposed.id}`, undefined, demo),
  );
  expect(signed).toMatchObject({ status: "APPROVED", approvedInCents: 550_000 });
  await context.close();
});

test("a payee and a rule wait for the second of two people, where the policy asks for them", async ({
  page,
}) => {
  const { ownerPool, close } = await joinDatabase(product.dataDirectory);
  try {
    const { rows } = await ownerPool.query<{ organizationId: string; userId: string }>(
      `select organization_id as "organizationId", user_id as "userId" from memberships
        where user_id = (select id from users where email = $1)`,
      [emailOf("OWNER")],
    );
    const [owner] = rows;
    if (!owner) throw new Error("The demo has no owner");
    await putInForce(
      { ownerPool },
      owner.organizationId,
      owner.userId,
      policyOf(asks([anyDeciders(1)]), {
        name: "What moves money later",
        when: { kinds: ["PAYEE", "RULE"] },
        ...asks([anyDeciders(2)]),
      }),
    );
  } finally {
    await close();
  }
  const signatures = page.getByRole("region", { name: "Signatures" });
  await openSignedIn(page, `${demo.appUrl}/payees`, "OWNER", demo);
  await page.getByRole("link", { name: "Marlow Legal", exact: true }).click();
  await page.getByRole("button", { name: "Sign", exact: true }).click();
  await expect(signatures.getByText("1 of 2")).toBeVisible();
  await expect(page.getByRole("button", { name: "Confirm payee" })).toHaveCount(0);
  await expect(page.getByText("None yet.", { exact: false })).toBeVisible();
  const payeeUrl = page.url();
  expect(await findAxeViolations(page)).toEqual([]);

  await page.goto(`${demo.appUrl}/rules`);
  await page.getByRole("link", { name: "Year-end sweep" }).first().click();
  await page.getByRole("button", { name: "Sign for version 1" }).click();
  const dialog = page.getByRole("alertdialog", { name: "Sign for version 1?" });
  await expect(dialog).toContainText("One of 2 signatures. With the last one it runs without approval.");
  await dialog.getByRole("button", { name: "Sign", exact: true }).click();
  await expect(signatures.getByText("1 of 2")).toBeVisible();
  await expect(page.getByText("Version 1, not active")).toBeVisible();
  await expect(page.getByRole("button", { name: /version 1$/ })).toHaveCount(0);
  const ruleUrl = page.url();

  await signInWithoutForm(page, "CO_OWNER", demo);
  await page.goto(payeeUrl);
  await page.getByRole("button", { name: "Confirm payee" }).click();
  await expect(signatures).toHaveCount(0);
  await expect(page.getByRole("region", { name: "Account in force" })).toContainText("Ends in 7716");
  await page.goto(ruleUrl);
  await page.getByRole("button", { name: "Activate version 1" }).click();
  await page
    .getByRole("alertdialog", { name: "Activate version 1?" })
    .getByRole("button", { name: "Activate", exact: true })
    .click();
  await expect(page.getByText("Activated version 1")).toBeVisible();
  await expect(page.getByText("Signed for version 1")).toBeVisible();
});

/** Both are asked by the owner and signed by the co-owner. */
async function askForTwo(): Promise<void> {
  const { ownerPool, close } = await joinDatabase(product.dataDirectory);
  try {
    const { rows } = await ownerPool.query<{ organizationId: string; userId: string }>(
      `select organization_id as "organizationId", user_id as "userId" from memberships
        where user_id = (select id from users where email = $1)`,
      [emailOf("OWNER")],
    );
    const [owner] = rows;
    if (!owner) throw new Error("The demo has no owner");
    await putInForce(
      { ownerPool },
      owner.organizationId,
      owner.userId,
      policyOf(asks([anyDeciders(1)]), {
        name: "What protects",
        when: { kinds: ["LIMIT", "KEY"] },
        ...asks([anyDeciders(2)], { expiresAfterHours: 48 }),
      }),
    );
  } finally {
    await close();
  }
}

for (const { name, viewport, colorScheme, floor } of [
  { name: "desktop, light", viewport: { width: 1440, height: 900 }, colorScheme: "light", floor: "400" },
  { name: "phone, dark", viewport: { width: 390, height: 844 }, colorScheme: "dark", floor: "300" },
] as const) {
  test(`a lower floor waits for the second of two people (${name})`, async ({ browser }) => {
    await askForTwo();
    const context = await browser.newContext({ viewport, colorScheme });
    const page = await context.newPage();
    const accountId = demo.accounts.find((account) => account.name === "Operating")?.id;
    await openSignedIn(page, `${demo.appUrl}/accounts/${accountId}/edit`, "OWNER", demo);
    await page.getByLabel("Floor").fill(floor);
    await page.getByRole("button", { name: "Save changes" }).click();
    await expect(page.getByRole("heading", { name: "Lower the floor of Operating?" })).toBeVisible();
    const signatures = page.getByRole("region", { name: "Signatures", exact: true });
    await expect(signatures.getByText("1 of 2")).toBeVisible();
    const withdraw = page.getByRole("button", { name: "Withdraw" }).locator("visible=true");
    await expect(withdraw).toBeVisible();
    expect(await findAxeViolations(page)).toEqual([]);
    expect(await findLookFaults(page)).toEqual([]);
    const url = page.url();
    // Where the floor is set, nobody asks for it again.
    await page.goto(`${demo.appUrl}/accounts/${accountId}`);
    await expect(page.getByText(`Lowering the floor to $${floor}.00`)).toBeVisible();
    expect(await findAxeViolations(page)).toEqual([]);
    expect(await findLookFaults(page)).toEqual([]);
    await page.getByRole("link", { name: "See who has signed" }).click();
    await expect(page).toHaveURL(url);

    await signInWithoutForm(page, "CO_OWNER", demo);
    await page.goto(`${demo.appUrl}/approvals`);
    await page.getByRole("link", { name: "Lower the floor of Operating" }).click();
    await expect(page).toHaveURL(url);
    await expect(signatures.getByText("Yours would complete it")).toBeVisible();
    expect(await findAxeViolations(page)).toEqual([]);
    expect(await findLookFaults(page)).toEqual([]);
    await page.getByRole("button", { name: /^Sign/ }).locator("visible=true").click();
    await expect(page.getByText("In force")).toBeVisible();
    await page.goto(`${demo.appUrl}/accounts/${accountId}`);
    await expect(page.getByText(`$${floor}.00`).filter({ visible: true }).first()).toBeVisible();
    await context.close();
  });
}

test("a key that two people have to sign opens nothing before the second, and one that was denied never", async ({
  page,
}) => {
  await askForTwo();
  const keysHref = `${demo.appUrl}/settings/api-keys`;
  const ask = async (name: string) => {
    await page.goto(`${keysHref}/new`);
    await page.getByLabel("Name", { exact: true }).fill(name);
    await page.getByLabel(/^Read accounts/).check();
    await page.getByRole("button", { name: /^Create key/ }).click();
    await expect(page.getByRole("heading", { name: `${name} waits for signatures` })).toBeVisible();
    const text = (await page.locator("[data-secret] code").textContent()) ?? "";
    await page.getByRole("button", { name: "See who must sign" }).click();
    await page.getByRole("button", { name: "I saved it another way" }).click();
    await expect(page.getByRole("heading", { name: `Create the key ${name}?` })).toBeVisible();
    return { text, url: page.url() };
  };
  const statusOf = async (text: string) =>
    (await fetch(`${demo.appUrl}/platform/v1/accounts`, { headers: { authorization: `Bearer ${text}` } }))
      .status;

  await openSignedIn(page, keysHref, "OWNER", demo);
  const signed = await ask("two-people");
  const denied = await ask("denied-key");
  expect(await statusOf(signed.text)).toBe(401);
  expect(await findAxeViolations(page)).toEqual([]);

  await signInWithoutForm(page, "CO_OWNER", demo);
  await page.goto(signed.url);
  await expect(page.getByRole("region", { name: "What it can do" })).toContainText("read");
  await page.getByRole("button", { name: /^Sign/ }).locator("visible=true").click();
  await expect(page.getByText("In force")).toBeVisible();
  await expect.poll(() => statusOf(signed.text)).toBe(200);
  await page.goto(denied.url);
  await page.getByRole("button", { name: "Deny" }).locator("visible=true").click();
  await expect(page.getByText("Denied", { exact: true })).toBeVisible();
  expect(await statusOf(denied.text)).toBe(401);
});
