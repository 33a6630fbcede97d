import { setTimeout as pause, setImmediate as turn } from "node:timers/promises";
import type pg from "pg";
import { keepConnected } from "@/lib/db/kept-connection";
import type { Log } from "@/lib/platform/log";

const CHANNEL = "sluice_work";
/**
 * One signal in this time at most, for all kinds together: a NOTIFY takes a lock of the whole database while it commits,
 * and one in each transaction halves how many there can be (architecture page, "Work that waits").
 */
const BETWEEN_SIGNALS_MS = 50;

export interface WorkSignals {
  /** Tells workers elsewhere that there is work of this kind. A signal that is lost costs the wait for their next look. */
  wake: (name: string) => void;
  close: () => Promise<void>;
}

/**
 * Wakes the workers of other processes: the first wake goes out at once, those of the next 50 ms together. On a
 * connection of its own, outside every transaction of business.
 */
export function openWorkSignals(connection: pg.ClientConfig, log: Log): WorkSignals {
  const kept = keepConnected(connection, { name: "sluice-signals", log });
  const waiting = new Set<string>();
  let isSending = false;

  async function sendWaiting(): Promise<void> {
    isSending = true;
    // What one request makes due is woken kind by kind, without a turn between them.
    await turn();
    while (waiting.size > 0) {
      const names = [...waiting].join();
      waiting.clear();
      await send(kept.client(), names, log);
      await pause(BETWEEN_SIGNALS_MS);
    }
    isSending = false;
  }

  return {
    wake: (name) => {
      waiting.add(name);
      if (!isSending) void sendWaiting();
    },
    close: kept.close,
  };
}

/** Never rejects. */
async function send(client: pg.Client | null, names: string, log: Log): Promise<void> {
  try {
    await client?.query("select pg_notify($1, $2)", [CHANNEL, names]);
  } catch (err) {
    log.debug({ err }, "workers were not woken; they will look by themselves");
  }
}

export interface WorkListener {
  close: () => Promise<void>;
}

/**
 * Wakes the work of this process by what other processes signal.
 * @param names every kind of this process: all of them are woken whenever the connection is new, as signals may have
 *   been missed; a name that is not among them (of another version) is left alone
 */
export function listenForWork(
  connection: pg.ClientConfig,
  { names, wake, log }: { names: readonly string[]; wake: (name: string) => void; log: Log },
): WorkListener {
  return keepConnected(connection, {
    name: "sluice-worker",
    log,
    prepare: async (client) => {
      client.on("notification", ({ payload = "" }) => {
        for (const name of payload.split(",")) if (names.includes(name)) wake(name);
      });
      await client.query(`listen ${CHANNEL}`);
      for (const name of names) wake(name);
    },
  });
}
