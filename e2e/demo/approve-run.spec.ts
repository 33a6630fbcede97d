import { randomUUID } from "node:crypto";
import { expect, test } from "@playwright/test";
import { accountId, callApi, signIn } from "@/e2e/support/journey";
import { findAxeViolations } from "@/e2e/support/page-checks";
import { accountSchema } from "@/lib/contract/account";
import { ruleExecutionSchema, triggeredExecutionSchema } from "@/lib/contract/rules/execution";
import { writtenRuleSchema } from "@/lib/contract/rules/rule";

test("a program asks for a run, its owner sees the plan and approves it, and its transfers settle", {
  tag: "@gate",
}, async ({ page }) => {
  const name = `Reserve ${randomUUID().slice(0, 8)}`;
  const reserve = accountSchema.parse(await callApi("POST", "/accounts", { type: "POD", name }));
  const rule = writtenRuleSchema.parse(
    await callApi("POST", "/rules", {
      name: "Build a reserve",
      trigger: { type: "MANUAL", accountId: accountId("Profit") },
      steps: [
        {
          actions: [
            {
              type: "FIXED",
              sourceAccountId: accountId("Profit"),
              destinationAccountId: reserve.id,
              group: 0,
              amountInCents: 1_234,
            },
          ],
        },
      ],
    }),
  );
  await page.goto(rule.activationUrl ?? "");
  await signIn(page);
  await page.getByRole("button", { name: "Activate version 1" }).click();
  const dialog = page.getByRole("alertdialog");
  await dialog.getByRole("button", { name: "Activate", exact: true }).click();
  await expect(dialog).toBeHidden();

  const asked = triggeredExecutionSchema.parse(
    await callApi("POST", `/rules/${rule.id}/trigger`, { reasonForApproval: "The month was good." }),
  );
  expect(asked.status).toBe("APPROVAL_PENDING");
  await page.goto(asked.approvalUrl ?? "");
  await expect(page.getByRole("heading", { level: 1 })).toContainText("$12.34");
  await expect(page.getByRole("heading", { level: 1 })).toContainText(name);
  await expect(page.getByText("“The month was good.”")).toBeVisible();
  expect(await findAxeViolations(page)).toEqual([]);
  await page.getByRole("button", { name: /^Approve/ }).click();
  await expect(page.getByText("You approved this")).toBeVisible();

  const path = `/rules/${rule.id}/executions/${asked.executionId}`;
  const read = async () => ruleExecutionSchema.parse(await callApi("GET", path));
  await expect.poll(async () => (await read()).status).toBe("EXECUTED");
  expect(await read()).toMatchObject({ transfersCompleted: 1, approvalUrl: null });
  const after = accountSchema.parse(await callApi("GET", `/accounts/${reserve.id}`));
  expect(after.balance?.balanceInCents).toBe(1_234);
});
