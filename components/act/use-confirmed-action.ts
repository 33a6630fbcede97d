"use client";

import { NotDone } from "@/components/act/action-mutation";
import type { Proof, StepUpWords, TypedInstead } from "@/components/act/prove";
import { useStepUp } from "@/components/act/step-up";
import { type ActionOptions, useAction } from "@/components/act/use-action";
import type { Confirmation, ConfirmationRequest } from "@/lib/contract/confirmation/decision";
import type { Refused } from "@/lib/contract/refused";

interface Begun {
  kind: "BEGUN";
  request: ConfirmationRequest;
}

interface ConfirmedOptions<Subject, Result extends { kind: string }>
  extends Omit<ActionOptions<Sending<Subject>, Result>, "proof" | "onDone" | "onRefused"> {
  /** Asks how to confirm this subject. Any other answer than `BEGUN` ends it. */
  begin: (subject: Subject, shown: string) => Promise<Begun | Result | Refused>;
  act: (
    subject: Subject,
    confirmation: Confirmation,
    shown: string,
  ) => Promise<Result | NotConfirmed | Refused>;
  stepUp: StepUpWords | ((subject: Subject) => StepUpWords);
  onDone?: (result: Result) => void;
}

interface NotConfirmed {
  kind: "NOT_CONFIRMED";
  message: string;
}

interface Sending<Subject> {
  subject: Subject;
  instead?: TypedInstead;
  /** Once sent: a repetition sends the same one. */
  confirmation?: Confirmation;
}

/** What happened while the member confirmed. */
interface Outcome<Result> {
  result?: Result | Refused;
  failure?: unknown;
}

/** An action whose confirmation is bound to its subject and sent with it, so that it proves nothing else. */
export function useConfirmedAction<Result extends { kind: string }, Subject = void>({
  begin,
  act,
  stepUp,
  onDone,
  ...options
}: ConfirmedOptions<Subject, Result>) {
  const prove = useStepUp();

  async function send(
    sending: Sending<Subject>,
    confirmation: Confirmation,
    shown: string,
  ): Promise<Result | Refused> {
    sending.confirmation = confirmation;
    return asRefused(await act(sending.subject, confirmation, shown));
  }

  async function confirmAndSend(sending: Sending<Subject>, shown: string): Promise<Result | Refused> {
    const outcome: Outcome<Result> = {};
    const proof = await prove({
      ...(typeof stepUp === "function" ? stepUp(sending.subject) : stepUp),
      instead: sending.instead,
      bound: {
        beginPresence: async () => {
          const begun = await begin(sending.subject, shown);
          if (isBegun(begun) || isRefused(begun)) return begun;
          outcome.result = begun;
          return ENDED;
        },
        confirmPresence: async (confirmation): Promise<Proof> => {
          try {
            outcome.result = await send(sending, confirmation, shown);
          } catch (error) {
            outcome.failure = error;
            return { kind: "DONE" };
          }
          // A wrong password is corrected in the dialog; everything else is shown on the page.
          return isCorrectable(outcome.result) ? outcome.result : { kind: "DONE" };
        },
      },
    });
    if (outcome.failure !== undefined) throw outcome.failure;
    if (outcome.result && !isCorrectable(outcome.result)) return outcome.result;
    if (proof.kind === "REFUSED") throw new NotDone(proof);
    // After a recent sign-in no confirmation was asked, so nothing was sent yet.
    return send(sending, { kind: "NONE" }, shown);
  }

  const { run, ...action } = useAction<Result, Sending<Subject>>(
    (sending, shown) =>
      sending.confirmation ? send(sending, sending.confirmation, shown) : confirmAndSend(sending, shown),
    { ...options, onDone },
  );
  return {
    ...action,
    run: (subject: Subject) => run({ subject }),
    runWithRecoveryCode: (subject: Subject) => run({ subject, instead: "RECOVERY_CODE" }),
  };
}

/** Replaced by the answer that ended it. */
const ENDED: Refused = { kind: "REFUSED", message: "" };

function isBegun(answer: { kind: string }): answer is Begun {
  return answer.kind === "BEGUN";
}

function isRefused(answer: { kind: string }): answer is Refused {
  return answer.kind === "REFUSED";
}

function asRefused<Result extends { kind: string }>(
  answer: Result | NotConfirmed | Refused,
): Result | Refused {
  return isNotConfirmed(answer) ? { kind: "REFUSED", message: answer.message, needsProof: true } : answer;
}

function isNotConfirmed(answer: { kind: string }): answer is NotConfirmed {
  return answer.kind === "NOT_CONFIRMED";
}

function isCorrectable(answer: { kind: string }): answer is Refused {
  return isRefused(answer) && answer.needsProof === true;
}
