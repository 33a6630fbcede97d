import { CountryCode, Products } from "plaid";
import { z } from "zod";
import type { Encryption } from "@/lib/platform/encryption";
import {
  type AggregatorPort,
  AggregatorUnavailable,
  ConnectingRefused,
  type ConnectingStep,
  type ConnectionAccess,
  MAX_INSTITUTIONS,
  type NewConnection,
  NumbersNotShared,
  type ProviderAccountNumbers,
  SignInNeeded,
} from "@/lib/ports/aggregator/aggregator-port";
import {
  isInDollars,
  type PlaidLiabilities,
  plaidAccountsSchema,
  plaidLiabilitiesSchema,
  plaidNumbersSchema,
  toProviderAccount,
  toProviderBalance,
  toProviderNumbers,
} from "@/lib/ports/aggregator/plaid/accounts";
import { type CallPlaid, createCallPlaid, type PlaidOptions } from "@/lib/ports/aggregator/plaid/call-plaid";
import { syncPages } from "@/lib/ports/aggregator/plaid/transactions";

/** The name in Plaid's dialog. */
const CLIENT_NAME = "Sluice";
const COUNTRIES = [CountryCode.Us];
const DAYS_REQUESTED = 365;

/** The item's institution reports nothing (more) about debts: balances come without terms. */
const NO_LIABILITIES = new Set([
  "ACCESS_NOT_GRANTED",
  "ADDITIONAL_CONSENT_REQUIRED",
  "INVALID_PRODUCT",
  "NO_LIABILITY_ACCOUNTS",
  "PRODUCT_NOT_ENABLED",
  "PRODUCT_NOT_READY",
  "PRODUCTS_NOT_SUPPORTED",
]);
/** The institution has no account numbers to share, or none of an account that ACH reaches. */
const NO_NUMBERS = new Set(["NO_AUTH_ACCOUNTS", "PRODUCTS_NOT_SUPPORTED"]);
/** The customer was not asked for them, or declined. */
const NOT_AGREED = new Set(["ACCESS_NOT_GRANTED", "ADDITIONAL_CONSENT_REQUIRED"]);
const GONE = new Set(["ITEM_NOT_FOUND", "INVALID_ACCESS_TOKEN"]);

const institutionSchema = z.object({ institution_id: z.string(), name: z.string() });
const institutionsSchema = z.object({ institutions: z.array(institutionSchema).max(500) });
const linkTokenSchema = z.object({
  link_token: z.string().min(1),
  expiration: z.iso.datetime({ offset: true }),
});
const exchangeSchema = z.object({ access_token: z.string().min(1), item_id: z.string().min(1).max(200) });
const itemSchema = z.object({
  item: z.object({ institution_id: z.string().nullish(), institution_name: z.string().nullish() }),
});
const doneSchema = z.object({ request_id: z.string() });

/** Accounts at real institutions through Plaid's official SDK. Access tokens leave this file encrypted. */
export function createPlaidAggregator({
  encryption,
  redirectUri,
  asksForNumbers,
  ...options
}: PlaidOptions & {
  encryption: Encryption;
  /** Whether its dialog asks to share account numbers, which only some banks need. */
  asksForNumbers: boolean;
  /** Where banks with a sign-in page of their own send people back to; null: only into their own window. */
  redirectUri: string | null;
}): AggregatorPort {
  const call = createCallPlaid(options);
  const tokenOf = (access: ConnectionAccess) => openToken(encryption, access);
  return {
    provider: "PLAID",
    isSandbox: false,
    searchInstitutions: async ({ query, limit }) => await searchInstitutions(call, query, limit),
    beginConnecting: async (input) =>
      await beginConnecting(call, input, {
        redirectUri,
        asksForNumbers,
        accessToken: input.again ? tokenOf(input.again) : null,
      }),
    completeConnecting: async (input) => await completeConnecting(call, encryption, input),
    listAccounts: async (access) => {
      const { accounts } = await call(plaidAccountsSchema, (api, limits) =>
        api.accountsGet({ access_token: tokenOf(access) }, limits),
      );
      return accounts.filter(isInDollars).map(toProviderAccount);
    },
    readAccountNumbers: async (access) => await readNumbers(call, tokenOf(access)),
    readBalances: async (access) => await readBalances(call, tokenOf(access), access.businessNow),
    syncTransactions: async (access, cursor) =>
      await syncPages(call, tokenOf(access), cursor, access.businessNow),
    remove: async (access) => await removeItem(call, tokenOf(access)),
  };
}

/** Bytes encrypted for one connection decrypt for no other. */
function contextOf({
  organizationId,
  connectionId,
}: {
  organizationId: string;
  connectionId: string;
}): string {
  return `${organizationId}/${connectionId}`;
}

function openToken(encryption: Encryption, access: ConnectionAccess): string {
  if (access.sealedAccessToken === null) {
    throw new SignInNeeded("INVALID_ACCESS_TOKEN", "This connection has no access to Plaid");
  }
  return encryption.decrypt(access.sealedAccessToken, contextOf(access));
}

async function searchInstitutions(call: CallPlaid, query: string, limit: number) {
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_INSTITUTIONS) {
    throw new RangeError(`limit must be from 1 to ${MAX_INSTITUTIONS}, not ${limit}`);
  }
  const wanted = query.trim();
  const { institutions } = await call(institutionsSchema, (api, limits) =>
    wanted === ""
      ? api.institutionsGet({ count: limit, offset: 0, country_codes: COUNTRIES }, limits)
      : api.institutionsSearch(
          { query: wanted, products: [Products.Transactions], country_codes: COUNTRIES },
          limits,
        ),
  );
  return institutions.slice(0, limit).map(({ institution_id, name }) => ({ id: institution_id, name }));
}

interface LinkSetting {
  redirectUri: string | null;
  asksForNumbers: boolean;
  /** Of a connection to sign in to again. */
  accessToken: string | null;
}

async function beginConnecting(
  call: CallPlaid,
  { organizationId, memberId, institutionId }: Parameters<AggregatorPort["beginConnecting"]>[0],
  { redirectUri, asksForNumbers, accessToken }: LinkSetting,
): Promise<ConnectingStep> {
  const { link_token, expiration } = await call(linkTokenSchema, (api, limits) =>
    api.linkTokenCreate(
      {
        client_name: CLIENT_NAME,
        language: "en",
        country_codes: COUNTRIES,
        // Our own opaque ids: Plaid asks for no names or addresses here.
        user: { client_user_id: `${organizationId}/${memberId}` },
        // Plaid refuses it unless its dashboard lists this exact address.
        ...(redirectUri !== null && { redirect_uri: redirectUri }),
        // Consent only: institutions without account numbers still connect, and Plaid bills it once they are read.
        ...(asksForNumbers && { additional_consented_products: [Products.Auth] }),
        ...(accessToken === null
          ? {
              products: [Products.Transactions],
              required_if_supported_products: [Products.Liabilities],
              transactions: { days_requested: DAYS_REQUESTED },
              ...(institutionId !== null && { institution_id: institutionId }),
            }
          : { access_token: accessToken }),
      },
      limits,
    ),
  );
  return { kind: "LINK", linkToken: link_token, expiresAt: new Date(expiration) };
}

async function completeConnecting(
  call: CallPlaid,
  encryption: Encryption,
  { organizationId, connectionId, proof }: Parameters<AggregatorPort["completeConnecting"]>[0],
): Promise<NewConnection> {
  if (proof.kind !== "LINK") throw new ConnectingRefused("NO_PUBLIC_TOKEN", "Plaid's dialog was not used");
  const { access_token, item_id } = await call(exchangeSchema, (api, limits) =>
    api.itemPublicTokenExchange({ public_token: proof.publicToken }, limits),
  );
  try {
    const { item } = await call(itemSchema, (api, limits) => api.itemGet({ access_token }, limits));
    return {
      providerItemId: item_id,
      institution: {
        id: item.institution_id ?? "unknown",
        name: item.institution_name ?? "Institution",
      },
      sealedAccessToken: encryption.encrypt(access_token, contextOf({ organizationId, connectionId })),
    };
  } catch (error) {
    // The public token is used up, so this access could never be found or ended again.
    await removeItem(call, access_token).catch(() => undefined);
    throw error;
  }
}

async function readBalances(call: CallPlaid, accessToken: string, businessNow: Date) {
  const { accounts } = await call(plaidAccountsSchema, (api, limits) =>
    api.accountsBalanceGet({ access_token: accessToken }, limits),
  );
  const inDollars = accounts.filter(isInDollars);
  const owes = inDollars.some(({ type }) => type === "credit" || type === "loan");
  const liabilities = owes ? await readLiabilities(call, accessToken) : null;
  return inDollars.map((account) => toProviderBalance(account, liabilities, businessNow));
}

async function readLiabilities(call: CallPlaid, accessToken: string): Promise<PlaidLiabilities | null> {
  try {
    const { liabilities } = await call(plaidLiabilitiesSchema, (api, limits) =>
      api.liabilitiesGet({ access_token: accessToken }, limits),
    );
    return liabilities;
  } catch (error) {
    const isReported = error instanceof AggregatorUnavailable || error instanceof SignInNeeded;
    if (isReported && NO_LIABILITIES.has(error.code)) return null;
    throw error;
  }
}

async function readNumbers(call: CallPlaid, accessToken: string): Promise<ProviderAccountNumbers[]> {
  try {
    return toProviderNumbers(
      await call(plaidNumbersSchema, (api, limits) => api.authGet({ access_token: accessToken }, limits)),
    );
  } catch (error) {
    const isReported = error instanceof AggregatorUnavailable || error instanceof SignInNeeded;
    if (isReported && NO_NUMBERS.has(error.code)) return [];
    if (isReported && NOT_AGREED.has(error.code)) throw new NumbersNotShared();
    throw error;
  }
}

async function removeItem(call: CallPlaid, accessToken: string): Promise<void> {
  try {
    await call(doneSchema, (api, limits) => api.itemRemove({ access_token: accessToken }, limits));
  } catch (error) {
    if (error instanceof SignInNeeded && GONE.has(error.code)) return;
    throw error;
  }
}
