"use server";

import { z } from "zod";
import { readInput } from "@/app/auth/read-input";
import { labeled, readFields, runAsMember } from "@/app/auth/run-as-member";
import type { AddBeneficiaryResult } from "@/app/settings/beneficiaries/_components/beneficiary-actions";
import { type NewBeneficiary, newBeneficiarySchema } from "@/lib/contract/account";
import {
  createBeneficiary,
  removeBeneficiary as remove,
  renameBeneficiary as rename,
  setDefaultBeneficiary as setDefault,
} from "@/lib/core/ledger/beneficiaries";

const ofBeneficiarySchema = z.object({ beneficiaryId: z.uuid() });
const toProblem = labeled({ name: "The name" });

export async function addBeneficiary(input: NewBeneficiary): Promise<AddBeneficiaryResult> {
  return runAsMember(
    async (services, context) => {
      await createBeneficiary(services, context, readFields(newBeneficiarySchema, input));
      return { kind: "DONE" };
    },
    { toProblem },
  );
}

export async function renameBeneficiary(input: {
  beneficiaryId: string;
  name: string;
}): Promise<AddBeneficiaryResult> {
  return runAsMember(
    async (services, context) => {
      const { beneficiaryId } = readInput(ofBeneficiarySchema, input);
      const { name } = readFields(newBeneficiarySchema.pick({ name: true }), { name: input.name });
      await rename(services, context, { beneficiaryId, name });
      return { kind: "DONE" };
    },
    { toProblem },
  );
}

export async function removeBeneficiary(input: { beneficiaryId: string }): Promise<AddBeneficiaryResult> {
  return runAsMember(async (services, context) => {
    await remove(services, context, readInput(ofBeneficiarySchema, input).beneficiaryId);
    return { kind: "DONE" };
  });
}

export async function setDefaultBeneficiary(input: { beneficiaryId: string }): Promise<AddBeneficiaryResult> {
  return runAsMember(async (services, context) => {
    await setDefault(services, context, readInput(ofBeneficiarySchema, input).beneficiaryId);
    return { kind: "DONE" };
  });
}
