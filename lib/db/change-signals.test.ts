import { afterEach, describe, expect, it } from "vitest";
import { type ChangeSignals, openChangeSignals } from "@/lib/db/change-signals";
import { createLog } from "@/lib/platform/log";
import { useTestDatabase } from "@/lib/testing/database";
import { waitUntil } from "@/lib/testing/wait-until";

/** Goal: a change in one process reaches those that wait in another, also after the connection between them was lost. */
const database = useTestDatabase();
const opened: ChangeSignals[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((signals) => signals.close()));
});

function open() {
  let count = 0;
  const onSignal = () => {
    count++;
  };
  const signals = openChangeSignals(database.ownerConnection, { onSignal, log: createLog("silent") });
  opened.push(signals);
  return { signals, count: () => count };
}

const connectedPids = async () => {
  const { rows } = await database.ownerPool.query<{ pid: number }>(
    "select pid from pg_stat_activity where application_name = 'sluice-changes' and datname = current_database()",
  );
  return rows.map(({ pid }) => pid);
};

describe("signals of changes", () => {
  it("reach the other processes, many changes as few signals", async () => {
    const [sender, receiver] = [open(), open()];
    await waitUntil("both are connected", () => sender.count() > 0 && receiver.count() > 0);
    const before = receiver.count();
    for (let count = 0; count < 100; count++) sender.signals.send();
    await waitUntil("a signal arrives", () => receiver.count() > before);
    expect(receiver.count() - before).toBeLessThanOrEqual(2);
  });

  it("count as one more after a lost connection, so that what waits is looked at again", async () => {
    const receiver = open();
    await waitUntil(
      "it is connected",
      async () => (await connectedPids()).length === 1 && receiver.count() > 0,
    );
    const before = receiver.count();
    const [pid] = await connectedPids();
    await database.ownerPool.query("select pg_terminate_backend($1)", [pid]);
    await waitUntil("it has connected again and looked", () => receiver.count() > before);
    const sender = open();
    await waitUntil("both are connected", () => sender.count() > 0);
    const after = receiver.count();
    sender.signals.send();
    await waitUntil("a signal arrives", () => receiver.count() > after);
  });
});
