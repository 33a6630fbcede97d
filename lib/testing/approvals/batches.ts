import { expect } from "vitest";
import type { BatchSubject, DecideBatchInput } from "@/lib/contract/approvals/batch";
import { moneyDigest, moneyOf } from "@/lib/contract/approvals/batch-money";
import type { PermissionInput } from "@/lib/contract/permissions";
import { decideBatch } from "@/lib/core/approvals/batches/decide-batch";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { createTestApi, moveAnything, readEverything } from "@/lib/testing/api";
import type { TestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { createTestServices } from "@/lib/testing/services";
import { type BatchApprovalView, getBatchApproval } from "@/lib/views/approvals/get-batch-approval";

/** An organization with a key, and what proposes, shows and decides batches between its accounts. */
export async function arrangeBatches(
  database: TestDatabase,
  {
    balanceInCents = 1_000_000,
    floorInCents = 0,
    permissions = [moveAnything(true)],
  }: { balanceInCents?: number; floorInCents?: number; permissions?: PermissionInput[] } = {},
) {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const add = organization.addAccount;
  const operating = await add({ name: "Operating", type: "POD", balanceInCents, floorInCents });
  const taxes = await add({ name: "Taxes", type: "POD" });
  const profit = await add({ name: "Profit", type: "POD" });
  const key = await organization.addKey([...readEverything, ...permissions], "ops-payroll");
  const call = createTestApi(services);
  const line = (amountInCents: number, to = taxes, from = operating) => ({
    sourceAccountId: from,
    destinationAccountId: to,
    amountInCents,
  });
  const post = (transfers: object[], headers: Record<string, string> = {}, by = key.text) =>
    call(by, "POST", "/transfers/batch", { body: { reasonForApproval: "Thank you", transfers }, headers });
  const propose = async (transfers: object[]) => {
    const response = await post(transfers);
    expect(response.status, response.text).toBe(202);
    return Object(response.body).data;
  };
  // A recent sign-in, so that no further confirmation is required.
  const at = (member: Context<MemberActor> = organization.owner) => ({
    ...member,
    now: clock.now(),
    actor: { ...member.actor, authenticatedAt: clock.now() },
  });
  const look = async (id: string, member?: Context<MemberActor>, pool = services.pool) => {
    const time = { nowAt: clock.now().toISOString(), timeZone: "America/New_York", locale: "en-US" };
    const view = await getBatchApproval({ services: { ...services, pool }, context: at(member), time }, id);
    if (!view) throw new Error("no such batch");
    return view;
  };
  const decide = (input: BatchSubject, more: Partial<DecideBatchInput> = {}, member?: Context<MemberActor>) =>
    decideBatch(services, at(member), { ...input, note: null, confirmation: { kind: "NONE" }, ...more });
  const read = async (id: string) =>
    Object((await call(key.text, "GET", `/transfer-batches/${id}`)).body).data;
  const balances = async () => {
    const { rows } = await database.ownerPool.query<{ id: string; cents: number }>(
      "select id, credits_in_cents - debits_in_cents as cents from ledgers where organization_id = $1",
      [organization.organizationId],
    );
    return new Map(rows.map(({ id, cents }) => [id, Number(cents)]));
  };
  return {
    services,
    clock,
    organization,
    operating,
    taxes,
    profit,
    key,
    call,
    line,
    post,
    propose,
    at,
    look,
    decide,
    read,
    balances,
  };
}

/** What a member signs who sees this page and strikes these numbers. */
export function signedBatch(view: BatchApprovalView, struck: readonly number[] = []): BatchSubject {
  const left = view.lines.filter(({ line }) => !struck.includes(line));
  const moves = left.map(({ line, sourceId, destinationId, amountInCents }) => ({
    line,
    sourceAccountId: sourceId,
    destinationAccountId: destinationId,
    amountInCents,
  }));
  return {
    batchId: view.id,
    decision: "APPROVE",
    lines: left.map(({ transferId, digest }) => ({ transferId, digest })),
    struckIds: view.lines.filter(({ line }) => struck.includes(line)).map(({ transferId }) => transferId),
    money: moneyDigest(moneyOf(view.accounts, view.room, moves)),
    asks: view.asks,
    reason: null,
  };
}

/** What denies all of it. */
export const batchDenial = (batchId: string): BatchSubject => ({
  batchId,
  decision: "DENY",
  lines: [],
  struckIds: [],
  money: "",
  asks: "",
  reason: null,
});
