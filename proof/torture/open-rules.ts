import { ruleDefinitionSchema } from "@/lib/contract/rules/rule";
import type { CallerActor, Context, MemberActor } from "@/lib/core/shared/context";
import type { Services } from "@/lib/platform/services";
import { activate, writeRule } from "@/lib/testing/rules";

import type { OpenedLimit, OpenedRule } from "@/proof/torture/checker/history";
import type { AccountName } from "@/proof/torture/world";

const LIMIT_IN_CENTS = 60_000;
const AN_HOUR_MS = 3_600_000;

interface Writers {
  author: Context<CallerActor>;
  owner: Context<MemberActor>;
}

type Ids = Record<AccountName, string>;

/** The rules of a party, and what the checker is told of them: it reads no rule of the product. */
export interface OpenedRules {
  manualRuleId: string;
  opened: OpenedRule[];
  limits: OpenedLimit[];
}

/** Income is split; what arrives in Taxes goes on; what arrives in Reserve goes on up to a limit; some runs every day. */
export async function openRules(services: Services, writers: Writers, ids: Ids): Promise<OpenedRules> {
  const open = (name: string, definition: object) => openRule(services, writers, { name, ...definition });
  const split = await open("Split income", {
    trigger: arrivalAt(ids.income),
    // Each in a group of its own, so that each is rounded by itself.
    steps: [
      { actions: [share(ids.income, ids.taxes, 30), share(ids.income, ids.reserve, 20, { group: 1 })] },
    ],
  });
  const onward = await open("Onward from taxes", {
    trigger: arrivalAt(ids.taxes),
    steps: [{ actions: [share(ids.taxes, ids.vault, 50, { upTo: true })] }],
  });
  const limited = await open("Onward from reserve, limited", {
    trigger: arrivalAt(ids.reserve),
    limits: [{ id: "month", period: "MONTH", amountInCents: LIMIT_IN_CENTS }],
    steps: [{ actions: [share(ids.reserve, ids.vault, 90, { upTo: true, limitId: "month" })] }],
  });
  const manualRuleId = await open("On request", {
    trigger: { type: "MANUAL", accountId: ids.operating },
    steps: [{ actions: [fixed(ids.operating, ids.vault, 1_500)] }],
  });
  await open("Every day", {
    trigger: { type: "SCHEDULED", accountId: ids.operating, schedule: everyDay(services) },
    steps: [{ actions: [fixed(ids.operating, ids.vault, 700)] }],
  });
  const shares = [
    { destinationAccountId: ids.taxes, percentage: 30 },
    { destinationAccountId: ids.reserve, percentage: 20 },
  ];
  return {
    manualRuleId,
    opened: [
      { id: split, accountId: ids.income, shares },
      { id: onward, accountId: ids.taxes, shares: [] },
      { id: limited, accountId: ids.reserve, shares: [] },
    ],
    limits: [{ ruleId: limited, limitId: "month", amountInCents: LIMIT_IN_CENTS }],
  };
}

/** Writes a rule as a program does, and activates it as a person does. @returns its id */
async function openRule(services: Services, { author, owner }: Writers, definition: object): Promise<string> {
  const now = services.clock.now();
  const id = await writeRule(services, { ...author, now }, ruleDefinitionSchema.parse(definition));
  const result = await activate(services, { ...owner, now }, id);
  if (result.kind !== "DONE") throw new Error(`A rule was not activated: ${JSON.stringify(result)}`);
  return id;
}

function arrivalAt(accountId: string) {
  return { type: "ON_FUNDS_TRANSFERRED", accountId };
}

function share(from: string, to: string, percentage: number, more: object = {}) {
  const part = { type: "PERCENTAGE", of: "INCOMING_AMOUNT", percentage, group: 0 };
  return { ...part, sourceAccountId: from, destinationAccountId: to, ...more };
}

function fixed(from: string, to: string, amountInCents: number) {
  return { type: "FIXED", sourceAccountId: from, destinationAccountId: to, amountInCents, group: 0 };
}

function everyDay({ clock }: Services) {
  const startAt = new Date(clock.now().getTime() + AN_HOUR_MS).toISOString();
  return { frequency: "DAILY", startAt, timeZone: "America/New_York" };
}
