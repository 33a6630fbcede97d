import { askedChangeHref } from "@/lib/contract/hrefs";
import { nameOnly, readKeyAccounts } from "@/lib/core/keys/read-key-accounts";
import { readKeyRules } from "@/lib/core/keys/read-key-rules";
import {
  type AskedChange,
  readAskedChange,
  readWaitingChanges,
  signedChangeOf,
} from "@/lib/core/policies/asked-changes";
import { readChangeSigning } from "@/lib/core/policies/sign-change";
import { mayDecide } from "@/lib/core/shared/permits";
import { freshSignInUntil } from "@/lib/core/sign-in/confirmation";
import { hasPasskey } from "@/lib/core/sign-in/second-factors";
import type { Queryable } from "@/lib/db/transaction";
import { describeChangeSigning } from "@/lib/views/approvals/describe-signing";
import type { TimedReading } from "@/lib/views/reading";
import { askedChangeWords } from "@/lib/words/asked-change-words";
import { keySentence } from "@/lib/words/keys/key-sentence";

/** A change that waits for signatures, or how it ended; null: the organization has no such change. */
export async function readAskedChangePage(reading: TimedReading<"pool" | "clock">, id: string) {
  const { services, context, time } = reading;
  const { organizationId, now, actor } = context;
  const { pool } = services;
  const asked = await readAskedChange(pool, organizationId, id);
  if (!asked) return null;
  const isOver = asked.state === "WAITING" && asked.expiresAt <= now;
  const state = isOver ? "EXPIRED" : asked.state;
  const signing = await readChangeSigning(
    pool,
    { organizationId, now },
    await signedChangeOf(pool, organizationId, asked),
  );
  const memberHasPasskey = await hasPasskey(pool, actor.id);
  return {
    id,
    state,
    /** What a new key could do, without its subject; null: it is about a limit. */
    keySays: await readKeyWords(reading, asked),
    words: askedChangeWords(asked.wanted, asked.subject ?? ""),
    askedBy: { name: asked.askedByName, isViewer: asked.askedById === actor.id },
    askedAt: asked.askedAt.toISOString(),
    expiresAt: asked.expiresAt.toISOString(),
    endedAt: asked.endedAt?.toISOString() ?? null,
    endedByName: asked.endedByName,
    hash: signing?.hash ?? "",
    /** Null: it ended, or one person may sign. */
    signing: state === "WAITING" ? describeChangeSigning(signing, actor.id) : null,
    viewer: {
      canDecide: mayDecide(actor),
      maySign: state === "WAITING" && mayDecide(actor) && (signing?.whyNot(actor.id) ?? null) === null,
    },
    confirms: {
      hasPasskey: memberHasPasskey,
      freshUntil: freshSignInUntil(services, context, memberHasPasskey),
      time,
    },
    time,
  };
}

async function readKeyWords({ services, context }: TimedReading, { wanted }: AskedChange) {
  if (wanted.what !== "NEW_KEY" && wanted.what !== "REPLACED_KEY") return null;
  const [accounts, rules] = await Promise.all([
    readKeyAccounts(services.pool, context.organizationId),
    readKeyRules(services.pool, context.organizationId),
  ]);
  const { permissions, dailyCapInCents } = wanted;
  const canDecide = mayDecide(context.actor);
  return keySentence({ permissions, accounts: accounts.map(nameOnly), rules, dailyCapInCents, canDecide });
}

export type AskedChangeView = NonNullable<Awaited<ReturnType<typeof readAskedChangePage>>>;

/** Those that wait, soonest to expire first, and how many. `now`: business time. */
export async function listWaitingChanges(
  database: Queryable,
  context: { organizationId: string; now: Date },
  limit: number,
) {
  const waiting = await readWaitingChanges(database, context);
  return { count: waiting.length, listed: waiting.slice(0, limit).map(describeWaiting) };
}

export type WaitingChangesView = Awaited<ReturnType<typeof listWaitingChanges>>;

function describeWaiting({ id, wanted, subject, askedByName, askedAt }: AskedChange) {
  return {
    id,
    href: askedChangeHref(id),
    title: askedChangeWords(wanted, subject ?? "").title,
    proposedBy: { kind: "MEMBER" as const, name: askedByName },
    proposedAt: askedAt.toISOString(),
  };
}
