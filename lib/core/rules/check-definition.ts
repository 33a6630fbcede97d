import type { PoolClient } from "pg";
import type { AccountType, ExternalAccountType } from "@/lib/contract/account";
import { type BankCapabilities, bankProblem } from "@/lib/contract/bank-capabilities";
import { AppError, type ErrorDetail } from "@/lib/contract/error";
import { timeZoneProblem } from "@/lib/contract/organization";
import { canBeDestination, canBeSource } from "@/lib/contract/rules/account-sides";
import { comparisonProblems } from "@/lib/contract/rules/comparison-count";
import { destinationsOf } from "@/lib/contract/rules/definition-parts";
import type { RuleDefinition } from "@/lib/contract/rules/rule";
import type { Context } from "@/lib/core/shared/context";
import { IS_REGISTERED } from "@/lib/core/transfers/find-parties";
import { conditionAccounts } from "@/lib/engine/accounts-of";

interface Mention {
  field: string;
  accountId: string;
}

/** The trigger's account and every action's source, each once. */
export function sourceAccountIds(definition: RuleDefinition): string[] {
  const ids = definition.steps.flatMap((step) => step.actions.map((action) => action.sourceAccountId));
  return [...new Set([definition.trigger.accountId, ...ids])];
}

interface OpenAccount {
  id: string;
  type: AccountType;
  externalAccountType: ExternalAccountType | null;
  isRegistered: boolean;
}

/**
 * Refuses too many comparisons, unknown and closed accounts, schedules without an area's time zone, and impossible
 * routes: between two outside accounts, out of an account that cannot be a source, into an income source, or one that the
 * bank does not offer (specification, Part 2, "AccountSummary", `canBeSource` and `canBeDestination`).
 * @throws AppError `INVALID_PARAMETERS` with a detail for each problem.
 */
export async function checkDefinition(
  client: PoolClient,
  context: Context,
  definition: RuleDefinition,
  bankCapabilities: BankCapabilities,
): Promise<void> {
  const mentions = accountMentions(definition);
  const { rows } = await client.query<OpenAccount>({
    name: "find_open_accounts",
    text: `select id, type, external_account_type as "externalAccountType",
        ${IS_REGISTERED} as "isRegistered" from accounts a
            where organization_id = $1 and id = any ($2) and deleted_at is null`,
    values: [context.organizationId, [...new Set(mentions.map((mention) => mention.accountId))]],
  });
  const open = new Map(rows.map((row) => [row.id, row]));
  const missing = mentions
    .filter((mention) => !open.has(mention.accountId))
    .map(({ field }) => ({ field, message: "there is no such open account" }));
  const details = [
    ...comparisonProblems(definition),
    ...missing,
    ...zoneProblems(definition),
    ...routeProblems(definition, open, bankCapabilities),
  ];
  const first = details[0];
  if (first) throw new AppError("INVALID_PARAMETERS", `${first.field}: ${first.message}.`, details);
}

/** Not in the schema, so that rules stored before this check stay readable and keep running. */
function zoneProblems({ trigger }: RuleDefinition): ErrorDetail[] {
  if (trigger.type !== "SCHEDULED") return [];
  const message = timeZoneProblem(trigger.schedule.timeZone);
  return message === null ? [] : [{ field: "trigger.schedule.timeZone", message }];
}

function routeProblems(
  definition: RuleDefinition,
  open: ReadonlyMap<string, OpenAccount>,
  bankCapabilities: BankCapabilities,
): ErrorDetail[] {
  const problems: ErrorDetail[] = [];
  const isOutside = (id: string) => open.get(id)?.type === "EXTERNAL_ACCOUNT";
  for (const [stepIndex, step] of definition.steps.entries()) {
    for (const [actionIndex, action] of step.actions.entries()) {
      const field = `steps.${stepIndex}.actions.${actionIndex}`;
      const source = open.get(action.sourceAccountId);
      if (source && !canBeSource(source.type, source.externalAccountType)) {
        const message = "money cannot be drawn from an account of this kind";
        problems.push({ field: `${field}.sourceAccountId`, message });
      }
      if (destinationsOf(action).some((id) => isNoDestination(open.get(id)))) {
        const message = "a rule cannot send money to an income source, where outside money enters";
        problems.push({ field: `${field}.destinationAccountId`, message });
      } else if (isOutside(action.sourceAccountId) && destinationsOf(action).some(isOutside)) {
        const message =
          "one of the two accounts must be a pod or an income source; Sluice cannot move money between two accounts outside it";
        problems.push({ field: `${field}.destinationAccountId`, message });
      }
      const outside = (id: string) => {
        const account = open.get(id);
        return account?.type === "EXTERNAL_ACCOUNT"
          ? [{ isRegistered: account.isRegistered, externalAccountType: account.externalAccountType }]
          : [];
      };
      const [pulls] = outside(action.sourceAccountId).flatMap(
        (party) => bankProblem(bankCapabilities, "MONEY_IN", party) ?? [],
      );
      if (pulls) problems.push({ field: `${field}.sourceAccountId`, message: pulls });
      const [pushes] = destinationsOf(action)
        .flatMap(outside)
        .flatMap((party) => bankProblem(bankCapabilities, "MONEY_OUT", party) ?? []);
      if (pushes) problems.push({ field: `${field}.destinationAccountId`, message: pushes });
    }
  }
  return problems;
}

const isNoDestination = (account: OpenAccount | undefined) =>
  account !== undefined && !canBeDestination(account.type);

function accountMentions(definition: RuleDefinition): Mention[] {
  const mentions: Mention[] = [{ field: "trigger.accountId", accountId: definition.trigger.accountId }];
  for (const [stepIndex, step] of definition.steps.entries()) {
    for (const [actionIndex, action] of step.actions.entries()) {
      const field = `steps.${stepIndex}.actions.${actionIndex}`;
      mentions.push({ field: `${field}.sourceAccountId`, accountId: action.sourceAccountId });
      for (const accountId of destinationsOf(action)) {
        mentions.push({ field: `${field}.destinationAccountId`, accountId });
      }
    }
    for (const accountId of conditionAccounts(step.conditions)) {
      mentions.push({ field: `steps.${stepIndex}.conditions`, accountId });
    }
  }
  return mentions;
}
