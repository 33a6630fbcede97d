import type { AuditEntry } from "@/lib/core/shared/audit-entry";
import { newId } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";

/** Entries waiting for a statement. Requests beyond that are refused, to bound memory. */
const MAXIMUM_WAITING = 10_000;
const MAXIMUM_GROUP = 500;
/** Callers above their limit in one minute. Only authenticated callers count, so there are no more than keys. */
const MAXIMUM_COUNTED = 10_000;
const MINUTE_MS = 60_000;

interface Waiting {
  entry: AuditEntry;
  resolve: () => void;
  reject: (error: unknown) => void;
}

/** The requests of one caller refused above its limit in one clock minute of real time, after the first. */
interface Counted {
  minute: number;
  more: number;
  last: AuditEntry;
}

export interface AuditWriter {
  /** Resolves when the entry is durable; no response may leave before. */
  write: (entry: AuditEntry) => Promise<void>;
  /**
   * For a request above the rate limit: the first of a caller and clock minute is written as usual, later ones are
   * counted into one entry at the end of the minute. A flood must not fill an append-only log.
   */
  writeAboveLimit: (entry: AuditEntry) => Promise<void>;
  /** Writes the counts collected so far. */
  close: () => Promise<void>;
}

/**
 * Writes the entries of requests without a transaction of their own (reads and refusals), concurrent ones in one
 * statement. No timer: a group is what arrived while the previous one was being written.
 */
export function createAuditWriter(services: Pick<Services, "pool" | "clock" | "log">): AuditWriter {
  let waiting: Waiting[] = [];
  let isWriting = false;

  async function writeGroups(): Promise<void> {
    isWriting = true;
    while (waiting.length > 0) {
      const group = waiting.slice(0, MAXIMUM_GROUP);
      waiting = waiting.slice(MAXIMUM_GROUP);
      try {
        await services.pool.query({
          name: "write_audit_entries",
          text: "select write_audit_entries($1)",
          values: [JSON.stringify(group.map((one) => one.entry))],
        });
        for (const one of group) one.resolve();
      } catch (error) {
        for (const one of group) one.reject(error);
      }
    }
    isWriting = false;
  }

  function write(entry: AuditEntry): Promise<void> {
    return new Promise((resolve, reject) => {
      if (waiting.length >= MAXIMUM_WAITING) {
        reject(new Error("The audit log cannot keep up; the request is refused."));
        return;
      }
      waiting.push({ entry, resolve, reject });
      if (!isWriting) void writeGroups();
    });
  }

  return { write, ...countAboveLimit(services, write) };
}

function countAboveLimit(
  { clock, log }: Pick<Services, "clock" | "log">,
  write: AuditWriter["write"],
): Pick<AuditWriter, "writeAboveLimit" | "close"> {
  const counted = new Map<string, Counted>();
  let timer: NodeJS.Timeout | undefined;
  const currentMinute = () => Math.floor(clock.now().getTime() / MINUTE_MS);

  /** Never rejects: no caller waits for it. */
  async function writeCount(caller: string, { more, last }: Counted): Promise<void> {
    counted.delete(caller);
    if (more === 0) return;
    try {
      await write(toCount(last, more));
    } catch (error) {
      const who = { organizationId: last.organizationId, apiKeyId: last.apiKeyId, more };
      log.error({ err: error, ...who }, "writing refused requests to the audit log failed");
    }
  }

  async function writeEnded(): Promise<void> {
    timer = undefined;
    const minute = currentMinute();
    await Promise.all(
      Array.from(counted, ([caller, one]) => (one.minute === minute ? undefined : writeCount(caller, one))),
    );
    if (counted.size > 0) schedule();
  }

  function schedule(): void {
    timer ??= setTimeout(
      () => void writeEnded(),
      MINUTE_MS - (clock.now().getTime() % MINUTE_MS) + 1,
    ).unref();
  }

  return {
    writeAboveLimit: async (entry) => {
      const { apiKeyId: caller } = entry;
      const minute = currentMinute();
      const before = counted.get(caller);
      if (before?.minute === minute) {
        before.more += 1;
        before.last = entry;
        return;
      }
      if (before) await writeCount(caller, before);
      if (counted.size < MAXIMUM_COUNTED) counted.set(caller, { minute, more: 0, last: entry });
      schedule();
      await write(entry);
    },
    close: async () => {
      clearTimeout(timer);
      await Promise.all(Array.from(counted, ([caller, one]) => writeCount(caller, one)));
    },
  };
}

/** One entry for all of them, with the time and request id of the last. */
function toCount(last: AuditEntry, more: number): AuditEntry {
  return {
    ...last,
    id: newId(new Date(last.createdAt)),
    path: `(${more} more ${more === 1 ? "request" : "requests"} above the limit)`,
    action: null,
    reason: null,
  };
}
