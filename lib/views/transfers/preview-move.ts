import type { MoveDraft } from "@/lib/contract/move";
import type { MovePreview } from "@/lib/contract/views/move-view";
import type { TimeContext } from "@/lib/contract/views/time-context";
import { describeKnockOn } from "@/lib/core/approvals/describe-knock-on";
import { describeTransfer } from "@/lib/core/approvals/describe-transfer";
import { approvalDigest } from "@/lib/core/approvals/digest";
import { readDraftFacts } from "@/lib/core/approvals/draft-facts";
import { forecastApproval } from "@/lib/core/approvals/forecast-approval";
import { NOT_THERE, refused, requireMover, routeOfDraft } from "@/lib/core/approvals/route-of-draft";
import { runChecks } from "@/lib/core/approvals/run-checks";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import type { Services } from "@/lib/platform/services";

/**
 * What a draft would do if it were confirmed now: balances, the rules that it sets off, the checks, and the digest that
 * a confirmation must name. Reads only, writes nothing.
 * @throws AppError `ACCESS_DENIED` unless an owner or co-owner asks; `INVALID_PARAMETERS` where no money can go this way.
 */
export async function previewMove(
  services: Pick<Services, "pool">,
  context: Context<MemberActor>,
  draft: MoveDraft,
  time: TimeContext,
): Promise<MovePreview> {
  requireMover(context);
  const { pool } = services;
  const direction = await routeOfDraft(pool, context, draft);
  const facts = await readDraftFacts(pool, context, draft, direction);
  if (!facts) throw refused(NOT_THERE);
  const forecast = await forecastApproval(pool, context, facts, time.timeZone);
  const checks = runChecks(facts);
  const { amountInCents, source, destination, balances, together, settlesOver } = describeTransfer(
    facts,
    "WAITING",
    forecast,
  );
  return {
    amountInCents,
    source,
    destination,
    balances,
    together,
    checks,
    knockOn: describeKnockOn(forecast),
    settlesOver,
    digest: approvalDigest(facts, checks),
    time,
  };
}
