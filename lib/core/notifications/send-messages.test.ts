/** Goal: what became of a message is what its last attempt says, however late another one ends. */
import { beforeEach, expect, it } from "vitest";
import { sendMessages } from "@/lib/core/notifications/send-messages";
import { newId } from "@/lib/platform/ids";
import { type MailPort, MessageNotSent } from "@/lib/ports/messages/message-ports";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { createTestServices } from "@/lib/testing/services";

const database = useTestDatabase();
beforeEach(() => database.ownerPool.query("delete from messages"));

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

async function arrange() {
  const { services, clock } = createTestServices(database);
  const { organizationId, owner } = await createTestOrganization(database, services);
  const id = newId(clock.now());
  await database.pool.query(
    `insert into messages (organization_id, id, kind, channel, user_id, recipient, subject, body_text, body_html, status,
        created_at, due_at, good_until)
     values ($1, $2, 'INVITATION', 'EMAIL', $3, 'ana@example.com', 'Hello', 'secret link', null, 'QUEUED', $4, $4, $5)`,
    [organizationId, id, owner.actor.id, clock.now(), new Date(clock.now().getTime() + 9 * HOUR_MS)],
  );
  const sms = { send: async () => ({ providerId: null }) };
  /** @returns how many were leased */
  const send = (mail: MailPort["send"]) => sendMessages(services, { mail: { send: mail }, sms }, 10);
  const read = async () => {
    const { rows } = await database.ownerPool.query(
      "select status, attempts, body_text as body from messages where id = $1",
      [id],
    );
    return rows[0];
  };
  return { clock, id, send, read };
}

const arrives = async () => ({ providerId: null });
const timesOut = () => Promise.reject(new MessageNotSent("TEMPORARY", "ETIMEDOUT", "timed out"));

/** A provider whose answer the test decides. */
function slowProvider() {
  let begin: () => void = () => undefined;
  let answer: (attempt: ReturnType<MailPort["send"]>) => void = () => undefined;
  const hasBegun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const answered = new Promise<Awaited<ReturnType<MailPort["send"]>>>((resolve) => {
    answer = resolve;
  });
  const send = () => {
    begin();
    return answered;
  };
  return { send, hasBegun, answer };
}

it("a late failure does not free a message that another process is sending", async () => {
  const { clock, send, read } = await arrange();
  const [slow, slower] = [slowProvider(), slowProvider()];
  const first = send(slow.send);
  await slow.hasBegun;
  // Its lease expires, and another process takes the message over.
  clock.advance(HOUR_MS);
  const second = send(slower.send);
  await slower.hasBegun;
  slow.answer(timesOut());
  await first;
  clock.advance(MINUTE_MS);
  expect(await send(arrives)).toBe(0);
  slower.answer(arrives());
  await second;
  expect(await read()).toEqual({ status: "SENT", attempts: 2, body: "" });
});

it("a message that is no longer needed stays ended, though the attempt in progress fails", async () => {
  const { id, send, read } = await arrange();
  await send(async () => {
    await database.ownerPool.query(
      "update messages set status = 'FAILED', due_at = null, body_text = '' where id = $1",
      [id],
    );
    return timesOut();
  });
  expect(await read()).toMatchObject({ status: "FAILED", attempts: 1 });
});

it("a link or code leaves the table once its message was sent, and not before", async () => {
  const { clock, send, read } = await arrange();
  await send(timesOut);
  expect(await read()).toMatchObject({ status: "QUEUED", body: "secret link" });
  clock.advance(HOUR_MS);
  await send(arrives);
  expect(await read()).toEqual({ status: "SENT", attempts: 2, body: "" });
});
