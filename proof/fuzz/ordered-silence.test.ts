import { expect, test } from "vitest";
import { moveClock } from "@/lib/core/sandbox/move-clock";
import { silenceBank } from "@/lib/core/sandbox/play-bank";
import { BankUnavailable } from "@/lib/ports/bank/bank-port";
import { createSandboxBank } from "@/lib/ports/bank/sandbox/create-sandbox-bank";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { createTestSandbox } from "@/lib/testing/sandbox";
import { createTestServices } from "@/lib/testing/services";
import { checkLogLine } from "@/proof/fuzz/check-answer";
import { isOrderedSilence } from "@/proof/fuzz/ordered-silence";

/** Goal: the fuzz excuses exactly the errors about a silent bank that it ordered: whose, since when, until when. */
const database = useTestDatabase();

const MINUTE_MS = 60_000;

test("an outage is excused for the organization and the time for which it was ordered, and no other error is", async () => {
  const { services, clock } = createTestServices(database);
  const [silenced, other] = [
    await createTestOrganization(database, services),
    await createTestOrganization(database, services),
  ];
  const sandbox = createTestSandbox(services);
  const bank = createSandboxBank(database.pool);
  const at = (minutes: number) => new Date(clock.now().getTime() + minutes * MINUTE_MS);
  const judge = async (organizationId: string, time: Date, message: string) => {
    const line = { level: 50, time, organizationId, err: { message }, msg: "the bank still does not answer" };
    const finding = checkLogLine(JSON.stringify(line));
    return finding?.unanswered ? await isOrderedSilence(database.ownerPool, finding.unanswered) : false;
  };
  await silenceBank(services, sandbox, { ...silenced.owner, now: clock.now() }, 5);
  const { organizationId } = silenced;
  const refused = await bank
    .notices({ organizationId, businessNow: at(2), limit: 1 })
    .catch((error) => error);
  expect(refused).toBeInstanceOf(BankUnavailable);
  const { message } = refused;
  expect(await judge(organizationId, at(2), message)).toBe(true);
  expect(await judge(organizationId, at(-1), message)).toBe(false);
  expect(await judge(organizationId, at(6), message)).toBe(false);
  expect(await judge(organizationId, at(2), "The sandbox bank could not be reached")).toBe(false);
  expect(await judge(other.organizationId, at(2), message)).toBe(false);
  // Once the clock is moved, what was silent before the move seems to be later than the silence.
  await moveClock(services, sandbox, { ...silenced.owner, now: clock.now() }, at(600));
  expect(await judge(organizationId, at(2), message)).toBe(true);
  expect(await judge(other.organizationId, at(2), message)).toBe(false);
});
