import { setTimeout as pause } from "node:timers/promises";
import { AppError } from "@/lib/contract/error";
import { MAXIMUM_WAITS_OF_A_CALLER, MAXIMUM_WAITS_OF_A_PROCESS } from "@/lib/contract/limits";
import type { Log } from "@/lib/platform/log";

/** What a request waits for a change of. */
export interface WaitedFor {
  kind: "TRANSFER" | "RULE_RUN" | "PROPOSAL";
  organizationId: string;
  id: string;
}

/** One wait. Its slot is taken until `end`. */
interface Watch {
  /** Resolves once the present state is known: a change after that is not missed. */
  seen: Promise<void>;
  /** Resolves at the first change after that, or when the process stops. */
  changed: Promise<void>;
  end: () => void;
}

/** The requests of this process that wait for a change. */
export interface ChangeWaits {
  /**
   * Registers a wait; read the state after `seen`.
   * @throws AppError `RATE_LIMIT_EXCEEDED` while too many of this caller, or of this process, wait
   */
  watch: (callerId: string, subject: WaitedFor) => Watch;
  /** Something was committed, here or in another process. */
  noteChange: () => void;
  /** Ends all waits, and every later one at once. */
  close: () => void;
}

interface Entry {
  subject: WaitedFor;
  /** Undefined until it was looked at. */
  mark: string | null | undefined;
  see: () => void;
  fail: (error: unknown) => void;
  change: () => void;
}

interface Setting {
  /** A text for each that differs after every change; null: there is none. One statement for all. */
  readMarks: (subjects: readonly WaitedFor[]) => Promise<readonly (string | null)[]>;
  log: Pick<Log, "warn">;
  /** How often to look without a notice: notices may be lost with their connection. */
  lookEveryMs?: number;
}

const LOOK_EVERY_MS = 2_000;
/** Under load, all changes of this time are looked at together. */
const REST_MS = 100;

/** Looks at everything that is waited for with one statement, and holds no connection between. */
export function createChangeWaits({ readMarks, log, lookEveryMs = LOOK_EVERY_MS }: Setting): ChangeWaits {
  const entries = new Set<Entry>();
  const counts = new Map<string, number>();
  let isClosed = false;
  let isLooking = false;
  let isDue = false;
  let timer: NodeJS.Timeout | undefined;

  async function lookOnce(): Promise<void> {
    const looked = [...entries];
    try {
      const marks = await readMarks(looked.map(({ subject }) => subject));
      for (const [index, entry] of looked.entries()) {
        const mark = marks[index] ?? null;
        if (entry.mark === undefined) {
          entry.mark = mark;
          entry.see();
        } else if (entry.mark !== mark) entry.change();
      }
    } catch (err) {
      log.warn({ err }, "what requests wait for could not be read");
      for (const entry of looked) if (entry.mark === undefined) entry.fail(err);
    }
  }

  async function look(): Promise<void> {
    isDue = true;
    if (isLooking) return;
    isLooking = true;
    clearTimeout(timer);
    while (isDue && entries.size > 0) {
      isDue = false;
      await lookOnce();
      if (entries.size > 0) await pause(REST_MS);
    }
    isLooking = false;
    if (entries.size > 0) timer = setTimeout(look, lookEveryMs).unref();
  }

  function release(entry: Entry, callerId: string): void {
    if (!entries.delete(entry)) return;
    const left = (counts.get(callerId) ?? 1) - 1;
    if (left > 0) counts.set(callerId, left);
    else counts.delete(callerId);
    if (entries.size === 0) clearTimeout(timer);
  }

  return {
    watch: (callerId, subject) => {
      const own = counts.get(callerId) ?? 0;
      if (own >= MAXIMUM_WAITS_OF_A_CALLER) throw tooMany("of this caller", MAXIMUM_WAITS_OF_A_CALLER);
      if (entries.size >= MAXIMUM_WAITS_OF_A_PROCESS) throw tooMany("here", MAXIMUM_WAITS_OF_A_PROCESS);
      if (isClosed) return { seen: Promise.resolve(), changed: Promise.resolve(), end: () => {} };
      const seen = openPromise();
      const changed = openPromise();
      const entry: Entry = {
        subject,
        mark: undefined,
        see: seen.resolve,
        fail: seen.reject,
        change: changed.resolve,
      };
      entries.add(entry);
      counts.set(callerId, own + 1);
      void look();
      return { seen: seen.promise, changed: changed.promise, end: () => release(entry, callerId) };
    },
    noteChange: () => {
      if (entries.size > 0) void look();
    },
    close: () => {
      isClosed = true;
      for (const entry of entries) {
        entry.see();
        entry.change();
      }
    },
  };
}

function openPromise() {
  let resolve: () => void = () => {};
  let reject: (error: unknown) => void = () => {};
  const promise = new Promise<void>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
}

function tooMany(whose: string, maximum: number): AppError {
  return new AppError(
    "RATE_LIMIT_EXCEEDED",
    `${maximum} requests ${whose} already wait for a change. Send this one without wait, or when one of them has been answered.`,
  );
}
