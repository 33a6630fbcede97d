import type { CoolOff, PayeeKind } from "@/lib/contract/payee";
import type { BankPort } from "@/lib/ports/bank/bank-port";
import { readCoolOff } from "@/lib/views/payees/read-payees";
import type { Reading } from "@/lib/views/reading";

/** The page on which a connected account is registered at the bank. */
export interface RegisterAccountView {
  accountId: string;
  name: string;
  institutionName: string | null;
  numberEnding: string | null;
  bankName: string;
  /** Whether the bank draws money from it too. */
  canPull: boolean;
  needsAddress: boolean;
  /** Of the account's owner, as a start. */
  holderName: string;
  holderKind: PayeeKind;
  coolOff: CoolOff;
}

type Row = Pick<
  RegisterAccountView,
  "accountId" | "name" | "institutionName" | "numberEnding" | "holderName" | "holderKind"
>;

/** For a bank that requires it. Null where there is nothing to register: another kind of account, or a registered one. */
export async function readRegisterPage(
  { services: { pool }, context }: Reading,
  bank: Pick<BankPort, "name" | "capabilities">,
  accountId: string,
): Promise<RegisterAccountView | null> {
  const { requiresAddress, pull } = bank.capabilities;
  const { organizationId } = context;
  const [{ rows }, coolOff] = await Promise.all([
    pool.query<Row>({
      name: "read_register_page",
      text: `
        select a.id as "accountId", a.name, a.institution_name as "institutionName",
            a.account_number_last4 as "numberEnding", left(b.name, 100) as "holderName",
            b.beneficiary_type as "holderKind"
          from accounts a
          join connections c on c.organization_id = a.organization_id and c.id = a.connection_id
           and c.status <> 'DISCONNECTED'
          join beneficiaries b on b.organization_id = a.organization_id and b.id = a.beneficiary_id
         where a.organization_id = $1 and a.id = $2 and a.deleted_at is null
           and a.external_account_type = 'DEPOSITORY' and not exists (
             select from registered_accounts r where r.organization_id = $1 and r.account_id = $2
               and r.bank_reference is not null)`,
      values: [organizationId, accountId],
    }),
    readCoolOff(pool, organizationId),
  ]);
  const [row] = rows;
  return row ? { ...row, bankName: bank.name, canPull: pull, needsAddress: requiresAddress, coolOff } : null;
}
