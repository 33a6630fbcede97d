import { z } from "zod";
import { newBeneficiarySchema } from "@/lib/contract/account";
import { newKeySchema } from "@/lib/contract/api-key";
import { firstPodsSchema, identityInputSchema } from "@/lib/contract/onboarding";
import { newPodFloorSchema, organizationNameSchema, timeZoneSchema } from "@/lib/contract/organization";
import { changePayeeSchema, newPayeeSchema, payeeAccountSchema } from "@/lib/contract/payee";
import type { MadeKey } from "@/lib/contract/policies/asked-change";
import {
  createConfirmedApiKey as createConfirmed,
  createApiKey as createKey,
  type NewKey,
} from "@/lib/core/keys/create-api-key";
import { keyCapSchema, setKeyCap as setCap } from "@/lib/core/keys/set-key-cap";
import {
  createBeneficiary as create,
  renameBeneficiary as renameOwner,
} from "@/lib/core/ledger/beneficiaries";
import { setNewPodFloor as setFloor } from "@/lib/core/ledger/set-new-pod-floor";
import { renameOrganization as rename } from "@/lib/core/organizations/change-organization";
import { changeTimeZone as changeZone } from "@/lib/core/organizations/change-time-zone";
import { inviteMember as invite, newInvitationSchema } from "@/lib/core/organizations/invite-member";
import {
  newFilterSchema,
  renamedFilterSchema,
  renameFilter as renameKept,
  saveFilter as save,
} from "@/lib/core/organizations/saved-filters";
import { submitIdentity as submit } from "@/lib/core/organizations/submit-identity";
import { addPayee as add, changePayee as change } from "@/lib/core/payees/give-details";
import { givePayeeAccount as give } from "@/lib/core/payees/payee-link";
import { openFirstPods as openPods } from "@/lib/core/rules/open-first-pods";
import { parseInput } from "@/lib/core/shared/parse-input";
import { newPhoneSchema, setPhone as setNumber } from "@/lib/core/sign-in/change-phone";

/** A command with what a person enters: it is parsed first, as the command's action does. */
function asEntered<A, B, Schema extends z.ZodType, Rest extends unknown[], Result>(
  schema: Schema,
  command: (first: A, second: B, parsed: z.output<Schema>, ...rest: Rest) => Promise<Result>,
) {
  return async (first: A, second: B, input: z.input<Schema>, ...rest: Rest): Promise<Result> =>
    command(first, second, parseInput(schema, input), ...rest);
}

/** The same for a command that takes a port before its input. */
function asEnteredAt<A, B, C, Schema extends z.ZodType, Rest extends unknown[], Result>(
  schema: Schema,
  command: (first: A, second: B, third: C, parsed: z.output<Schema>, ...rest: Rest) => Promise<Result>,
) {
  return async (first: A, second: B, third: C, input: z.input<Schema>, ...rest: Rest): Promise<Result> =>
    command(first, second, third, parseInput(schema, input), ...rest);
}

export const addPayee = asEnteredAt(newPayeeSchema, add);
export const changePayee = asEnteredAt(changePayeeSchema, change);
export const givePayeeAccount = asEnteredAt(payeeAccountSchema, give);
export const submitIdentity = asEnteredAt(identityInputSchema, submit);
export const openFirstPods = asEntered(firstPodsSchema, openPods);
export const setPhone = asEntered(newPhoneSchema, setNumber);
export const createApiKey = asEntered(newKeySchema, createKey);
export const createConfirmedApiKey = asEntered(newKeySchema, createConfirmed);
/** A key that was made, or replaced, without waiting for signatures. */
export async function madeAtOnce(making: Promise<MadeKey>): Promise<NewKey> {
  const made = await making;
  if (made.kind !== "CREATED") throw new Error("The key waits for signatures");
  return made;
}
export const setKeyCap = asEntered(keyCapSchema, setCap);
export const inviteMember = asEntered(newInvitationSchema, invite);
export const saveFilter = asEntered(newFilterSchema, save);
export const renameFilter = asEntered(renamedFilterSchema, renameKept);
export const createBeneficiary = asEntered(newBeneficiarySchema, create);
export const renameBeneficiary = asEntered(
  newBeneficiarySchema.pick({ name: true }).extend({ beneficiaryId: z.uuid() }),
  renameOwner,
);
export const renameOrganization = asEntered(z.object({ name: organizationNameSchema }), rename);
export const changeTimeZone = asEntered(z.object({ timeZone: timeZoneSchema }), changeZone);
export const setNewPodFloor = asEntered(z.object({ floorInCents: newPodFloorSchema }), setFloor);
