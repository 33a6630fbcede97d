import type { AchReturnCode } from "@/lib/contract/transfer";

/** What a real bank's own sandbox can be asked to make happen. Its notices then arrive as at any time. */
export interface BankSimulations {
  /** Named on the page. */
  readonly bankName: string;
  /**
   * Someone sends money to an income source over ACH.
   * @param input.payerName shortened to what the bank takes
   * @returns the deposit's reference in notices; null if the bank has no number for this account yet
   * @throws BankRefusesAccount with the bank's words, BankUnavailable
   */
  deposit(input: {
    organizationId: string;
    accountId: string;
    amountInCents: number;
    payerName: string;
  }): Promise<string | null>;
  /**
   * Settles an order at once.
   * @returns false if the bank has no such order that can settle
   * @throws BankUnavailable
   */
  settle(transferId: string): Promise<boolean>;
  /**
   * The other bank returns an order, settled or not.
   * @returns false if the bank has no such order that can be returned
   * @throws BankUnavailable
   */
  sendBack(transferId: string, code: AchReturnCode): Promise<boolean>;
}
