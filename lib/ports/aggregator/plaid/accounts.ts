import { z } from "zod";
import type { ExternalAccountType } from "@/lib/contract/account";
import type { ProviderAccount } from "@/lib/ports/aggregator/aggregator-port";

/** What we read of Plaid's account (`AccountBase` in its OpenAPI description, 2020-09-14). */
export const plaidAccountSchema = z.object({
  account_id: z.string().min(1).max(200),
  name: z.string(),
  mask: z.string().nullable(),
  type: z.string(),
  balances: z.object({
    available: z.number().nullable(),
    current: z.number().nullable(),
    iso_currency_code: z.string().nullable(),
    unofficial_currency_code: z.string().nullable(),
    last_updated_datetime: z.iso.datetime({ offset: true }).nullish(),
  }),
});
export type PlaidAccount = z.infer<typeof plaidAccountSchema>;

export const plaidAccountsSchema = z.object({ accounts: z.array(plaidAccountSchema).max(500) });

/** Amounts are cents here: an account of another currency, or of none that is official, is left out. */
export function isInDollars({ balances }: PlaidAccount): boolean {
  return balances.iso_currency_code === null
    ? balances.unofficial_currency_code === null
    : balances.iso_currency_code === "USD";
}

const TYPES = new Map<string, ExternalAccountType>([
  ["depository", "DEPOSITORY"],
  ["credit", "LIABILITY"],
  ["loan", "LIABILITY"],
  ["investment", "INVESTMENT"],
  ["brokerage", "INVESTMENT"],
]);

/** A type that is not known is one that money is never drawn from. */
export function externalTypeOf({ type }: PlaidAccount): ExternalAccountType {
  return TYPES.get(type) ?? "INVESTMENT";
}

/** Plaid's mask is two to four characters, mostly the last digits; routing numbers belong to another product. */
export function toProviderAccount(account: PlaidAccount): ProviderAccount {
  return {
    providerAccountId: account.account_id,
    name: account.name,
    externalAccountType: externalTypeOf(account),
    numberLast4: account.mask !== null && /^\d{4}$/.test(account.mask) ? account.mask : null,
    routingNumberLast4: null,
  };
}
