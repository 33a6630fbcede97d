"use server";

import { z } from "zod";
import { personAction } from "@/app/auth/member-action";
import { confirmationSchema, type PasskeyAttestation } from "@/lib/contract/confirmation/decision";
import { parseStepUpAct, type StepUpAct } from "@/lib/contract/confirmation/step-up";
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
const ofPasskey = z.object({ passkeyId: z.string().max(1_400) });

export const beginEnrollment = personAction({}, async ({ services, actor }) => ({
  kind: "BEGUN",
  options: await begin(services, actor),
}));

/** Answers `CODES` when this was the member's first passkey and recovery codes were made with it. */
export const finishEnrollment = personAction(
  // The command checks the response, and refuses a wrong one as not confirmed.
  { input: z.object({ name: z.string(), response: z.custom<PasskeyAttestation>() }) },
  async ({ services, actor }, input) => toCodes(await finish(services, actor, input)),
);

export const renamePasskey = personAction(
  { input: ofPasskey.extend({ name: z.string() }) },
  ({ services, actor }, input) => rename(services, actor, input),
);

export const removePasskey = personAction({ input: ofPasskey }, ({ services, actor }, { passkeyId }) =>
  remove(services, actor, passkeyId),
);

export const makeRecoveryCodes = personAction({}, async ({ services, actor }) => ({
  kind: "CODES",
  codes: await makeCodes(services, actor),
}));

export const endOtherSessions = personAction({}, ({ services, actor }) => endOthers(services, actor));

export const endSession = personAction(
  { input: z.object({ sessionId: z.uuid() }) },
  ({ services, actor }, { sessionId }) => endOne(services, actor, sessionId),
);

export const beginAuthenticator = personAction({}, async ({ services, actor }) => ({
  kind: "BEGUN",
  authenticator: await beginApp(services, actor),
}));

/** Answers `CODES` when recovery codes were made with it. */
export const confirmAuthenticator = personAction(
  { input: z.object({ code: z.string().max(20) }) },
  async ({ services, actor }, input) => toCodes(await confirmApp(services, actor, input)),
);

export const removeAuthenticator = personAction({}, ({ services, actor }) => removeApp(services, actor));

export const changePassword = personAction(
  { input: z.object({ password: z.string().max(1_000) }) },
  ({ services, actor }, input) => changeOwn(services, actor, input),
);

const stepUpAct = z.custom<StepUpAct>((given) => parseStepUpAct(given) !== null, "must be an act");

export const beginPresence = personAction({ input: stepUpAct }, async ({ services, actor }, act) => ({
  kind: "BEGUN",
  request: await beginProof(services, actor, act),
}));

export const confirmPresence = personAction(
  { input: z.object({ act: stepUpAct, confirmation: confirmationSchema }) },
  ({ services, actor }, { act, confirmation }) => confirmProof(services, actor, act, confirmation),
);

function toCodes({ recoveryCodes }: { recoveryCodes: string[] | null }) {
  return recoveryCodes ? { kind: "CODES" as const, codes: recoveryCodes } : { kind: "DONE" as const };
}
