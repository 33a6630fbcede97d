"use server";

import { z } from "zod";
import { memberAction } from "@/app/auth/member-action";
import { labeled } from "@/app/auth/run-as-member";
import { newBeneficiarySchema } from "@/lib/contract/account";
import {
  createBeneficiary,
  removeBeneficiary as remove,
  renameBeneficiary as rename,
  setDefaultBeneficiary as setDefault,
} from "@/lib/core/ledger/beneficiaries";

const ofBeneficiary = z.object({ beneficiaryId: z.uuid() });
const toProblem = labeled({ name: "The name" });

export const addBeneficiary = memberAction(
  { may: "DECIDERS", input: newBeneficiarySchema, toProblem },
  async ({ services, context }, input) => {
    await createBeneficiary(services, context, input);
  },
);

export const renameBeneficiary = memberAction(
  {
    may: "DECIDERS",
    input: newBeneficiarySchema.pick({ name: true }).extend(ofBeneficiary.shape),
    toProblem,
  },
  ({ services, context }, input) => rename(services, context, input),
);

export const removeBeneficiary = memberAction(
  { may: "DECIDERS", input: ofBeneficiary },
  ({ services, context }, { beneficiaryId }) => remove(services, context, beneficiaryId),
);

export const setDefaultBeneficiary = memberAction(
  { may: "DECIDERS", input: ofBeneficiary },
  ({ services, context }, { beneficiaryId }) => setDefault(services, context, beneficiaryId),
);
