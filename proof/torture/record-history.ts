import { closeSync, openSync, writeSync } from "node:fs";
import type { HistoryEvent } from "@/proof/torture/checker/history";

export interface History {
  /** Written before this returns, so that its order is the order of events here. */
  record(event: HistoryEvent): void;
  /** A number for a new call. */
  nextCall(): number;
  close(): void;
}

export function openHistory(path: string): History {
  const file = openSync(path, "w", 0o600);
  let calls = 0;
  return {
    record: (event) => {
      writeSync(file, `${JSON.stringify(event)}\n`);
    },
    nextCall: () => {
      calls += 1;
      return calls;
    },
    close: () => closeSync(file),
  };
}
