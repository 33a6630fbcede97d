"use server";

import { redirect } from "next/navigation";
import { z } from "zod";
import { readInput } from "@/app/auth/read-input";
import { refusal, runAsMember } from "@/app/auth/run-as-member";
import { accountHref } from "@/lib/contract/account-hrefs";
import type { Refused } from "@/lib/contract/refused";
import { closeAccount as close, reopenAccount as reopen } from "@/lib/core/ledger/close-account";

/** Closes the account and opens its page, which says so. */
export async function closeAccount(accountId: string, _previous: Refused | null): Promise<Refused> {
  return runAsMember(async (services, context) => {
    const result = await close(services, context, readInput(z.uuid(), accountId));
    if (result.kind === "CLOSED") redirect(accountHref(accountId));
    return refusal(
      "Something changed since this page was loaded, so the account stays open. Load the page again.",
    );
  });
}

export async function reopenAccount(accountId: string, _previous: Refused | null): Promise<Refused> {
  return runAsMember(async (services, context) => {
    await reopen(services, context, readInput(z.uuid(), accountId));
    redirect(accountHref(accountId));
  });
}
