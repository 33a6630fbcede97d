import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { addEndpointAct, createKeyAct, inviteAct, type StepUpAct } from "@/lib/contract/confirmation/step-up";
import { createConfirmedApiKey } from "@/lib/core/keys/create-api-key";
import { editAccount } from "@/lib/core/ledger/edit-account";
import { setPayeeCoolOff } from "@/lib/core/payees/set-cool-off";
import { NotConfirmed } from "@/lib/core/sign-in/not-confirmed";
import { setOutgoingCap } from "@/lib/core/transfers/outgoing-cap";
import { createEndpoint } from "@/lib/core/webhooks/create-endpoint";
import { type ActionScene, arrangeActions } from "@/lib/testing/actions/action-scene";
import { inviteMember, setKeyCap, setNewPodFloor } from "@/lib/testing/as-entered";
import { useTestDatabase } from "@/lib/testing/database";
import { confirmAct } from "@/lib/testing/members";

const MAY_READ = { type: "READ_ACCOUNTS", accounts: "ALL" } as const;
/** A confirmation names the amount, the receiver and the address that its dialog showed, and counts for no other. */
const database = useTestDatabase();
let scene: ActionScene;
beforeAll(async () => {
  scene = await arrangeActions(database);
});
beforeEach(async () => {
  await database.ownerPool.query("delete from step_ups");
  // Signed in long ago: only a confirmation counts.
  await database.ownerPool.query("update sessions set authenticated_at = $1", [
    new Date(scene.clock.now().getTime() - 3_600_000),
  ]);
  await database.ownerPool.query(
    "update organizations set new_pod_floor_in_cents = 50000, outgoing_cap_in_cents = 50000 where id = $1",
    [scene.organizationId],
  );
});

const owner = () => ({ ...scene.northwind.owner, now: scene.clock.now() });

async function floorOf(accountId: string) {
  await database.ownerPool.query("update accounts set floor_in_cents = 50000 where id = $1", [accountId]);
  const { rows } = await database.ownerPool.query<{ name: string; updatedAt: Date }>(
    `select name, updated_at as "updatedAt" from accounts where id = $1`,
    [accountId],
  );
  const [account] = rows;
  if (!account) throw new Error("The pod is missing.");
  return {
    accountId,
    seenUpdatedAt: account.updatedAt.toISOString(),
    name: account.name,
    description: null,
    floorInCents: 20_000,
    savingsTargetInCents: null,
    linkedAccountId: null,
  };
}

interface Case {
  right: StepUpAct;
  others: StepUpAct[];
  act: () => Promise<unknown>;
}

const CASES: Record<string, () => Promise<Case>> = {
  "the floor of a pod": async () => {
    const accountId = await scene.emptyPod();
    const input = await floorOf(accountId);
    return {
      right: `LOWER_FLOOR:${accountId}:20000`,
      others: [`LOWER_FLOOR:${accountId}:40000`, `LOWER_FLOOR:${accountId}:NONE`, "LOWER_FLOOR"],
      act: () => editAccount(scene.services, owner(), input),
    };
  },
  "the floor of new pods": async () => ({
    right: "LOWER_NEW_POD_FLOOR:20000",
    others: ["LOWER_NEW_POD_FLOOR:40000", "LOWER_NEW_POD_FLOOR"],
    act: () => setNewPodFloor(scene.services, owner(), { floorInCents: 20_000 }),
  }),
  "the cap on money out": async () => ({
    right: "RAISE_OUTGOING_CAP:90000",
    others: ["RAISE_OUTGOING_CAP:60000", "RAISE_OUTGOING_CAP:NONE"],
    act: () => setOutgoingCap(scene.services, owner(), { capInCents: 90_000 }),
  }),
  "the cool-off of payees": async () => ({
    right: "SHORTEN_COOL_OFF:900000:1",
    others: ["SHORTEN_COOL_OFF:900000:47", "SHORTEN_COOL_OFF:800000:1", "SHORTEN_COOL_OFF"],
    act: () => setPayeeCoolOff(scene.services, owner(), { aboveInCents: 900_000, hours: 1 }),
  }),
  "the cap of a key": async () => {
    const keyId = await scene.makeCappedKey();
    return {
      right: `RAISE_KEY_CAP:${keyId}:90000`,
      others: [`RAISE_KEY_CAP:${keyId}:60000`, `RAISE_KEY_CAP:${keyId}:NONE`],
      act: () => setKeyCap(scene.services, owner(), { keyId, dailyCapInCents: 90_000 }),
    };
  },
  "a new key, its cap and its permissions": async () => {
    const name = scene.name("mara-cli");
    const entries = [{ source: "ANY" as const, target: "ANY" as const }];
    const permissions = [{ type: "MANUAL_TRANSFER" as const, entries, approval: { required: false } }];
    return {
      // The fields in another order, as another page might send them.
      right: createKeyAct({
        dailyCapInCents: 90_000,
        permissions: [{ approval: { required: false }, entries, type: "MANUAL_TRANSFER" }],
        name,
      }),
      others: [
        createKeyAct({ name, permissions, dailyCapInCents: 500 }),
        createKeyAct({ name: "other", permissions, dailyCapInCents: 90_000 }),
        createKeyAct({ name, permissions: [...permissions, MAY_READ], dailyCapInCents: 90_000 }),
        createKeyAct({
          name,
          permissions: [{ type: "MANUAL_TRANSFER", entries, approval: { required: true } }],
          dailyCapInCents: 90_000,
        }),
        createKeyAct({ name, permissions: [], dailyCapInCents: 90_000 }),
      ],
      act: () =>
        createConfirmedApiKey(scene.services, owner(), { name, permissions, dailyCapInCents: 90_000 }),
    };
  },
  "an invitation": async () => {
    const invited = { email: "Jonas@example.com", role: "CO_OWNER" as const };
    return {
      right: inviteAct(invited),
      others: [
        inviteAct({ ...invited, role: "VIEWER" }),
        inviteAct({ ...invited, email: "eve@example.com" }),
      ],
      act: () => inviteMember(scene.services, owner(), invited, { isSandboxBank: true }),
    };
  },
  "a new endpoint": async () => {
    const url = "http://127.0.0.1:9/mine";
    return {
      right: addEndpointAct(url),
      others: [addEndpointAct("http://127.0.0.1:9/other"), "ADD_ENDPOINT"],
      act: () => createEndpoint(scene.services, scene.webhooks, owner(), { url }),
    };
  },
};

describe("a confirmation for another amount, receiver or address", () => {
  it.each(Object.entries(CASES))("does not count for %s, and its own does", async (_what, arrange) => {
    const { right, others, act } = await arrange();
    const { actor } = scene.northwind.owner;
    for (const other of others) await confirmAct(database, actor, other, scene.clock.now());
    await expect(act()).rejects.toThrow(NotConfirmed);
    await confirmAct(database, actor, right, scene.clock.now());
    await act();
    await expect(countOf(right)).resolves.toBe(0);
    await expect(countOf(...others)).resolves.toBe(others.length);
  });
});

async function countOf(...acts: StepUpAct[]): Promise<number> {
  const { rowCount } = await database.ownerPool.query("select 1 from step_ups where act = any($1)", [acts]);
  return rowCount ?? 0;
}
