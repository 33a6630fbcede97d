import type { Pool } from "pg";
import type { AuditEntry } from "@/lib/core/audit/audit-entry";

/** Entries that wait for a statement; a caller beyond that is refused rather than kept in memory without bound. */
const MAXIMUM_WAITING = 10_000;
const MAXIMUM_GROUP = 500;

interface Waiting {
  entry: AuditEntry;
  resolve: () => void;
  reject: (error: unknown) => void;
}

export interface AuditWriter {
  /** Resolves when the entry is durable; no response may leave before (architecture page). */
  write: (entry: AuditEntry) => Promise<void>;
}

/**
 * Writes the entries of requests that have no transaction of their own (reads and refusals), those that arrive
 * together in one statement. There is no timer: a group is what came in while the last one was written.
 */
export function createAuditWriter(pool: Pick<Pool, "query">): AuditWriter {
  let waiting: Waiting[] = [];
  let isWriting = false;

  async function writeGroups(): Promise<void> {
    isWriting = true;
    while (waiting.length > 0) {
      const group = waiting.slice(0, MAXIMUM_GROUP);
      waiting = waiting.slice(MAXIMUM_GROUP);
      try {
        await pool.query({
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

  return {
    write: (entry) =>
      new Promise((resolve, reject) => {
        if (waiting.length >= MAXIMUM_WAITING) {
          reject(new Error("The audit log cannot keep up; the request is refused."));
          return;
        }
        waiting.push({ entry, resolve, reject });
        if (!isWriting) void writeGroups();
      }),
  };
}
