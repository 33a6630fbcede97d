import { expect, it } from "vitest";
import { arrangeActions } from "@/lib/testing/actions/action-scene";
import { useTestDatabase } from "@/lib/testing/database";
import { readMovePage } from "@/lib/views/transfers/read-move-page";

const database = useTestDatabase();

it("offers to refresh an outside account only while its connection allows it", async () => {
  const { services, members, clock, connect, operating } = await arrangeActions(database);
  const { connectionId, accountIds } = await connect();
  const context = { ...members.OWNER, now: clock.now() };
  const nothing = { sourceAccountId: null, destinationAccountId: null, amountInCents: null };
  const time = { nowAt: clock.now().toISOString(), timeZone: "America/New_York", locale: "en-US" };
  const connectionOf = async (accountId: string | undefined) => {
    const { accounts } = await readMovePage({ services, context, time }, nothing);
    return accounts.find(({ id }) => id === accountId)?.connectionId;
  };
  expect(await connectionOf(accountIds[0])).toBe(connectionId);
  expect(await connectionOf(operating)).toBeNull();
  await database.ownerPool.query(
    "update connections set status = 'NEEDS_SIGN_IN', refresh_due_at = null where id = $1",
    [connectionId],
  );
  expect(await connectionOf(accountIds[0])).toBeNull();
});
