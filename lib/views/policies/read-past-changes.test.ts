/** Goal: what was changed is tested against a draft as it happened: by whom, between which accounts, signed by whom. */
import { expect, it } from "vitest";
import { signAskedChange } from "@/lib/core/asked-changes/sign-asked-change";
import { setKeyCap } from "@/lib/core/keys/set-key-cap";
import { setNewPodFloor } from "@/lib/core/ledger/set-new-pod-floor";
import { readAskedChange, signedChangeOf } from "@/lib/core/policies/asked-changes";
import { readChangeSigning } from "@/lib/core/policies/sign-change";
import { backtestPolicy } from "@/lib/engine/policies/backtest-policy";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { anyDeciders, asks, policyOf, putInForce } from "@/lib/testing/policies";
import { createTestServices } from "@/lib/testing/services";
import { readPastChanges } from "@/lib/views/policies/read-past-changes";
import { checkPolicyDraft } from "@/lib/views/policies/read-policy-page";

const database = useTestDatabase();

it("counts each loosened limit and new key once, no tightened limit, and every signature", async () => {
  const { services, clock } = createTestServices(database);
  const { organizationId, owner, addMember, addKey } = await createTestOrganization(database, services);
  const ana = await addMember("CO_OWNER", "Ana");
  const at = (member: typeof owner) => ({
    ...member,
    now: clock.now(),
    actor: { ...member.actor, authenticatedAt: clock.now() },
  });
  const moves = {
    type: "MANUAL_TRANSFER" as const,
    entries: [{ source: "ANY" as const, target: "ANY" as const }],
  };
  const key = await addKey([{ ...moves, approval: { required: false } }], "sweep", 1_000);
  clock.advance(1_000);
  await setNewPodFloor(services, at(owner), { floorInCents: 500 });
  clock.advance(1_000);
  await setNewPodFloor(services, at(owner), { floorInCents: null });
  await putInForce(database, organizationId, owner.actor.id, policyOf(asks([anyDeciders(2)])));
  clock.advance(1_000);
  const asked = await setKeyCap(services, at(owner), { keyId: key.id, dailyCapInCents: null });
  const id = asked.kind === "ASKED" ? (asked.href.split("/").at(-1) ?? "") : "";
  const change = await readAskedChange(database.pool, organizationId, id);
  if (!change) throw new Error("no such change");
  const signed = await signedChangeOf(database.pool, organizationId, change);
  const hash = (await readChangeSigning(database.pool, at(owner), signed))?.hash ?? "";
  await signAskedChange(services, at(ana), { id, hash, confirmation: { kind: "NONE" } });

  const changes = await readPastChanges(database.pool, {
    organizationId,
    from: new Date(0),
    timeZone: "America/New_York",
  });
  expect(changes.map(({ facts, signatures }) => [facts.kind, signatures.length])).toEqual([
    ["LIMIT", 2],
    ["LIMIT", 1],
    ["KEY", 1],
  ]);
  const people = [owner, ana].map(({ actor: { id: memberId, role } }) => ({
    id: memberId,
    role,
    isActive: true,
  }));
  const past = { proposals: changes, decisions: [], people, today: "2026-11-30" };
  const draft = policyOf(asks([anyDeciders(2)]));
  const { heldBack, rows } = backtestPolicy(draft, policyOf(asks([anyDeciders(1)])), past);
  expect(heldBack).toHaveLength(2);
  expect(rows.at(-1)).toEqual({ name: null, before: 3, after: 3 });

  const time = { timeZone: "America/New_York", nowAt: clock.now().toISOString(), locale: "en-US" };
  const ofKeys = { ...asks([anyDeciders(2)]), name: "Keys", when: { kinds: ["KEY" as const] } };
  const ofRuns = { ...ofKeys, name: "Runs", when: { kinds: ["RUN" as const] } };
  const checked = await checkPolicyDraft(
    { services, context: at(owner), time },
    { version: 2, policy: policyOf(asks([anyDeciders(2)]), ofKeys, ofRuns) },
  );
  // By rule, as transfers are; a rule that matched none is left out.
  expect(checked.tested.changes).toMatchObject({
    rows: [
      { name: "Keys", before: null, after: 1 },
      { name: null, before: 3, after: 2 },
    ],
    count: 3,
    heldBack: [],
  });
  await putInForce(database, organizationId, owner.actor.id, policyOf(asks([anyDeciders(1)])));
  clock.advance(1_000);
  const stricter = await checkPolicyDraft(
    { services, context: at(owner), time },
    { version: 3, policy: policyOf(asks([anyDeciders(2)])) },
  );
  // One by one: what was signed by two people is not among them.
  expect(stricter.tested.changes).toMatchObject({
    heldBack: [
      // Ana signed the change of the cap soon after, though nothing was proposed in these days.
      { words: "Floor of new pods", href: null, missing: "Ana", wouldExpire: false },
      { words: "Key sweep", href: expect.stringContaining(key.id), missing: "Ana" },
    ],
    heldBackCount: 2,
  });
});
