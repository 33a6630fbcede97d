"use server";

import { z } from "zod";
import { readInput } from "@/app/auth/read-input";
import { runAsOwnPerson } from "@/app/auth/run-as-member";
import type { SecurityResult } from "@/components/act/security-actions";
import {
  type Confirmation,
  type ConfirmationRequest,
  confirmationSchema,
  type PasskeyAttestation,
} from "@/lib/contract/confirmation/decision";
import type { NewAuthenticatorView, PasskeyCreationOptions } from "@/lib/contract/confirmation/passkeys";
import { parseStepUpAct, type StepUpAct } from "@/lib/contract/confirmation/step-up";
import type { Refused } from "@/lib/contract/refused";
import { changePassword as changeOwn } from "@/lib/core/sign-in/change-password";
import { endOwnSession as endOne, endOtherSessions as endOthers } from "@/lib/core/sign-in/end-session";
import {
  beginAuthenticator as beginApp,
  confirmAuthenticator as confirmApp,
  makeRecoveryCodes as makeCodes,
  removeAuthenticator as removeApp,
} from "@/lib/core/sign-in/manage-second-factors";
import {
  beginEnrollment as begin,
  finishEnrollment as finish,
  removePasskey as remove,
  renamePasskey as rename,
} from "@/lib/core/sign-in/passkeys";
import { beginPresence as beginProof, confirmPresence as confirmProof } from "@/lib/core/sign-in/presence";

/** As long as `passkeyAttestationSchema` allows a credential ID. */
const ofPasskeySchema = z.object({ passkeyId: z.string().max(1_400) });

export async function beginEnrollment(): Promise<
  { kind: "BEGUN"; options: PasskeyCreationOptions } | Refused
> {
  return runAsOwnPerson(async (services, actor) => ({
    kind: "BEGUN",
    options: await begin(services, actor),
  }));
}

export async function finishEnrollment(input: {
  name: string;
  response: PasskeyAttestation;
}): Promise<SecurityResult> {
  return runAsOwnPerson(async (services, actor) => {
    const given = readInput(z.object({ name: z.string(), response: z.unknown() }), input);
    const { recoveryCodes } = await finish(services, actor, given);
    return recoveryCodes ? { kind: "CODES", codes: recoveryCodes } : { kind: "DONE" };
  });
}

export async function renamePasskey(input: { passkeyId: string; name: string }): Promise<SecurityResult> {
  return runAsOwnPerson(async (services, actor) => {
    await rename(services, actor, readInput(ofPasskeySchema.extend({ name: z.string() }), input));
    return { kind: "DONE" };
  });
}

export async function removePasskey(input: { passkeyId: string }): Promise<SecurityResult> {
  return runAsOwnPerson(async (services, actor) => {
    await remove(services, actor, readInput(ofPasskeySchema, input).passkeyId);
    return { kind: "DONE" };
  });
}

export async function makeRecoveryCodes(): Promise<SecurityResult> {
  return runAsOwnPerson(async (services, actor) => ({
    kind: "CODES",
    codes: await makeCodes(services, actor),
  }));
}

export async function endOtherSessions(): Promise<SecurityResult> {
  return runAsOwnPerson(async (services, actor) => {
    await endOthers(services, actor);
    return { kind: "DONE" };
  });
}

export async function endSession(input: { sessionId: string }): Promise<SecurityResult> {
  return runAsOwnPerson(async (services, actor) => {
    await endOne(services, actor, readInput(z.object({ sessionId: z.uuid() }), input).sessionId);
    return { kind: "DONE" };
  });
}

export async function beginAuthenticator(): Promise<
  { kind: "BEGUN"; authenticator: NewAuthenticatorView } | Refused
> {
  return runAsOwnPerson(async (services, actor) => ({
    kind: "BEGUN",
    authenticator: await beginApp(services, actor),
  }));
}

export async function confirmAuthenticator(input: { code: string }): Promise<SecurityResult> {
  return runAsOwnPerson(async (services, actor) => {
    const given = readInput(z.object({ code: z.string().max(20) }), input);
    const { recoveryCodes } = await confirmApp(services, actor, given);
    return recoveryCodes ? { kind: "CODES", codes: recoveryCodes } : { kind: "DONE" };
  });
}

export async function removeAuthenticator(): Promise<SecurityResult> {
  return runAsOwnPerson(async (services, actor) => {
    await removeApp(services, actor);
    return { kind: "DONE" };
  });
}

export async function changePassword(input: { password: string }): Promise<SecurityResult> {
  return runAsOwnPerson(async (services, actor) => {
    await changeOwn(services, actor, readInput(z.object({ password: z.string().max(1_000) }), input));
    return { kind: "DONE" };
  });
}

const stepUpActSchema = z.unknown().transform((given, context) => {
  const act = parseStepUpAct(given);
  if (act !== null) return act;
  context.addIssue({ code: "custom", message: "must be an act" });
  return z.NEVER;
});

export async function beginPresence(
  act: StepUpAct,
): Promise<{ kind: "BEGUN"; request: ConfirmationRequest } | Refused> {
  return runAsOwnPerson(async (services, actor) => ({
    kind: "BEGUN",
    request: await beginProof(services, actor, readInput(stepUpActSchema, act)),
  }));
}

export async function confirmPresence(input: {
  act: StepUpAct;
  confirmation: Confirmation;
}): Promise<{ kind: "DONE" } | Refused> {
  return runAsOwnPerson(async (services, actor) => {
    const schema = z.object({ act: stepUpActSchema, confirmation: confirmationSchema });
    const { act, confirmation } = readInput(schema, input);
    await confirmProof(services, actor, act, confirmation);
    return { kind: "DONE" };
  });
}
