import type { Pool } from "pg";
import { v7 as uuidv7 } from "uuid";
import {
  type AggregatorPort,
  AggregatorUnavailable,
  ConnectingRefused,
  type ConnectingStep,
  type ConnectionAccess,
  MAX_INSTITUTIONS,
  type NewConnection,
  NOT_OFFERED,
  type OfferedAccount,
  type ProviderAccount,
  SignInNeeded,
  UnknownInstitution,
} from "@/lib/ports/aggregator/aggregator-port";
import { balanceOf } from "@/lib/ports/aggregator/sandbox/balance-of";
import { INSTITUTIONS, institutionOf, TEMPLATES } from "@/lib/ports/aggregator/sandbox/institutions";
import { openItem } from "@/lib/ports/aggregator/sandbox/open-item";
import { planBatch } from "@/lib/ports/aggregator/sandbox/plan-batch";
import { type ItemKey, readItem, readSchedule } from "@/lib/ports/aggregator/sandbox/read-item";
import { readCursor } from "@/lib/ports/aggregator/sandbox/sync-cursor";

const TRANSACTIONS_PER_BATCH = 1_000;

/**
 * Institutions that are invented and behave like real ones (docs/connections.md). They keep their own tables and take a
 * pool, never a client, so that a rollback of the product does not make them forget.
 */
export function createSandboxAggregator(pool: Pool): AggregatorPort {
  return {
    provider: "SANDBOX",
    isSandbox: true,
    searchInstitutions: async ({ query, limit }) => {
      if (!Number.isInteger(limit) || limit < 1 || limit > MAX_INSTITUTIONS) {
        throw new RangeError(`limit must be from 1 to ${MAX_INSTITUTIONS}, not ${limit}`);
      }
      const wanted = query.trim().toLowerCase();
      return INSTITUTIONS.filter(({ name }) => name.toLowerCase().includes(wanted))
        .slice(0, limit)
        .map(({ id, name }) => ({ id, name }));
    },
    beginConnecting: async ({ institutionId, again }) =>
      await reached(() => begin(pool, institutionId, again)),
    completeConnecting: async (input) => await reached(() => complete(pool, input)),
    listAccounts: async (access) =>
      await reached(async () => {
        const { accounts } = await readItem(pool, keyOf(access), access.businessNow);
        return accounts.map(
          ({ accountId, template, numberLast4, routingNumberLast4 }): ProviderAccount => ({
            providerAccountId: accountId,
            name: template.name,
            externalAccountType: template.externalAccountType,
            numberLast4,
            routingNumberLast4,
          }),
        );
      }),
    readBalances: async (access) =>
      await reached(async () => {
        const item = await readItem(pool, keyOf(access), access.businessNow);
        const schedule = await readSchedule(pool, keyOf(access), item.accounts, item.toldUntil);
        return item.accounts.map((account) => balanceOf(account, schedule, item.toldUntil));
      }),
    syncTransactions: async (access, cursor) =>
      await reached(async () => {
        const item = await readItem(pool, keyOf(access), access.businessNow);
        const schedule = await readSchedule(pool, keyOf(access), item.accounts, item.toldUntil);
        const from = readCursor(cursor);
        return planBatch(schedule, from, item.toldUntil, item.lastChange, TRANSACTIONS_PER_BATCH);
      }),
    remove: async (access) =>
      await reached(async () => {
        const { organizationId, itemId } = keyOf(access);
        await pool.query(
          `update sandbox_institution_items set removed_at = $3
            where organization_id = $1 and item_id = $2 and removed_at is null`,
          [organizationId, itemId, access.businessNow],
        );
      }),
  };
}

function keyOf({ organizationId, providerItemId }: ConnectionAccess): ItemKey {
  return { organizationId, itemId: providerItemId };
}

/** Signing in anew is choosing nothing: the customer is who they were, and the fault is over. */
async function begin(
  pool: Pool,
  institutionId: string | null,
  again: ConnectionAccess | null,
): Promise<ConnectingStep> {
  if (again) {
    const { rows } = await pool.query<{ institution_id: string }>(
      `update sandbox_institution_items set fault_kind = null, fault_code = null
        where organization_id = $1 and item_id = $2 returning institution_id`,
      [again.organizationId, again.providerItemId],
    );
    return { kind: "CHOOSE", institution: requireInstitution(rows[0]?.institution_id ?? ""), accounts: [] };
  }
  const institution = requireInstitution(institutionId ?? "");
  return { kind: "CHOOSE", institution, accounts: offeredBy(institution.id) };
}

function offeredBy(institutionId: string): OfferedAccount[] {
  return TEMPLATES.filter((template) => template.institutionId === institutionId).map(
    ({ template, name, externalAccountType }) => ({ template, name, externalAccountType }),
  );
}

/** The item has the connection's id, so that a second attempt at completing is the same one. */
async function complete(
  pool: Pool,
  input: Parameters<AggregatorPort["completeConnecting"]>[0],
): Promise<NewConnection> {
  const { proof, organizationId, connectionId, businessNow } = input;
  if (proof.kind !== "CHOICE") {
    throw new ConnectingRefused(NOT_OFFERED, "The sandbox institutions take a choice of accounts");
  }
  const institution = requireInstitution(proof.institutionId);
  const offered = offeredBy(institution.id);
  const chosen = offered.filter(({ template }) => proof.templates.includes(template));
  if (chosen.length === 0 || chosen.length !== new Set(proof.templates).size) {
    throw new ConnectingRefused(NOT_OFFERED, `Choose among the accounts of ${institution.name}`);
  }
  await openItem(
    pool,
    { organizationId, itemId: connectionId },
    {
      institutionId: institution.id,
      connectedAt: businessNow,
      accounts: chosen.map(({ template }) => ({ accountId: uuidv7(), template })),
    },
  );
  return { providerItemId: connectionId, institution, sealedAccessToken: null };
}

function requireInstitution(id: string) {
  const found = institutionOf(id);
  if (!found) throw new UnknownInstitution(id);
  return { id: found.id, name: found.name };
}

/** A broken connection to where the sandbox keeps its rows is an institution that does not answer. */
async function reached<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    const isAnswer =
      error instanceof AggregatorUnavailable ||
      error instanceof SignInNeeded ||
      error instanceof ConnectingRefused ||
      error instanceof UnknownInstitution ||
      error instanceof RangeError;
    if (isAnswer) throw error;
    throw new AggregatorUnavailable(
      "SANDBOX_UNREACHABLE",
      error instanceof Error ? error.message : "unknown",
    );
  }
}
