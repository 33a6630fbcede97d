import { randomUUID } from "node:crypto";
import { expect, type Page, test } from "@playwright/test";
import { z } from "zod";
import { accountId, callApi, openSignedIn, signIn } from "@/e2e/support/journey";
import { findAxeViolations } from "@/e2e/support/page-checks";
import { accountSchema } from "@/lib/contract/account";
import { type Rule, ruleSchema, writtenRuleSchema } from "@/lib/contract/rules/rule";

/** A pod of its own, so that no other journey's rules react to its arrivals. */
async function openPod(): Promise<string> {
  const name = `Fees ${randomUUID().slice(0, 8)}`;
  return accountSchema.parse(await callApi("POST", "/accounts", { type: "POD", name })).id;
}

interface Split {
  accountId: string;
  percentage: number;
}

const definition = ({ accountId: sourceAccountId, percentage }: Split) => ({
  name: "Share out fees",
  trigger: { type: "ON_FUNDS_TRANSFERRED", accountId: sourceAccountId },
  steps: [
    {
      conditions: { all: [{ fact: "INCOMING_AMOUNT", operator: "GREATER_THAN_OR_EQUAL", value: 100_000 }] },
      actions: [
        {
          type: "PERCENTAGE",
          sourceAccountId,
          destinationAccountId: accountId("Profit"),
          group: 0,
          percentage,
          of: "INCOMING_AMOUNT",
        },
      ],
    },
  ],
});

async function propose(split: Split): Promise<Rule & { activationUrl: string }> {
  const rule = writtenRuleSchema.parse(await callApi("POST", "/rules", definition(split)));
  return { ...rule, activationUrl: z.string().parse(rule.activationUrl) };
}

async function edit(ruleId: string, split: Split): Promise<Rule> {
  return writtenRuleSchema.parse(await callApi("PUT", `/rules/${ruleId}`, definition(split)));
}

const readRule = async (id: string) => ruleSchema.parse(await callApi("GET", `/rules/${id}`));

/** Presses the button in the header, then the dialog's; after a fresh sign-in no further proof is needed. */
async function confirm(page: Page, open: string, press: string): Promise<void> {
  await page.getByRole("button", { name: open, exact: true }).click();
  const dialog = page.getByRole("alertdialog");
  await expect(dialog).toBeVisible();
  await dialog.getByRole("button", { name: press, exact: true }).click();
  await expect(dialog).toBeHidden();
}

/** However long ago the member signed in: stopping a rule asks for no proof. */
async function deactivate(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Deactivate", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: /^Deactivate / });
  await expect(dialog.getByText("new deposits stay where they arrive")).toBeVisible();
  await dialog.getByRole("button", { name: "Deactivate", exact: true }).click();
  await expect(dialog).toBeHidden();
}

test("a key proposes a rule; its owner tries it, activates it, sees what an edit changes, and deactivates it", {
  tag: "@gate",
}, async ({ page }) => {
  const account = await openPod();
  const rule = await propose({ accountId: account, percentage: 25 });
  expect(rule).toMatchObject({ status: "INACTIVE", activeVersion: null });

  await page.goto(rule.activationUrl);
  await signIn(page);
  await expect(page.getByRole("heading", { level: 1, name: "Share out fees" })).toBeVisible();
  await expect(page.getByText("25% of the deposit to Profit").first()).toBeVisible();
  expect(await findAxeViolations(page)).toEqual([]);

  const dryRun = page.getByRole("region", { name: "Dry run" });
  await dryRun.getByRole("textbox", { name: "If this amount arrives" }).fill("2,000.00");
  await expect(dryRun.getByRole("row", { name: /Profit/ })).toContainText("$500.00");
  const slider = dryRun.getByRole("slider", { name: "If this amount arrives" });
  await slider.focus();
  await slider.press("Home");
  await expect(dryRun.getByText("No condition is met, so nothing moves.")).toBeVisible();

  await page.getByRole("button", { name: "Activate version 1" }).click();
  const dialog = page.getByRole("alertdialog", { name: "Activate version 1?" });
  await expect(dialog).toContainText("25%, to Profit");
  expect(await findAxeViolations(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  expect(await readRule(rule.id)).toMatchObject({ status: "INACTIVE" });
  await confirm(page, "Activate version 1", "Activate");
  await expect(page.getByText("Version 1, active")).toBeVisible();
  expect(await readRule(rule.id)).toMatchObject({ status: "ACTIVE", activeVersion: 1, activationUrl: null });

  await edit(rule.id, { accountId: account, percentage: 27 });
  await page.goto(rule.activationUrl);
  await expect(page.getByText("Version 1 keeps running until you activate this one.")).toBeVisible();
  const changes = page.getByRole("region", { name: "Changes" });
  await expect(changes.locator("del")).toHaveText("25%");
  await expect(changes.locator("ins")).toHaveText("27%");
  await confirm(page, "Activate version 2", "Activate");
  await expect(page.getByText("Version 2, active")).toBeVisible();

  await deactivate(page);
  await expect(page.getByText("It won’t run until an owner or co-owner activates it.")).toBeVisible();
  expect(await readRule(rule.id)).toMatchObject({ status: "INACTIVE", activeVersion: null });
});

test("changes while the page was open are reported, and nothing is activated", async ({ page, context }) => {
  const account = await openPod();
  const first = await propose({ accountId: account, percentage: 10 });
  const rival = await propose({ accountId: account, percentage: 20 });
  await openSignedIn(page, first.activationUrl);
  await expect(page.getByRole("heading", { level: 1, name: "Share out fees" })).toBeVisible();
  const other = await context.newPage();
  await other.goto(rival.activationUrl);
  await confirm(other, "Activate version 1", "Activate");
  await expect(other.getByText("Version 1, active")).toBeVisible();

  await page.getByRole("button", { name: "Activate version 1" }).click();
  const dialog = page.getByRole("alertdialog");
  await dialog.getByRole("button", { name: "Activate", exact: true }).click();
  await expect(dialog).toContainText(
    "Another rule on arrivals at the same account was activated or deactivated.",
  );
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByText("Can’t be activated yet.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Activate version 1" })).toHaveCount(0);
  expect(await readRule(first.id)).toMatchObject({ status: "INACTIVE" });

  await deactivate(other);
  await expect(other.getByText("Version 1, not active")).toBeVisible();
});

test("a viewer sees the rule and no way to change it; a deleted rule shows a plain page", async ({
  page,
}) => {
  const rule = await propose({ accountId: await openPod(), percentage: 15 });
  await openSignedIn(page, rule.activationUrl, "VIEWER");
  await expect(page.getByRole("heading", { level: 1, name: "Share out fees" })).toBeVisible();
  await expect(
    page.getByText("Only owners and co-owners can edit, activate and deactivate rules."),
  ).toBeVisible();
  for (const name of [/^Activate/, /^Discard/, /^Delete/, /^Deactivate/]) {
    await expect(page.getByRole("button", { name })).toHaveCount(0);
  }
  await page.context().clearCookies();
  await openSignedIn(page, rule.activationUrl);
  await page.getByRole("button", { name: "Delete rule" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete rule" }).click();
  await expect(page).toHaveURL(/\/rules$/);
  await page.goto(rule.activationUrl);
  await expect(page.getByRole("heading", { name: "Share out fees was deleted" })).toBeVisible();
  expect(await findAxeViolations(page)).toEqual([]);
});
