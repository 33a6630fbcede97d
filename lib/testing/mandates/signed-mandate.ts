import { type MandateTerms, mandateTermsSchema } from "@/lib/contract/mandates/mandate";
import { readMandateSigning, signMandate } from "@/lib/core/mandates/sign-mandate";
import { writeMandate } from "@/lib/core/mandates/write-mandate";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import type { Services } from "@/lib/platform/services";

/** Terms with everything that they do not name at its default: of $350.00 at a time, for the year of the test clock. */
export function termsBetween(
  sourceAccountIds: string[],
  destinationAccountIds: string[],
  changed: Partial<MandateTerms> = {},
): MandateTerms {
  return mandateTermsSchema.parse({
    sourceAccountIds,
    destinationAccountIds,
    maximumInCents: 35_000,
    from: "2026-01-01",
    until: "2026-12-31",
    ...changed,
  });
}

/** A mandate that this member wrote and signed alone, moments after signing in. @returns its id */
export async function signedMandate(
  services: Services & Parameters<typeof signMandate>[0],
  context: Context<MemberActor>,
  apiKeyId: string,
  terms: MandateTerms,
): Promise<string> {
  const now = services.clock.now();
  const fresh = { ...context, now, actor: { ...context.actor, authenticatedAt: now } };
  const { id } = await writeMandate(services, fresh, { apiKeyId, terms });
  const signing = await readMandateSigning(services.pool, fresh, id);
  const subject = { id, hash: signing?.hash ?? "" };
  const result = await signMandate(services, fresh, { ...subject, confirmation: { kind: "NONE" } });
  if (result.kind !== "IN_FORCE") throw new Error(`The mandate is not in force: ${JSON.stringify(result)}`);
  return id;
}
