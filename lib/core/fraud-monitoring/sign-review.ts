import type { z } from "zod";
import { AppError } from "@/lib/contract/error";
import type { signReviewSchema } from "@/lib/contract/fraud-monitoring";
import { readAlerts, readProcess } from "@/lib/core/fraud-monitoring/read-process";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { requireDecider } from "@/lib/core/shared/roles";
import { requirePresence } from "@/lib/core/sign-in/presence";
import { inTransaction } from "@/lib/db/transaction";
import { newId } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";
import { writeProcess } from "@/lib/words/fraud-process";

/**
 * Signs the yearly review: keeps the process and the alerts of the year as they are, with who signed and when, forever.
 * @returns the review's id
 * @throws AppError `ACCESS_DENIED` unless an owner signs; `INVALID_PARAMETERS` when the process is no longer the one that
 * was shown. NotConfirmed without presence.
 */
export async function signReview(
  services: Pick<Services, "pool" | "clock">,
  context: Context<MemberActor>,
  { shownDigest, note }: z.output<typeof signReviewSchema>,
): Promise<string> {
  const { organizationId, actor, now } = context;
  return inTransaction(services.pool, async (client) => {
    // The organization's own settings stay as they are until the review is kept.
    await client.query("select from organizations where id = $1 for no key update", [organizationId]);
    await requireDecider(client, context, "sign the yearly review");
    if (actor.role !== "OWNER") {
      throw new AppError("ACCESS_DENIED", "Only an owner may sign the yearly review. Nothing was signed.");
    }
    await requirePresence(client, actor, services.clock.now(), `SIGN_FRAUD_REVIEW:${shownDigest}`);
    const { document, digest } = await readProcess(client, context);
    if (digest !== shownDigest) {
      throw new AppError(
        "INVALID_PARAMETERS",
        "A setting changed since this page was loaded. Nothing was signed. Read the process again.",
      );
    }
    const text = writeProcess(document, await readAlerts(client, context));
    const id = newId(now);
    await client.query({
      name: "sign_fraud_review",
      text: `insert into fraud_reviews (organization_id, id, text, digest, note, signed_by, signed_by_name, signed_at)
        values ($1, $2, $3, sha256(convert_to($3, 'UTF8')), $4, $5, $6, $7)`,
      values: [organizationId, id, text, note === "" ? null : note, actor.id, actor.name, now],
    });
    return id;
  });
}
