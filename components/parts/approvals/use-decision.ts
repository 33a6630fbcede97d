"use client";

import { useRouter } from "next/navigation";
import { useEffect, useState, useTransition } from "react";
import { beginConfirmation, decide } from "@/app/approvals/actions";
import { isUnknownAction } from "@/components/act/answer-lost";
import { answerPasskey } from "@/components/act/answer-passkey";
import { shownByPage } from "@/components/act/shown-by-page";
import { refreshPage } from "@/components/act/survive-translation";
import type { BeginConfirmationResult } from "@/components/parts/approvals/decision-actions";
import {
  type DecisionNotice,
  passkeyCancelled,
  passkeyFailed,
  unknownOutcome,
  unreachable,
} from "@/components/parts/approvals/decision-notice";
import { rememberDecided } from "@/components/parts/approvals/next-link";
import type { Confirmation, DecideResult, Decision, DenialGiven } from "@/lib/contract/confirmation/decision";
import type { TimeContext } from "@/lib/contract/time-context";

/** What the second dialog asks for when no passkey confirms. */
export type TypedMeans = "PASSWORD" | "RECOVERY_CODE";

interface Intent {
  decision: Decision;
  note: string | null;
  /** Of a denial, for the program; it is confirmed with the denial. */
  reason: DenialGiven | null;
  /** What the page showed at the press. */
  shown: string;
}

/** The open dialog. */
type Step =
  | { kind: "NONE" }
  | { kind: "NOTE" }
  | { kind: "TYPED"; means: TypedMeans; withCode: boolean; intent: Intent };

interface DecisionFlowInput {
  proposalId: string;
  digest: string;
  /** Less than proposed, in cents; null: all of it. */
  approvedAmountInCents: number | null;
  time: TimeContext;
  /** Starts with the denial's dialog open; it still asks to confirm. */
  opensDenial: boolean;
}

const NO_STEP: Step = { kind: "NONE" };

type Words = typeof import("@/components/parts/approvals/not-decided");

/** Loaded on demand: most decisions are taken. If that fails, the refreshed page says what happened. */
async function noticeOf(...attempt: Parameters<Words["noticeOf"]>): Promise<DecisionNotice> {
  try {
    return (await import("@/components/parts/approvals/not-decided")).noticeOf(...attempt);
  } catch {
    return unknownOutcome();
  }
}

/**
 * One attempt to decide, from the button to the answer: ask the server how to confirm, confirm, decide, and show the
 * outcome. The server checks everything again.
 */
export function useDecision({
  proposalId,
  digest,
  approvedAmountInCents,
  time,
  opensDenial,
}: DecisionFlowInput) {
  const router = useRouter();
  const [step, setStep] = useState<Step>(NO_STEP);
  const [notice, setNotice] = useState<DecisionNotice | null>(null);
  const [attempting, setAttempting] = useState<Intent | null>(null);
  const [lastIntent, setLastIntent] = useState<Intent | null>(null);
  const [isRefreshing, startRefresh] = useTransition();

  // After hydration, because a dialog opens in the browser.
  useEffect(() => {
    if (opensDenial) setStep({ kind: "NOTE" });
  }, [opensDenial]);

  const refresh = () => startRefresh(() => refreshPage(router));

  async function attempt(intent: Intent): Promise<void> {
    setAttempting(intent);
    setLastIntent(intent);
    setNotice(null);
    await beginAndDecide(intent);
    setAttempting(null);
  }

  async function beginAndDecide(intent: Intent): Promise<void> {
    const begun = await begin(intent);
    if (begun instanceof Error) return setNotice(unreachable(intent.decision, begun));
    if (begun.kind !== "BEGUN") return conclude(begun, intent);
    const { request } = begun;
    if (request.kind === "PASSWORD")
      return setStep({ kind: "TYPED", means: "PASSWORD", withCode: request.withCode, intent });
    if (request.kind === "NONE") return decideWith(intent, { kind: "NONE" });
    const answer = await answerPasskey(request.options);
    if (answer.kind === "CANCELLED") return setNotice(passkeyCancelled(intent.decision));
    if (answer.kind === "FAILED") return setNotice(passkeyFailed());
    return decideWith(intent, { kind: "PASSKEY", response: answer.response });
  }

  async function begin({ decision, reason, shown }: Intent): Promise<BeginConfirmationResult | Error> {
    try {
      return await beginConfirmation({ proposalId, decision, digest, reason }, shown);
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  }

  async function decideWith(intent: Intent, confirmation: Confirmation): Promise<void> {
    const { shown, ...given } = intent;
    const decision = given.decision === "APPROVE" ? { ...given, approvedAmountInCents } : given;
    try {
      await conclude(await decide({ proposalId, digest, ...decision, confirmation }, shown), intent);
    } catch (error) {
      setStep(NO_STEP);
      if (isUnknownAction(error)) return setNotice(unreachable(intent.decision, error));
      setNotice(unknownOutcome());
      refresh();
    }
  }

  async function conclude(
    result: DecideResult | Exclude<BeginConfirmationResult, { kind: "BEGUN" }>,
    intent: Intent,
  ): Promise<void> {
    // Also when someone else was faster: the page that follows has no button of this one anymore.
    if (isOver(result)) rememberDecided(proposalId);
    setNotice(result.kind === "DECIDED" ? null : await noticeOf(result, intent.decision, time));
    // A wrong password is shown in the dialog; everything else on the page.
    if (result.kind === "NOT_CONFIRMED" || (result.kind === "REFUSED" && result.requestId)) return;
    setStep(NO_STEP);
    refresh();
  }

  async function submitTyped(text: string, code: string): Promise<void> {
    if (step.kind !== "TYPED") return;
    setAttempting(step.intent);
    setNotice(null);
    await decideWith(step.intent, typedConfirmation(step, text, code));
    setAttempting(null);
  }

  return {
    step,
    notice,
    /** The pending decision; the page shows the old state until it refreshes. */
    busyWith: attempting?.decision ?? (isRefreshing ? (lastIntent?.decision ?? null) : null),
    approve: () => attempt({ decision: "APPROVE", note: null, reason: null, shown: shownByPage() }),
    deny: (note: string, reason: DenialGiven | null) =>
      attempt({ decision: "DENY", note: note.trim() || null, reason, shown: shownByPage() }),
    openNote: () => {
      setNotice(null);
      setStep({ kind: "NOTE" });
    },
    openRecoveryCode: () => {
      setNotice(null);
      if (lastIntent) setStep({ kind: "TYPED", means: "RECOVERY_CODE", withCode: false, intent: lastIntent });
    },
    submitTyped,
    close: () => {
      setNotice(null);
      setStep(NO_STEP);
    },
    refresh,
  };
}

/** Whether nobody can decide it anymore. */
function isOver({ kind }: { kind: string }): boolean {
  return kind === "DECIDED" || kind === "ALREADY_DECIDED" || kind === "EXPIRED";
}

function typedConfirmation(
  { means, withCode }: { means: TypedMeans; withCode: boolean },
  text: string,
  code: string,
): Confirmation {
  if (means === "RECOVERY_CODE") return { kind: "RECOVERY_CODE", code: text };
  return { kind: "PASSWORD", password: text, ...(withCode && { code }) };
}
