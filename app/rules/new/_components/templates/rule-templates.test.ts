import { describe, expect, it } from "vitest";
import {
  beginDraft,
  castAccounts,
  offeredTemplates,
  RULE_TEMPLATES,
} from "@/app/rules/new/_components/templates/rule-templates";
import type { AccountKind } from "@/lib/contract/account";
import { toDefinition } from "@/lib/contract/rules/draft-to-definition";
import { checkActivation } from "@/lib/engine/check-activation";
import type { EditorAccountView } from "@/lib/views/rules/read-rule-editor";
import { phrasesText } from "@/lib/words/rules/phrases";

const account = (index: number, name: string, kind: AccountKind): EditorAccountView => ({
  id: `00000000-0000-4000-8000-00000000000${index}`,
  name,
  nameToChoose: name,
  kind,
  canBeSource: kind !== "LIABILITY",
  isClosed: false,
});
const STUDIO = [
  account(1, "Client payments", "INCOME_SOURCE"),
  account(2, "Operating", "POD"),
  account(3, "Sales tax", "POD"),
  account(4, "Profit", "POD"),
  account(5, "Owner’s pay", "POD"),
  account(6, "Payroll", "POD"),
  account(7, "Rent", "POD"),
  account(8, "Summit Visa", "LIABILITY"),
  account(9, "Car loan", "LIABILITY"),
];

const begin = (templateId: string | null, accounts = STUDIO) =>
  beginDraft(templateId, {
    cast: castAccounts(accounts),
    timeZone: "America/New_York",
    startAt: "2026-11-21T05:00:00.000Z",
  });

describe("templates", () => {
  it.each(RULE_TEMPLATES.map(({ id }) => id))("%s starts as a rule that can be activated", (id) => {
    const result = toDefinition(begin(id));
    if (result.kind !== "RULE") throw new Error(JSON.stringify(result.problems));
    const accounts = Object.fromEntries(
      STUDIO.map(({ id: accountId, name, kind }) => [
        accountId,
        {
          name,
          type: kind === "INCOME_SOURCE" || kind === "POD" ? kind : ("EXTERNAL_ACCOUNT" as const),
          externalAccountType: kind === "LIABILITY" ? kind : null,
          isClosed: false,
          balanceInCents: 0,
          availableInCents: 0,
          floorInCents: null,
          onItsWayInCents: 0,
          nextPaymentMinimumInCents: 0,
          lastStatementBalanceInCents: 0,
          interestRatePercentage: null,
        },
      ]),
    );
    const checks = checkActivation({
      ruleId: "00000000-0000-4000-8000-0000000000ff",
      definition: result.definition,
      otherActiveRules: [],
      accounts,
      nowAt: "2026-11-20T12:00:00.000Z",
      nextRunAt: "2026-12-01T14:00:00.000Z",
    });
    expect(checks.filter(({ outcome }) => outcome === "BLOCKS")).toEqual([]);
  });

  it("chooses accounts by name and type", () => {
    const cast = castAccounts(STUDIO);
    expect(cast.TAXES?.name).toBe("Sales tax");
    expect(cast.INCOME?.name).toBe("Client payments");
    expect(cast.debts.map(({ name }) => name)).toEqual(["Summit Visa", "Car loan"]);
    const taxes = RULE_TEMPLATES.find(({ id }) => id === "set-tax-aside");
    expect(phrasesText(taxes?.says(cast) ?? [])).toBe(
      "Send 27% of each deposit to Sales tax. The rest stays where it arrived.",
    );
  });

  it("leaves accounts open if none fits, and hides debt templates without a debt", () => {
    const [, operating] = STUDIO;
    const poor = operating ? [operating] : [];
    expect(offeredTemplates(castAccounts(poor)).filter(({ needsDebt }) => needsDebt)).toEqual([]);
    const result = toDefinition(begin("set-tax-aside", poor));
    expect(result).toMatchObject({
      kind: "INCOMPLETE",
      problems: [{ part: "a2.destination", message: "Choose where the money goes." }],
    });
    expect(toDefinition(begin(null, []))).toMatchObject({ kind: "INCOMPLETE" });
  });
});
