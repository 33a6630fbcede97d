"use server";

import { z } from "zod";
import { readInput } from "@/app/auth/read-input";
import { runAsMember } from "@/app/auth/run-as-member";
import { type NewBeneficiary, newBeneficiarySchema } from "@/lib/contract/beneficiary";
import type { AddBeneficiaryResult } from "@/lib/contract/views/beneficiaries-view";
import {
  createBeneficiary,
  removeBeneficiary as remove,
  renameBeneficiary as rename,
  setDefaultBeneficiary as setDefault,
} from "@/lib/core/ledger/beneficiaries";

/** Of those who may own an account. Each calls one core verb. */

const ofBeneficiarySchema = z.object({ beneficiaryId: z.uuid() });

/** Adds who may own an account; the verb refuses whoever is neither owner nor co-owner. */
export async function addBeneficiary(input: NewBeneficiary): Promise<AddBeneficiaryResult> {
  return runAsMember(async (services, context) => {
    const parsed = newBeneficiarySchema.safeParse(input);
    if (!parsed.success) return wrongName(parsed.error);
    await createBeneficiary(services, context, parsed.data);
    return { kind: "DONE" };
  });
}

export async function renameBeneficiary(input: {
  beneficiaryId: string;
  name: string;
}): Promise<AddBeneficiaryResult> {
  return runAsMember(async (services, context) => {
    const { beneficiaryId } = readInput(ofBeneficiarySchema, input);
    const parsed = newBeneficiarySchema.pick({ name: true }).safeParse({ name: input.name });
    if (!parsed.success) return wrongName(parsed.error);
    await rename(services, context, { beneficiaryId, name: parsed.data.name });
    return { kind: "DONE" };
  });
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

function wrongName(error: z.ZodError): AddBeneficiaryResult {
  return {
    kind: "REFUSED",
    message: `The name ${error.issues[0]?.message ?? "cannot be read"}.`,
    field: "name",
  };
}
