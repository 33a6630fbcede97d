import type { Mutant } from "@/proof/mutation/mutant";
import { PROPOSAL_FUNCTIONS } from "@/proof/mutation/mutants/functions-proposals";
import { RULE_FUNCTIONS } from "@/proof/mutation/mutants/functions-rules";
import { SIGNING_FUNCTIONS } from "@/proof/mutation/mutants/functions-signing";
import { TRANSFER_FUNCTIONS } from "@/proof/mutation/mutants/functions-transfers";
import { TYPESCRIPT } from "@/proof/mutation/mutants/typescript";

/** What moves money or decides comes first: a run that is stopped has tried the worst. */
export const MUTANTS: readonly Mutant[] = [
  ...TRANSFER_FUNCTIONS,
  ...RULE_FUNCTIONS,
  ...PROPOSAL_FUNCTIONS,
  ...SIGNING_FUNCTIONS,
  ...TYPESCRIPT,
];
