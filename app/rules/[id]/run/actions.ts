"use server";

import { readInput } from "@/app/auth/read-input";
import { runAsMember } from "@/app/auth/run-as-member";
import type { Refused } from "@/lib/contract/refused";
import { runHref } from "@/lib/contract/rule-hrefs";
import type { Confirmation, ConfirmationRequest } from "@/lib/contract/views/decision";
import type { RunNowSubject } from "@/lib/contract/views/run-now-view";
import { beginRunNow, runNowSubjectSchema, runRuleNow } from "@/lib/core/rules/run-rule-now";

/** How the member must confirm that they run this rule, in this version, with this amount. */
export async function beginRun(
  subject: RunNowSubject,
): Promise<{ kind: "BEGUN"; request: ConfirmationRequest } | Refused> {
  return runAsMember(async (services, context) => ({
    kind: "BEGUN",
    request: await beginRunNow(services, context, readInput(runNowSubjectSchema, subject)),
  }));
}

/** Runs it, and answers where the run is to be seen. */
export async function runNow(
  input: RunNowSubject & { confirmation: Confirmation },
): Promise<{ kind: "STARTED"; href: string } | Refused> {
  return runAsMember(async (services, context) => {
    // Read before anything of it is taken: what is called with nothing has no fields.
    const subject = readInput(runNowSubjectSchema.strip(), input);
    const { confirmation } = input;
    const executionId = await runRuleNow(services, context, { ...subject, confirmation });
    return { kind: "STARTED", href: runHref(subject.ruleId, executionId) };
  });
}
