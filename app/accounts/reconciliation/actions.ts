"use server";

import type { ReconciliationResult } from "@/app/accounts/reconciliation/_components/reconciliation-actions";
import { labeled, readFields, runAsMember } from "@/app/auth/run-as-member";
import {
  type AcceptDateInput,
  type AskedBankInput,
  acceptDateSchema,
  askedBankSchema,
  type BookLineInput,
  bookLineSchema,
  type MatchDifferencesInput,
  matchDifferencesSchema,
} from "@/lib/contract/reconciliation";
import {
  acceptDate as accept,
  noteBankAsked as ask,
  askReconciliation,
  bookLine as book,
  matchDifferences as match,
} from "@/lib/core/reconciliation/resolve-difference";

const toProblem = labeled({ note: "The note", accountId: "The account", otherId: "The other difference" });

export async function reconcileNow(): Promise<ReconciliationResult> {
  return runAsMember(async (services, context) => {
    await askReconciliation(services, context);
    return { kind: "DONE" };
  });
}

export async function noteBankAsked(input: AskedBankInput): Promise<ReconciliationResult> {
  return runAsMember(
    async (services, context) => {
      await ask(services, context, readFields(askedBankSchema, input));
      return { kind: "DONE" };
    },
    { toProblem },
  );
}

export async function matchDifferences(input: MatchDifferencesInput): Promise<ReconciliationResult> {
  return runAsMember(
    async (services, context) => {
      await match(services, context, readFields(matchDifferencesSchema, input));
      return { kind: "DONE" };
    },
    { toProblem },
  );
}

export async function acceptDate(input: AcceptDateInput): Promise<ReconciliationResult> {
  return runAsMember(
    async (services, context) => {
      await accept(services, context, readFields(acceptDateSchema, input));
      return { kind: "DONE" };
    },
    { toProblem },
  );
}

export async function bookLine(input: BookLineInput): Promise<ReconciliationResult> {
  return runAsMember(
    async (services, context) => {
      await book(services, context, readFields(bookLineSchema, input));
      return { kind: "DONE" };
    },
    { toProblem },
  );
}
