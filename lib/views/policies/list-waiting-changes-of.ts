import { askedChangeHref } from "@/lib/contract/hrefs";
import type { WantedChangeKind } from "@/lib/contract/policies/asked-change";
import { type AskedChange, readWaitingChangesOf, signedChangeOf } from "@/lib/core/policies/asked-changes";
import { readChangeSigning } from "@/lib/core/policies/sign-change";
import { mayDecide } from "@/lib/core/shared/permits";
import { describeChangeSigning } from "@/lib/views/approvals/describe-signing";
import type { Reading } from "@/lib/views/reading";
import { waitingSubject } from "@/lib/words/asked-change-words";

/**
 * What of a page's settings waits for signatures, soonest to expire first.
 * @param targetId the account, key, rule or organization that it is about; null: any, for new keys
 */
export async function listWaitingChangesOf(
  { services, context }: Reading<"pool">,
  kinds: readonly WantedChangeKind[],
  targetId: string | null,
) {
  const waiting = await readWaitingChangesOf(services.pool, context, kinds, targetId);
  return Promise.all(waiting.map((asked) => describe({ services, context }, asked)));
}

export type WaitingChangeView = Awaited<ReturnType<typeof listWaitingChangesOf>>[number];

async function describe({ services: { pool }, context }: Reading<"pool">, asked: AskedChange) {
  const { organizationId, actor } = context;
  const change = await signedChangeOf(pool, organizationId, asked);
  const signing = await readChangeSigning(pool, context, change);
  return {
    id: asked.id,
    href: askedChangeHref(asked.id),
    what: asked.wanted.what,
    /** `Lowering the floor to $500.00` */
    subject: waitingSubject(asked.wanted, asked.subject ?? ""),
    /** Whose signatures are missing: `Ana or Ben`; null: one of anyone who decides. */
    waitsFor: describeChangeSigning(signing, actor.id)?.waitsFor ?? null,
    /** Whether the reader's signature counts now. */
    maySign: mayDecide(actor) && (signing?.whyNot(actor.id) ?? null) === null,
  };
}
