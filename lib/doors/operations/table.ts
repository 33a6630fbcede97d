import { accountOperations } from "@/lib/doors/operations/accounts";
import type { Operation } from "@/lib/doors/operations/operation";
import { externalTransactionOperations } from "@/lib/doors/operations/transactions-external";
import { transferOperations } from "@/lib/doors/operations/transfers";

/** Every operation of the API. */
export const operations: readonly Operation[] = [
  ...accountOperations,
  ...transferOperations,
  ...externalTransactionOperations,
];
