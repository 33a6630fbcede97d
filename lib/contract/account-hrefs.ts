import type { HistoryDays, MovementFilter } from "@/lib/contract/views/account-page-view";

/** What the address of an account's page says of how it is looked at. */
export interface AccountLook {
  days: HistoryDays;
  filter: MovementFilter;
  page: number;
}

export function accountHref(accountId: string): string {
  return `/accounts/${accountId}`;
}

/** The page of an account, looked at in this way; what is usual is left out of the address. */
export function accountLookHref(accountId: string, { days, filter, page }: AccountLook): string {
  const query = new URLSearchParams();
  if (days !== 30) query.set("days", String(days));
  if (filter !== "ALL") query.set("show", filter.toLowerCase());
  if (page !== 1) query.set("page", String(page));
  const text = query.toString();
  return text ? `${accountHref(accountId)}?${text}` : accountHref(accountId);
}
