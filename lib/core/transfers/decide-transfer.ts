import type { AccountType, ExternalAccountType } from "@/lib/contract/account";
import { type BankCapabilities, bankProblem } from "@/lib/contract/bank-capabilities";
import { AppError } from "@/lib/contract/error";
import { writeCents } from "@/lib/contract/format-cents";
import { canBeSource } from "@/lib/contract/rules/account-sides";
import type { TransferDirection, TransferStatus } from "@/lib/contract/transfer";
import type { TransferGrant } from "@/lib/core/shared/permits";

export interface Party {
  id: string;
  name: string;
  type: AccountType;
  externalAccountType: ExternalAccountType | null;
  isClosed: boolean;
  /** Whether the bank knows this outside account by a reference of its own. */
  isRegistered: boolean;
}

export interface TransferDecision {
  direction: TransferDirection;
  status: Extract<TransferStatus, "PROCESSING" | "APPROVAL_PENDING">;
}

/**
 * Decides a live `POST /transfers`, in the order of checks of docs/behavior/http.md: existence, the key's list, business
 * rules. Pure: the caller loads the parties and the key's grant for their route.
 * @throws AppError `TRANSFER_SOURCE_NOT_FOUND`, `TRANSFER_DESTINATION_NOT_FOUND`, `ACCESS_DENIED`,
 * `MAXIMUM_AMOUNT_EXCEEDED`, `INVALID_PARAMETERS`.
 */
export function decideTransfer(input: {
  source: Party | null;
  destination: Party | null;
  amountInCents: number;
  grant: TransferGrant | null;
  approvalRequired: boolean;
  bankCapabilities: BankCapabilities;
}): TransferDecision {
  const { source, destination } = input;
  if (!source) refuseParty("TRANSFER_SOURCE_NOT_FOUND", "sourceAccountId", "there is no such account");
  if (!destination) {
    refuseParty("TRANSFER_DESTINATION_NOT_FOUND", "destinationAccountId", "there is no such account");
  }
  requireGrant(input.grant, input.amountInCents);
  if (source.isClosed) refuseParty("TRANSFER_SOURCE_NOT_FOUND", "sourceAccountId", "the account was closed");
  if (destination.isClosed) {
    refuseParty("TRANSFER_DESTINATION_NOT_FOUND", "destinationAccountId", "the account was closed");
  }
  const direction = directionOf(source, destination);
  const problem = bankProblem(
    input.bankCapabilities,
    direction,
    direction === "MONEY_IN" ? source : destination,
  );
  if (problem !== null) {
    refuseParty(
      "INVALID_PARAMETERS",
      direction === "MONEY_IN" ? "sourceAccountId" : "destinationAccountId",
      problem,
    );
  }
  return { direction, status: input.approvalRequired ? "APPROVAL_PENDING" : "PROCESSING" };
}

function requireGrant(grant: TransferGrant | null, amountInCents: number): void {
  if (!grant) {
    throw new AppError(
      "ACCESS_DENIED",
      "No MANUAL_TRANSFER entry of this key allows a transfer from this source to this destination.",
    );
  }
  if (grant.maximumAmountInCents !== null && amountInCents > grant.maximumAmountInCents) {
    throw new AppError(
      "MAXIMUM_AMOUNT_EXCEEDED",
      `Above this key's limit for this route. Requested: ${writeCents(amountInCents)}; limit: ${writeCents(grant.maximumAmountInCents)}. Nothing moved.`,
    );
  }
}

function directionOf(source: Party, destination: Party): TransferDirection {
  const isManaged = (party: Party) => party.type !== "EXTERNAL_ACCOUNT";
  if (!isManaged(source) && !isManaged(destination)) {
    refuseParty(
      "INVALID_PARAMETERS",
      "destinationAccountId",
      "one of the two accounts must be a pod or an income source; Sluice cannot move money between two accounts outside it",
    );
  }
  if (!canBeSource(source.type, source.externalAccountType)) {
    refuseParty(
      "INVALID_PARAMETERS",
      "sourceAccountId",
      "money cannot be drawn from an account of this kind",
    );
  }
  if (isManaged(source) && isManaged(destination)) return "INTERNAL";
  return isManaged(source) ? "MONEY_OUT" : "MONEY_IN";
}

function refuseParty(
  code: "TRANSFER_SOURCE_NOT_FOUND" | "TRANSFER_DESTINATION_NOT_FOUND" | "INVALID_PARAMETERS",
  field: string,
  message: string,
): never {
  throw new AppError(code, `${field}: ${message}.`, [{ field, message }]);
}
