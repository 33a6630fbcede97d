import type { BankRail } from "@/lib/contract/bank-capabilities";

/** How a transaction of this kind travels at Mercury; other kinds do not say. */
export const RAIL_OF_KIND: Readonly<Record<string, BankRail>> = {
  externalTransfer: "ACH",
  incomingDomesticWire: "WIRE",
  incomingInternationalWire: "WIRE",
  checkDeposit: "CHECK",
  internalTransfer: "BOOK",
  treasuryTransfer: "BOOK",
};
