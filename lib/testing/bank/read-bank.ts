import type pg from "pg";
import { type BankNotice, type BankPort, MAX_NOTICES, MAX_STATEMENT_LINES } from "@/lib/ports/bank/bank-port";

interface ReadBank {
  bank: BankPort;
  emulator: { now: () => Date; advanceTo: (now: Date) => Promise<void> };
  ownerPool: pg.Pool;
  organizationId: string;
}

const HOUR_MS = 3_600_000;

/** Reads everything an emulated bank has, hour by hour like the worker, with the objects it set aside. */
export function readBank({ bank, emulator, ownerPool, organizationId }: ReadBank) {
  const seen: BankNotice[] = [];
  return {
    seen,
    /** News until there is none. */
    readAll: async (rounds: number) => {
      for (let round = 0; round < rounds; round += 1) {
        const businessNow = emulator.now();
        const notices = await bank.notices({ organizationId, businessNow, limit: MAX_NOTICES });
        const noticeReferences = notices.map((notice) => notice.noticeReference);
        await bank.acknowledge({ organizationId, noticeReferences, businessNow });
        seen.push(...notices);
        const aside = await ownerPool.query("select from bank_unread_objects");
        if (notices.length === 0 && aside.rowCount === 0) return;
        await emulator.advanceTo(new Date(businessNow.getTime() + HOUR_MS));
      }
    },
    /** Every line, page by page. */
    statement: async () => {
      const lines = [];
      let cursor: string | null = null;
      do {
        const page = await bank.statement({
          organizationId,
          from: new Date(0),
          cursor,
          limit: MAX_STATEMENT_LINES,
          businessNow: emulator.now(),
        });
        lines.push(...page.lines);
        cursor = page.nextCursor;
      } while (cursor !== null);
      return lines;
    },
  };
}
