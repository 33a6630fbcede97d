"use server";

import { redirect } from "next/navigation";
import { z } from "zod";
import { askingMember } from "@/app/auth/member";
import { readInput } from "@/app/auth/read-input";
import { accountHref } from "@/lib/contract/account-hrefs";
import { AppError } from "@/lib/contract/error";
import { closeAccount as close, reopenAccount as reopen } from "@/lib/core/ledger/close-account";

import type { Context, MemberActor } from "@/lib/core/shared/context";
import { memberContext } from "@/lib/core/sign-in/member-context";
import { runGuarded } from "@/lib/next/run-guarded";
import { getRuntime } from "@/lib/next/runtime";

/** Closes the account and opens its page, which says so; the sentence when it could not. */
export async function closeAccount(accountId: string, _previous: string | null): Promise<string | null> {
  return change(accountId, async (context) => {
    const result = await close(getRuntime().services, context, readInput(z.uuid(), accountId));
    if (result.kind === "CLOSED") return null;
    return "Something came in the way since this page was loaded. It stays open; load the page again.";
  });
}

/** Opens it again. */
export async function reopenAccount(accountId: string, _previous: string | null): Promise<string | null> {
  return change(accountId, async (context) => {
    await reopen(getRuntime().services, context, readInput(z.uuid(), accountId));
    return null;
  });
}

async function change(
  accountId: string,
  run: (context: Context<MemberActor>) => Promise<string | null>,
): Promise<string | null> {
  const asking = await askingMember();
  if (asking.kind === "REFUSED") return asking.message;
  const result = await runGuarded(async () => {
    try {
      const message = await run(memberContext(getRuntime().services, asking.member));
      return { kind: "ANSWERED" as const, message };
    } catch (error) {
      if (error instanceof AppError) return { kind: "ANSWERED" as const, message: error.message };
      throw error;
    }
  });
  if (result.kind === "ERROR") return `${result.message} Request ${result.requestId}.`;
  return result.message ?? redirect(accountHref(accountId));
}
