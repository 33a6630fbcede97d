import { accountOperations } from "@/lib/doors/operations/accounts";
import { auditOperations } from "@/lib/doors/operations/audit-log";
import { beneficiaryOperations } from "@/lib/doors/operations/beneficiaries";
import { financialProfileOperations } from "@/lib/doors/operations/financial-profile";
import type { Operation } from "@/lib/doors/operations/operation";
import { ruleOperations } from "@/lib/doors/operations/rules";
import { cardTransactionOperations } from "@/lib/doors/operations/transactions-card";
import { externalTransactionOperations } from "@/lib/doors/operations/transactions-external";
import { transferOperations } from "@/lib/doors/operations/transfers";

/** Every operation of the API. */
export const operations: readonly Operation[] = [
  ...accountOperations,
  ...beneficiaryOperations,
  ...transferOperations,
  ...cardTransactionOperations,
  ...externalTransactionOperations,
  ...ruleOperations,
  ...auditOperations,
  ...financialProfileOperations,
];
