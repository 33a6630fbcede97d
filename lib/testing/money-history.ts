import { randomUUID } from "node:crypto";
import type { FlowDirection, SpendingCategory } from "@/lib/contract/transactions";
import type { TransferDirection, TransferStatus } from "@/lib/contract/transfer";
import { newId } from "@/lib/platform/ids";
import type { TestDatabase } from "@/lib/testing/database";

export interface OutsideMovement {
  accountId: string;
  /** `YYYY-MM-DD`, at noon UTC, or an instant. */
  on: string;
  amountInCents: number;
  direction: FlowDirection;
  category?: SpendingCategory | null;
  merchantName?: string | null;
  description?: string;
  status?: "PENDING" | "COMPLETE";
  transferId?: string;
  vanished?: boolean;
}

export interface CardMovement {
  accountId: string;
  on: string;
  amountInCents: number;
  subtype: "PURCHASE" | "REFUND" | "PAYOUT";
  category?: SpendingCategory | null;
  description?: string;
}

export interface TransferMovement {
  on: string;
  amountInCents: number;
  direction: TransferDirection;
  from?: string;
  to?: string;
  counterpartyName?: string;
  status?: TransferStatus;
  executionMode?: "LIVE" | "SIMULATION";
  /** When it last changed, if not on `on`: the return. */
  changedOn?: string;
}

const instant = (on: string) => new Date(on.includes("T") ? on : `${on}T12:00:00Z`);

/** Writes the results of outside activity and bookings, without performing either. */
export function createMoneyHistory({ ownerPool }: Pick<TestDatabase, "ownerPool">, organizationId: string) {
  async function outside(movement: OutsideMovement): Promise<string> {
    const at = instant(movement.on);
    const id = newId(at);
    await ownerPool.query(
      `insert into external_transactions (organization_id, id, account_id, provider_transaction_id, amount_in_cents,
          direction, status, description, transaction_date, merchant_name, category, transfer_id, created_at, updated_at,
          vanished_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $9, $9, case when $13 then $9::timestamptz end)`,
      [
        organizationId,
        id,
        movement.accountId,
        randomUUID(),
        movement.amountInCents,
        movement.direction,
        movement.status ?? "COMPLETE",
        movement.description ?? "",
        at,
        movement.merchantName ?? null,
        movement.category ?? null,
        movement.transferId ?? null,
        movement.vanished ?? false,
      ],
    );
    return id;
  }

  async function card(movement: CardMovement): Promise<void> {
    const at = instant(movement.on);
    const cardId = newId(at);
    await ownerPool.query(
      `insert into cards (organization_id, id, card_type, name, number_last4, account_id, status, created_at, updated_at)
       values ($1, $2, 'DEBIT_CARD', 'Card', '4242', $3, 'ACTIVE', $4, $4)`,
      [organizationId, cardId, movement.accountId, at],
    );
    await ownerPool.query(
      `insert into card_transactions (organization_id, id, card_id, account_id, subtype, amount_in_cents, description,
          category, network_reference, created_at, completed_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10)`,
      [
        organizationId,
        newId(at),
        cardId,
        movement.accountId,
        movement.subtype,
        movement.amountInCents,
        movement.description ?? "",
        movement.category ?? null,
        randomUUID(),
        at,
      ],
    );
  }

  async function transfer(movement: TransferMovement): Promise<string> {
    const at = instant(movement.on);
    const id = newId(at);
    await ownerPool.query(
      `insert into transfers (organization_id, id, status, execution_mode, direction, origin, amount_in_cents,
          source_account_id, destination_account_id, counterparty_name, proposed_by_kind, proposed_by_name, created_at,
          updated_at, completed_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'BANK', 'Bank', $11, $12, $11)`,
      [
        organizationId,
        id,
        movement.status ?? "COMPLETE",
        movement.executionMode ?? "LIVE",
        movement.direction,
        movement.from === undefined ? "DIRECT_DEPOSIT" : "API",
        movement.amountInCents,
        movement.from ?? null,
        movement.to ?? null,
        movement.counterpartyName ?? null,
        at,
        instant(movement.changedOn ?? movement.on),
      ],
    );
    return id;
  }

  return { outside, card, transfer };
}
