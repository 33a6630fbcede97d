import { BOOKABLE_LINES } from "@/lib/contract/reconciliation";

/**
 * SQL: whether a line `l` of a statement is an order that looks like one of Sluice's and is none: another program sent it
 * from Sluice's own account under a key of the same form.
 */
export const IS_FOREIGN_ORDER = `(l.kind in ('ORDER', 'ORDER_RETURN') and l.transfer_id is not null and not exists (
  select from transfers own where own.organization_id = l.organization_id and own.id = l.transfer_id))`;

/** Whether nothing here will ever book the line by itself, so that a person does. */
export function isBookable({ kind, isForeign }: { kind: string; isForeign: boolean }): boolean {
  return isForeign || (BOOKABLE_LINES as readonly string[]).includes(kind);
}
