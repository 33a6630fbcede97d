import type { Pool } from "pg";
import {
  BankRefusesAccount,
  BankUnavailable,
  type OutsideAccountRequest,
  type RegisteredOutsideAccount,
} from "@/lib/ports/bank/bank-port";
import { type Mercury, read, recipientSchema } from "@/lib/ports/bank/mercury/call-mercury";
import { listRecipients } from "@/lib/ports/bank/mercury/lists";

/** What a process that ended left unfinished may be taken over after this. */
const CLAIM_LASTS = "1 minute";

/** A recipient at Mercury that Sluice made is found again by this nickname. */
const nicknameOf = (outsideAccountId: string) => `Sluice ${outsideAccountId}`;

/**
 * Creates a recipient for ACH. Mercury takes no idempotency key for it, so a row is claimed first, and a claim that
 * ended without an answer looks for its recipient before it makes one.
 * @throws BankRefusesAccount, BankUnavailable as in BankPort.registerOutsideAccount
 */
export async function registerRecipient(
  mercury: Mercury,
  input: OutsideAccountRequest,
): Promise<RegisteredOutsideAccount> {
  const { pool } = mercury;
  const claim = await claimRow(pool, input);
  if (claim.recipientId !== null) return { bankReference: claim.recipientId, ...lastDigitsOf(claim) };
  if (!claim.isOurs) throw new BankUnavailable("This account is being registered at Mercury");
  try {
    const known = claim.isNew ? null : await findRecipient(mercury, input.outsideAccountId);
    const recipientId = known ?? (await createRecipient(mercury, input));
    await pool.query({
      name: "keep_mercury_recipient",
      text: `update mercury_recipients set recipient_id = $3, claimed_at = null
              where organization_id = $1 and outside_account_id = $2`,
      values: [input.organizationId, input.outsideAccountId, recipientId],
    });
    return { bankReference: recipientId, ...lastDigitsOf(claim) };
  } catch (error) {
    await release(pool, input);
    throw error;
  }
}

interface Claim {
  recipientId: string | null;
  isOurs: boolean;
  isNew: boolean;
  routingNumberLast4: string;
  accountNumberLast4: string;
}

const lastDigitsOf = ({ routingNumberLast4, accountNumberLast4 }: Claim) => ({
  routingNumberLast4,
  accountNumberLast4,
});

async function claimRow(pool: Pool, input: OutsideAccountRequest): Promise<Claim> {
  const lastDigits = {
    routingNumberLast4: input.routingNumber.slice(-4),
    accountNumberLast4: input.accountNumber.slice(-4),
  };
  const { rows } = await pool.query<{ isNew: boolean }>({
    name: "claim_mercury_recipient",
    text: `insert into mercury_recipients as r (organization_id, outside_account_id, routing_number_last4,
               account_number_last4, claimed_at)
           values ($1, $2, $3, $4, now())
           on conflict (organization_id, outside_account_id) do update set claimed_at = now()
             where r.recipient_id is null
               and (r.claimed_at is null or r.claimed_at < now() - interval '${CLAIM_LASTS}')
           returning xmax = 0 as "isNew"`,
    values: [
      input.organizationId,
      input.outsideAccountId,
      lastDigits.routingNumberLast4,
      lastDigits.accountNumberLast4,
    ],
  });
  if (rows[0]) return { recipientId: null, isOurs: true, isNew: rows[0].isNew, ...lastDigits };
  const kept = await pool.query<Pick<Claim, "recipientId" | "routingNumberLast4" | "accountNumberLast4">>({
    name: "read_mercury_recipient",
    text: `select recipient_id as "recipientId", routing_number_last4 as "routingNumberLast4",
                  account_number_last4 as "accountNumberLast4"
             from mercury_recipients where organization_id = $1 and outside_account_id = $2`,
    values: [input.organizationId, input.outsideAccountId],
  });
  const [row] = kept.rows;
  if (!row) throw new Error("A recipient that was claimed was not found");
  return { ...row, isOurs: false, isNew: false };
}

/** Lets the next attempt look for the recipient at once. */
async function release(pool: Pool, input: OutsideAccountRequest): Promise<void> {
  await pool.query({
    name: "release_mercury_recipient",
    text: `update mercury_recipients set claimed_at = null
            where organization_id = $1 and outside_account_id = $2 and recipient_id is null`,
    values: [input.organizationId, input.outsideAccountId],
  });
}

async function findRecipient(mercury: Mercury, outsideAccountId: string): Promise<string | null> {
  const nickname = nicknameOf(outsideAccountId);
  const { items, isHidden } = await listRecipients(mercury, { sought: outsideAccountId, nickname });
  if (items[0]) return items[0].id;
  if (isHidden) throw new BankUnavailable("Mercury's answer is not as documented for this recipient");
  return null;
}

async function createRecipient({ call }: Mercury, input: OutsideAccountRequest): Promise<string> {
  const { address } = input;
  if (!address) throw new BankRefusesAccount("This bank needs the postal address of the account holder.");
  const answer = await call({
    method: "POST",
    path: "/recipients",
    body: JSON.stringify({
      name: input.holderName,
      nickname: nicknameOf(input.outsideAccountId),
      emails: [],
      electronicRoutingInfo: {
        accountNumber: input.accountNumber,
        routingNumber: input.routingNumber,
        electronicAccountType: accountTypeOf(input),
        address: {
          address1: address.street,
          city: address.city,
          region: address.state,
          postalCode: address.postalCode,
          country: "US",
        },
      },
    }),
  });
  // Mercury's answer may repeat the numbers, and errors are logged.
  if (answer.status === 400) {
    throw new BankRefusesAccount("The bank does not accept this account. Check its numbers and the address.");
  }
  return read(recipientSchema, answer).id;
}

function accountTypeOf({ holderKind, accountKind }: OutsideAccountRequest): string {
  const holder = holderKind === "BUSINESS" ? "business" : "personal";
  return `${holder}${accountKind === "CHECKING" ? "Checking" : "Savings"}`;
}
