import { setTimeout as pause } from "node:timers/promises";
import type { CallerActor, Context } from "@/lib/core/shared/context";
import { revokedMeanwhile } from "@/lib/core/shared/permits";
import type { WaitedFor } from "@/lib/platform/change-waits";
import type { Services } from "@/lib/platform/services";

interface Waiting<State> {
  kind: WaitedFor["kind"];
  id: string;
  /** Undefined: answers at once. */
  waitSeconds: number | undefined;
  /** Aborted when nobody waits for the answer anymore. Null: cannot be known. */
  gone: () => AbortSignal | null;
  /** Checks what the caller may read, each time. */
  read: (context: Context<CallerActor>) => Promise<State>;
  /** Nothing more happens to it: a wait would only run out. */
  isFinal: (state: State) => boolean;
}

/**
 * The state of something when it next changes, at the latest after `waitSeconds`; at once if it is final. The wait is
 * registered before the state is read, so no change between the two is missed. A wait holds no connection.
 * @throws AppError `RATE_LIMIT_EXCEEDED` while too many requests wait; `UNAUTHORIZED` if the key was revoked during the wait;
 * errors of `read`.
 */
export async function readWhenChanged<State>(
  services: Pick<Services, "pool" | "clock" | "waits">,
  context: Context<CallerActor>,
  { kind, id, waitSeconds, read, isFinal, ...asked }: Waiting<State>,
): Promise<State> {
  if (waitSeconds === undefined) return read(context);
  const startedAt = services.clock.now();
  const watch = services.waits.watch(context.actor.id, { kind, id, organizationId: context.organizationId });
  const gone = asked.gone();
  const over = new AbortController();
  try {
    await watch.seen;
    const first = await read(context);
    if (isFinal(first)) return first;
    const signal = gone ? AbortSignal.any([gone, over.signal]) : over.signal;
    const ended = pause(waitSeconds * 1_000, undefined, { signal }).catch(() => {});
    await Promise.race([watch.changed, ended]);
    if (gone?.aborted) return first;
    await requireNotRevoked(services, context);
    const waitedMs = services.clock.now().getTime() - startedAt.getTime();
    return await read({ ...context, now: new Date(context.now.getTime() + waitedMs) });
  } finally {
    over.abort();
    watch.end();
  }
}

/** A key or assistant that was revoked while it waited learns nothing more. */
async function requireNotRevoked(
  { pool }: Pick<Services, "pool">,
  { organizationId, actor }: Context<CallerActor>,
): Promise<void> {
  const { rowCount } = await pool.query({
    name: "is_key_valid",
    text: "select from api_keys where organization_id = $1 and id = $2 and revoked_at is null",
    values: [organizationId, actor.id],
  });
  if (rowCount !== 1) throw revokedMeanwhile(actor, "Nothing more is shown to it.");
}
