import { movementHref } from "@/lib/contract/movement-search";
import type { TransferOrigin, TransferStatus } from "@/lib/contract/transfer";
import type { MovementState, MovementView } from "@/lib/contract/views/account-page-view";

/** What is shown of a transfer in an account's list: from `transfers t` with its accounts `s` and `d`. */
export const TRANSFER_MOVEMENT = `
  t.id as transfer_id, t.status, t.origin, t.description, t.error_code, t.proposed_by_name,
  coalesce(s.name, t.counterparty_name) as from_name, coalesce(d.name, t.counterparty_name) as to_name,
  null::uuid as card_transaction_id`;

export const TRANSFER_MOVEMENT_JOINS = `
  left join accounts s on s.organization_id = t.organization_id and s.id = t.source_account_id
  left join accounts d on d.organization_id = t.organization_id and d.id = t.destination_account_id`;

/** The same of an entry of an account's books, be it of a transfer or of a card: from `entries e`. */
export const ENTRY_MOVEMENT = `
  e.id, e.booked_at as at, e.kind as entry_kind, e.amount_in_cents,
  t.id as transfer_id, t.status, t.origin, t.description, t.error_code, t.proposed_by_name, c.name as card_name,
  coalesce(s.name, t.counterparty_name, case when ct.subtype = 'PURCHASE' then pod.name else ct.description end)
    as from_name,
  coalesce(d.name, t.counterparty_name, case when ct.subtype = 'PURCHASE' then ct.description else pod.name end)
    as to_name,
  ct.id as card_transaction_id`;

export const ENTRY_MOVEMENT_JOINS = `
  left join transfers t on t.organization_id = e.organization_id and t.id = e.transfer_id ${TRANSFER_MOVEMENT_JOINS}
  left join card_transactions ct on ct.organization_id = e.organization_id and ct.id = e.card_transaction_id
  left join cards c on c.organization_id = ct.organization_id and c.id = ct.card_id
  left join accounts pod on pod.organization_id = ct.organization_id and pod.id = ct.account_id`;

export interface MovementRow {
  id: string;
  at: Date;
  /** The part of it that an entry is about; null while nothing is booked. */
  entry_kind: "TRANSFER" | "RETURN" | "CARD" | null;
  is_in: boolean;
  amount_in_cents: number;
  balance_after_in_cents: number | null;
  transfer_id: string | null;
  status: TransferStatus | null;
  origin: TransferOrigin | null;
  description: string | null;
  error_code: string | null;
  proposed_by_name: string | null;
  from_name: string | null;
  to_name: string | null;
  /** Of a card's movement. */
  card_name: string | null;
  card_transaction_id: string | null;
}

/** What is neither an account nor named by the bank. */
const SOMEBODY_OUTSIDE = "Outside Sluice";

export function toMovement(row: MovementRow): MovementView {
  const from = row.from_name || SOMEBODY_OUTSIDE;
  const to = row.to_name || SOMEBODY_OUTSIDE;
  const isReturn = row.entry_kind === "RETURN";
  return {
    id: row.id,
    at: row.at.toISOString(),
    // The money of a return goes the other way.
    fromName: isReturn ? to : from,
    toName: isReturn ? from : to,
    state: stateOf(row),
    changeInCents: row.is_in ? row.amount_in_cents : -row.amount_in_cents,
    balanceAfterInCents: row.balance_after_in_cents,
    about: aboutMovement(row),
    href: hrefOf(row),
  };
}

/** The page of what it is a part of; what a card only promised has none yet. */
function hrefOf({ transfer_id, card_transaction_id }: MovementRow): string | null {
  if (transfer_id !== null) return movementHref("TRANSFERS", transfer_id);
  return card_transaction_id === null ? null : movementHref("CARDS", card_transaction_id);
}

function stateOf({ entry_kind, status }: MovementRow): MovementState {
  if (entry_kind === "RETURN") return "RETURN";
  if (entry_kind === null && (status === "PROCESSING" || status === null)) return "ON_ITS_WAY";
  return status === "RETURNED" ? "SENT_BACK" : "SETTLED";
}

/** `claude-bookkeeping, Q4 TAX` */
function aboutMovement(row: MovementRow): string {
  if (row.card_name !== null) return `Card, ${row.card_name}`;
  if (row.entry_kind === "RETURN")
    return ["Sent back by the bank", row.error_code].filter(Boolean).join(", ");
  return [ORIGIN[row.origin ?? ""] ?? row.proposed_by_name, row.description].filter(Boolean).join(", ");
}

/** Where nobody asked, the way on which it came. */
const ORIGIN: Record<string, string | undefined> = {
  DIRECT_DEPOSIT: "Direct deposit",
  CHECK_DEPOSIT: "Check deposit",
};
