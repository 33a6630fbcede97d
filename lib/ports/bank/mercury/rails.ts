import type { BankRail } from "@/lib/contract/bank-capabilities";

/** How a transaction of this kind travels at Mercury; other kinds do not say. A map: a kind may be any text. */
export const RAIL_OF_KIND: ReadonlyMap<string, BankRail> = new Map([
  ["externalTransfer", "ACH"],
  ["incomingDomesticWire", "WIRE"],
  ["incomingInternationalWire", "WIRE"],
  ["checkDeposit", "CHECK"],
  ["internalTransfer", "BOOK"],
  ["treasuryTransfer", "BOOK"],
]);
