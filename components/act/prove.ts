import { nothingSent, whenThrown } from "@/components/act/answer-lost";
import { answerPasskey } from "@/components/act/answer-passkey";
import type { Confirmation, ConfirmationRequest } from "@/lib/contract/confirmation/decision";
import type { StepUpAct } from "@/lib/contract/confirmation/step-up";
import type { Refused } from "@/lib/contract/refused";

export type Proof = { kind: "DONE" } | Refused;

/** In place of a passkey or app. */
export type TypedInstead = "RECOVERY_CODE";

export interface StepUpWords {
  /** Names what is confirmed: the heading of the dialog in which a proof is typed. */
  title: string;
  /** The button of that dialog. */
  confirmLabel: string;
  why?: string;
  instead?: TypedInstead;
}

/** A proof counts for its act, once: for `act` on the server, or sent with the act by `bound`. */
export type StepUpRequest = StepUpWords &
  ({ act: StepUpAct; bound?: undefined } | { bound: BoundPresence; act?: undefined });

/** The two requests of a step-up, for one act. */
export interface BoundPresence {
  beginPresence: () => Promise<{ kind: "BEGUN"; request: ConfirmationRequest } | Refused>;
  confirmPresence: (confirmation: Confirmation) => Promise<Proof>;
}

export type Prove = (request: StepUpRequest) => Promise<Proof>;

/** What a dialog asks for where no passkey confirms. */
export interface TypedRequest {
  means: "PASSWORD" | TypedInstead;
  /** The password also needs the code of an authenticator app. */
  withCode: boolean;
  confirm: (text: string, code: string) => Promise<Proof>;
}

const LOST = nothingSent("Nothing was changed. Try again.");

/**
 * One step-up: by passkey, else by password.
 * @param askTyped shows the dialog, and resolves when it closes
 */
export async function proveWith(
  presence: BoundPresence,
  instead: TypedInstead | undefined,
  askTyped: (request: TypedRequest) => Promise<Proof>,
): Promise<Proof> {
  const confirm = (confirmation: Confirmation) =>
    presence.confirmPresence(confirmation).catch((error: unknown): Proof => whenThrown(error, LOST));
  if (instead === "RECOVERY_CODE") {
    return askTyped({
      means: "RECOVERY_CODE",
      withCode: false,
      confirm: (code) => confirm({ kind: "RECOVERY_CODE", code }),
    });
  }
  const begun = await presence.beginPresence().catch((error: unknown): Refused => whenThrown(error, LOST));
  if (begun.kind !== "BEGUN") return begun;
  const { request } = begun;
  if (request.kind === "NONE") return { kind: "DONE" };
  if (request.kind === "PASSWORD") {
    const { withCode } = request;
    return askTyped({
      means: "PASSWORD",
      withCode,
      confirm: (password, code) => confirm({ kind: "PASSWORD", password, ...(withCode && { code }) }),
    });
  }
  const answer = await answerPasskey(request.options);
  if (answer.kind === "SIGNED") return confirm({ kind: "PASSKEY", response: answer.response });
  const what = answer.kind === "CANCELLED" ? "was canceled" : "did not work";
  return { kind: "REFUSED", message: `Your passkey ${what}. Nothing was changed.` };
}
