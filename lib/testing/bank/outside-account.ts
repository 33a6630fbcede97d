import { v7 as uuidv7 } from "uuid";
import type { OutsideAccountRequest } from "@/lib/ports/bank/bank-port";

/** A print shop's account elsewhere, as a bank registers it. */
export function newOutsideAccount(
  organizationId: string,
  outsideAccountId: string = uuidv7(),
): OutsideAccountRequest {
  return {
    organizationId,
    outsideAccountId,
    holderName: "Harbor Print Shop LLC",
    holderKind: "BUSINESS",
    accountKind: "CHECKING",
    // Passes the checksum of the American Bankers Association.
    routingNumber: "101050001",
    accountNumber: "987654321",
    address: { street: "18 Harbor Road", city: "Portland", state: "ME", postalCode: "04101" },
  };
}
