import type { PoolClient } from "pg";
import type { z } from "zod";
import { AppError } from "@/lib/contract/error";
import type { firstPodsSchema } from "@/lib/contract/onboarding";
import { emptySchedule } from "@/lib/contract/rules/definition-to-draft";
import type { ActionDraft, RuleDraft } from "@/lib/contract/rules/draft";
import { openAccount } from "@/lib/core/ledger/create-account";
import { saveDraft } from "@/lib/core/rules/save-draft";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { recordChange } from "@/lib/core/shared/record-change";
import { requireDecider } from "@/lib/core/shared/roles";
import { OPEN_AT_BANK } from "@/lib/core/shared/work-names";
import { lockOrganization } from "@/lib/core/sign-in/lock-organization";
import { inTransaction } from "@/lib/db/transaction";
import { newId } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";

const INCOME_NAME = "Income";
const RULE_NAME = "Split incoming money";

interface OpenedPod {
  id: string;
  sharePercent: number;
}

/**
 * Opens the first pods and an income source in one transaction, and saves a draft of the rule that splits by their shares.
 * The draft does nothing until a member saves it as a version and activates it.
 * @throws AppError `ACCESS_DENIED` unless the actor is an owner or co-owner, and before the identity check is approved;
 * `INVALID_PARAMETERS` for an invalid field, shares above 100%, and if accounts already exist.
 */
export async function openFirstPods(
  services: Pick<Services, "pool" | "wake" | "bankCapabilities">,
  context: Context<MemberActor>,
  pods: z.output<typeof firstPodsSchema>,
): Promise<void> {
  const together = pods.reduce((sum, { sharePercent }) => sum + sharePercent, 0);
  if (together > 100)
    refuse(`The shares add up to ${together}%. Reduce them to 100% or less. Nothing was opened.`);
  const names = new Set(pods.map(({ name }) => name.toLowerCase()));
  if (names.size < pods.length) refuse("Two pods have the same name. Nothing was opened.");
  const opened = await inTransaction(services.pool, async (client) => {
    // If the form is sent twice at once, the second request waits here and then finds the pods.
    await lockOrganization(client, context.organizationId);
    await requireDecider(client, context, "open an account");
    await requireNone(client, context.organizationId);
    const income = await open(services, client, context, "INCOME_SOURCE", INCOME_NAME);
    const podIds: OpenedPod[] = [];
    for (const { name, sharePercent } of pods) {
      podIds.push({ id: await open(services, client, context, "POD", name), sharePercent });
    }
    return { incomeId: income, pods: podIds };
  });
  services.wake(OPEN_AT_BANK);
  if (together === 0) return;
  await saveDraft(services, context, {
    draftId: newId(context.now),
    ruleId: null,
    baseVersion: null,
    work: { draft: await draftOf(services, context, opened.incomeId, opened.pods), jsonText: null },
  });
}

async function requireNone(client: PoolClient, organizationId: string): Promise<void> {
  const { rowCount } = await client.query({
    name: "has_managed_account",
    text: `select from accounts where organization_id = $1 and type <> 'EXTERNAL_ACCOUNT' and deleted_at is null limit 1`,
    values: [organizationId],
  });
  if (rowCount !== 0) refuse("Pods already exist. Reload this page; you can open more under Accounts.");
}

async function open(
  services: Pick<Services, "bankCapabilities">,
  client: PoolClient,
  context: Context<MemberActor>,
  type: "POD" | "INCOME_SOURCE",
  name: string,
): Promise<string> {
  const account = await openAccount(services, client, context, {
    type,
    name,
    description: null,
    beneficiaryId: null,
    floorInCents: null,
    savingsTargetInCents: null,
  });
  await recordChange(client, context, { kind: "ACCOUNT_OPENED", subject: name, before: null, after: type });
  return account.id;
}

/** Shares of each deposit. If they add up to 100%, the last one is the remainder, so that rounding leaves no cent behind. */
async function draftOf(
  services: Pick<Services, "pool">,
  { organizationId }: Context,
  incomeId: string,
  pods: readonly OpenedPod[],
): Promise<RuleDraft> {
  const { rows } = await services.pool.query<{ timeZone: string }>(
    `select time_zone as "timeZone" from organizations where id = $1`,
    [organizationId],
  );
  const shared = pods.filter(({ sharePercent }) => sharePercent > 0);
  const isWhole = shared.reduce((sum, { sharePercent }) => sum + sharePercent, 0) === 100;
  const actions = shared.map(({ id, sharePercent }, index): ActionDraft => {
    const isRest = isWhole && index === shared.length - 1 && index > 0;
    return {
      key: index + 2,
      type: isRest ? "REMAINDER" : "PERCENTAGE",
      sourceAccountId: incomeId,
      destinationAccountIds: [id],
      amountInCents: null,
      percentage: isRest ? null : sharePercent,
      of: "INCOMING_AMOUNT",
      keepInCents: 0,
      group: isRest ? 1 : 0,
      upTo: false,
      limitId: null,
      description: null,
    };
  });
  return {
    name: RULE_NAME,
    description: "",
    trigger: {
      type: "ON_FUNDS_TRANSFERRED",
      accountId: incomeId,
      minimumAmountInCents: null,
      schedule: emptySchedule(rows[0]?.timeZone ?? "UTC"),
    },
    steps: [{ key: 1, conditions: null, actions }],
    limits: [],
    reason: "",
  };
}

function refuse(message: string): never {
  throw new AppError("INVALID_PARAMETERS", message, [{ field: "pods", message }]);
}
