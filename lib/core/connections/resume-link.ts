import { z } from "zod";
import { AppError } from "@/lib/contract/error";
import { requireConnector } from "@/lib/core/connections/require-connector";
import type { Context, MemberActor } from "@/lib/core/shared/context";

/** What a browser keeps while its member is at their bank. */
export const keptLinkSchema = z.object({
  linkToken: z.string().min(1).max(500),
  organizationId: z.uuid(),
  memberId: z.uuid(),
  /** Whose sign-in is made anew; null: a new connection. */
  connectionId: z.uuid().nullable(),
});

export type KeptLink = z.infer<typeof keptLinkSchema>;

/**
 * What opens the provider's dialog again for a member whom their bank has sent back. Only for who began it, where they
 * began it: accounts must not end up in the organization that a shared browser looks at by then.
 * @throws AppError `ACCESS_DENIED`, `INVALID_PARAMETERS` with what to do.
 */
export function resumeLink(
  context: Context<MemberActor>,
  kept: KeptLink | null,
): Pick<KeptLink, "linkToken" | "connectionId"> {
  requireConnector(context);
  const isTheirs = kept?.memberId === context.actor.id && kept.organizationId === context.organizationId;
  if (!kept || !isTheirs) {
    throw new AppError(
      "INVALID_PARAMETERS",
      "This browser has no sign-in at a bank under way. Nothing was connected. Begin again.",
    );
  }
  return { linkToken: kept.linkToken, connectionId: kept.connectionId };
}
