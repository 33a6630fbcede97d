import { accountOperations } from "@/lib/doors/operations/accounts";
import { beneficiaryOperations } from "@/lib/doors/operations/beneficiaries";
import type { Operation } from "@/lib/doors/operations/operation";
import { ruleOperations } from "@/lib/doors/operations/rules";
import { transferOperations } from "@/lib/doors/operations/transfers";

/** Every operation of the API. */
export const operations: readonly Operation[] = [
  ...accountOperations,
  ...beneficiaryOperations,
  ...transferOperations,
  ...ruleOperations,
];
