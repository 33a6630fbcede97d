import { setTimeout as pause, setImmediate as turn } from "node:timers/promises";
import type pg from "pg";
import { keepConnected } from "@/lib/db/kept-connection";
import type { Log } from "@/lib/platform/log";

/** Tells the other processes that something changed that a request may wait for. */
export interface ChangeSignals {
  /** Call it after the commit. A lost signal delays those that wait until they look again. */
  send: () => void;
  close: () => Promise<void>;
}

const CHANNEL = "sluice_changes";
/** At most one signal in this time, as for work (workers.ts): a NOTIFY locks the whole database while it commits. */
const BETWEEN_SIGNALS_MS = 100;

/**
 * Sends and receives on a connection of its own, outside every business transaction. It names nothing: who waits looks
 * at what it waits for.
 * @param onSignal of any process, this one included; also on each new connection, since signals may have been missed
 */
export function openChangeSignals(
  connection: pg.ClientConfig,
  { onSignal, log }: { onSignal: () => void; log: Log },
): ChangeSignals {
  const kept = keepConnected(connection, {
    name: "sluice-changes",
    log,
    prepare: async (client) => {
      client.on("notification", onSignal);
      await client.query(`listen ${CHANNEL}`);
      onSignal();
    },
  });
  let isWaiting = false;
  let isSending = false;

  async function sendWaiting(): Promise<void> {
    isSending = true;
    await turn();
    while (isWaiting) {
      isWaiting = false;
      try {
        await kept.client()?.query("select pg_notify($1, '')", [CHANNEL]);
      } catch (err) {
        log.debug({ err }, "other processes were not told of a change; they look by themselves");
      }
      await pause(BETWEEN_SIGNALS_MS);
    }
    isSending = false;
  }

  return {
    send: () => {
      isWaiting = true;
      if (!isSending) void sendWaiting();
    },
    close: kept.close,
  };
}
