import { type AccountTemplate, institutionOf, templateOf } from "@/lib/ports/aggregator/sandbox/institutions";

/** An account as the sandbox keeps it. */
export interface SandboxAccount {
  accountId: string;
  template: AccountTemplate;
  numberLast4: string;
  routingNumberLast4: string | null;
  openingBalanceInCents: number;
  /** `YYYY-MM-DD`, the first day on which anything happens. */
  historyFrom: string;
  /** Sluice has paid onto it and from it since then, until it was connected. */
  servedSince: Date | null;
  connectedAt: Date;
  renamesPosted: boolean;
}

export interface AccountRow {
  account_id: string;
  template: string;
  number_last4: string;
  routing_number_last4: string | null;
  opening_balance_in_cents: number;
  history_from: string;
  served_since: Date | null;
  connected_at: Date;
}

export function toSandboxAccount(row: AccountRow): SandboxAccount {
  const template = templateOf(row.template);
  return {
    accountId: row.account_id,
    template,
    numberLast4: row.number_last4,
    routingNumberLast4: row.routing_number_last4,
    openingBalanceInCents: row.opening_balance_in_cents,
    historyFrom: row.history_from,
    servedSince: row.served_since,
    connectedAt: row.connected_at,
    renamesPosted: institutionOf(template.institutionId)?.renamesPosted ?? false,
  };
}
