import { accountOperations } from "@/lib/api/operations/accounts";
import { auditOperations } from "@/lib/api/operations/audit-log";
import { beneficiaryOperations } from "@/lib/api/operations/beneficiaries";
import { financialProfileOperations } from "@/lib/api/operations/financial-profile";
import type { Operation } from "@/lib/api/operations/operation";
import { ruleOperations } from "@/lib/api/operations/rules";
import { cardTransactionOperations } from "@/lib/api/operations/transactions-card";
import { externalTransactionOperations } from "@/lib/api/operations/transactions-external";
import { transferOperations } from "@/lib/api/operations/transfers";

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
