import type { CoolOff, PayeeKind } from "@/lib/contract/payee";

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
