/** Goal: a batch under a policy needs the signatures that it asks for the lines together, and for each by itself. */
import { describe, expect, it } from "vitest";
import type { Policy } from "@/lib/contract/policies/policy";
import { withdrawSignature } from "@/lib/core/approvals/sign-proposal";
import { sendNotices } from "@/lib/core/notifications/send-notices";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { arrangeBatches, batchDenial, signedBatch } from "@/lib/testing/approvals/batches";
import { useTestDatabase } from "@/lib/testing/database";
import { anyDeciders, asks, named, policyOf, putInForce } from "@/lib/testing/policies";

const database = useTestDatabase();

const TWO = policyOf(asks([anyDeciders(2)]));

type People = Record<"ana" | "ben" | "mara", string>;

/** Mara made the key; Ana and Ben are co-owners. */
async function arrange(policy?: Policy | ((people: People) => Policy)) {
  const scene = await arrangeBatches(database);
  const { organization, look, decide } = scene;
  const { organizationId, owner: mara } = organization;
  const ana = await organization.addMember("CO_OWNER", "Ana");
  const ben = await organization.addMember("CO_OWNER", "Ben");
  const ids = { ana: ana.actor.id, ben: ben.actor.id, mara: mara.actor.id };
  const publish = (next: Policy) => putInForce(database, organizationId, mara.actor.id, next);
  if (policy) await publish(typeof policy === "function" ? policy(ids) : policy);
  const sign = async (id: string, member: Context<MemberActor>, struck: readonly number[] = []) => {
    const view = await look(id, member);
    const already = view.lines.filter(({ struckBy }) => struckBy !== null).map(({ line }) => line);
    return decide(signedBatch(view, [...already, ...struck]), {}, member);
  };
  const setRole = (member: Context<MemberActor>, role: string) =>
    database.ownerPool.query("update memberships set role = $3 where organization_id = $1 and user_id = $2", [
      organizationId,
      member.actor.id,
      role,
    ]);
  return { ...scene, mara, ana, ben, publish, sign, setRole };
}

describe("a batch under a policy", () => {
  it("moves with the last signature that is needed, and says whose are missing", async () => {
    const { propose, line, sign, read, look, balances, taxes, ana, ben } = await arrange(TWO);
    const { id, approvals } = await propose([line(6_000), line(9_000)]);
    expect(approvals.required).toEqual([
      { policyVersion: 1, rule: null, stage: 1, of: ["OWNER", "CO_OWNER"], atLeast: 2, given: 0 },
    ]);
    expect(await sign(id, ana)).toEqual({ kind: "SIGNED", waitsFor: "Mara or Ben" });
    expect(await read(id)).toMatchObject({ status: "WAITING", approvals: { required: [{ given: 1 }] } });
    expect((await look(id, ben)).shared.signing).toMatchObject({ givenCount: 1, neededCount: 2 });
    expect(await sign(id, ana)).toMatchObject({ kind: "REFUSED", message: /signed already/ });
    expect((await balances()).get(taxes)).toBe(0);
    expect(await sign(id, ben)).toEqual({ kind: "DECIDED" });
    expect((await balances()).get(taxes)).toBe(15_000);
    expect(await read(id)).toMatchObject({ status: "APPROVED", approvals: { given: [{}, {}] } });
    expect((await look(id)).shared.history.map(({ kind }) => kind)).toEqual([
      "PROPOSED",
      "SIGNED",
      "SIGNED",
      "APPROVED",
    ]);
  });

  it("asks for its total what no line by itself asks for", async () => {
    const much = { name: "Much", when: { amountOver: 15_000 }, ...asks([anyDeciders(2)]) };
    const { propose, line, sign, look, ana, ben } = await arrange(policyOf(asks([anyDeciders(1)]), much));
    const { id } = await propose([line(10_000), line(10_000)]);
    // Two of three include the one that each line asks for, which is not named beside them.
    expect((await look(id)).shared.signing?.asks.map(({ ruleName }) => ruleName)).toEqual(["Much"]);
    expect(await sign(id, ana)).toMatchObject({ kind: "SIGNED" });
    expect(await sign(id, ben)).toEqual({ kind: "DECIDED" });
    const small = await propose([line(5_000), line(10_000)]);
    expect(await sign(small.id, ana)).toEqual({ kind: "DECIDED" });
  });

  it("offers no signature that only meets what a stricter rule includes", async () => {
    const much = {
      name: "Much",
      when: { amountOver: 15_000 },
      ...asks([anyDeciders(2)], { requesterCounts: false }),
    };
    const { propose, line, look, mara, ana } = await arrange(policyOf(asks([anyDeciders(1)]), much));
    const { id } = await propose([line(10_000), line(10_000)]);
    expect((await look(id, mara)).shared.signing?.viewer.mayNot?.kind).toBe("REQUESTER");
    expect((await look(id, ana)).shared.signing?.viewer.mayNot).toBeNull();
  });

  it("asks for a line what its total does not ask for", async () => {
    const scene = await arrange();
    const { propose, line, publish, sign, look, profit, ana, ben, mara } = scene;
    const toProfit = {
      name: "Only to Profit",
      when: { destinationAccountIds: [profit] },
      ...asks([named([ben.actor.id])]),
    };
    const large = { name: "Large", when: { amountOver: 50_000 }, ...asks([named([ana.actor.id])]) };
    await publish(policyOf(asks([named([mara.actor.id])]), large, toProfit));
    const { id } = await propose([line(60_000), line(1_000, profit)]);
    // Together more than 500: Ana. The second alone goes to Profit: Ben. No line is left for `otherwise`.
    expect((await look(id)).shared.signing?.asks.map(({ ruleName }) => ruleName)).toEqual([
      "Large",
      "Only to Profit",
    ]);
    expect(await sign(id, mara)).toMatchObject({ kind: "REFUSED", message: /does not name you/ });
    expect(await sign(id, ana)).toEqual({ kind: "SIGNED", waitsFor: "Ben" });
    expect(await sign(id, ben)).toEqual({ kind: "DECIDED" });
  });

  it("counts its lines once in a window, beside what was proposed before", async () => {
    const inAWeek = {
      name: "Much in a week",
      when: { amountOver: 20_000, window: { days: 7, by: ["requester" as const, "destination" as const] } },
      ...asks([anyDeciders(2)]),
    };
    const { propose, line, sign, ana } = await arrange(policyOf(asks([anyDeciders(1)]), inAWeek));
    const first = await propose([line(10_000), line(10_000)]);
    expect(await sign(first.id, ana)).toEqual({ kind: "DECIDED" });
    const second = await propose([line(100)]);
    expect(await sign(second.id, ana)).toMatchObject({ kind: "SIGNED" });
  });

  it("shows the next signer what was struck out, which nobody puts back", async () => {
    const { propose, line, look, decide, sign, read, balances, taxes, ana, ben } = await arrange(TWO);
    const { id } = await propose([line(6_000), line(9_000), line(12_000)]);
    const before = await look(id, ben);
    expect(await sign(id, ana, [1])).toEqual({ kind: "SIGNED", waitsFor: "Mara or Ben" });
    const after = await look(id, ben);
    expect(after.lines.map(({ struckBy }) => struckBy)).toEqual(["Ana", null, null]);
    expect((await look(id, ana)).lines[0]?.struckBy).toBe("you");
    for (const view of [before, after]) {
      expect(await decide(signedBatch(view), {}, ben)).toEqual({
        kind: "CHANGED",
        changes: ["Line 1: Ana struck it out."],
      });
    }
    expect(await sign(id, ben)).toEqual({ kind: "DECIDED" });
    expect((await balances()).get(taxes)).toBe(21_000);
    expect(await read(id)).toMatchObject({
      approvedInCents: 21_000,
      lines: [{ status: "APPROVAL_DENIED" }, { status: "COMPLETE" }, { status: "COMPLETE" }],
    });
  });

  it("asks earlier signers again when a later one strikes more", async () => {
    const { propose, line, sign, balances, taxes, ana, ben } = await arrange(TWO);
    const { id } = await propose([line(6_000), line(9_000)]);
    await sign(id, ana);
    expect(await sign(id, ben, [1])).toEqual({ kind: "SIGNED", waitsFor: "Mara or Ana" });
    expect(await sign(id, ana)).toEqual({ kind: "DECIDED" });
    expect((await balances()).get(taxes)).toBe(9_000);
  });

  it("is decided by no fewer people than its page showed, also where what is left asks for fewer", async () => {
    const much = { name: "Much", when: { amountOver: 15_000 }, ...asks([anyDeciders(2)]) };
    const { propose, line, sign, look, read, ana } = await arrange(policyOf(asks([anyDeciders(1)]), much));
    const { id } = await propose([line(10_000), line(10_000)]);
    expect(await sign(id, ana, [2])).toMatchObject({ kind: "SIGNED" });
    expect((await read(id)).status).toBe("WAITING");
    // What is left asks for one, and she sees that now.
    expect((await look(id, ana)).shared.signing).toMatchObject({ viewer: { mayNot: null, completes: true } });
    expect(await sign(id, ana)).toEqual({ kind: "DECIDED" });
  });

  it("needs what a version asks that is published after the first signature", async () => {
    const { propose, line, sign, publish, look, decide, ana, ben, mara } = await arrange(TWO);
    const { id } = await propose([line(6_000), line(9_000)]);
    await sign(id, ana);
    const seen = signedBatch(await look(id, ben));
    await publish(policyOf(asks([named([mara.actor.id])])));
    expect(await decide(seen, {}, ben)).toMatchObject({
      kind: "CHANGED",
      changes: [expect.stringContaining("Who must sign")],
    });
    // Ana signed under the first version only.
    expect(await sign(id, ben)).toMatchObject({ kind: "SIGNED" });
    expect(await sign(id, ana)).toMatchObject({ kind: "SIGNED", waitsFor: "Mara" });
    expect(await sign(id, mara)).toEqual({ kind: "DECIDED" });
  });

  it("needs the signatures of a policy that is published while it waits", async () => {
    const { propose, line, look, decide, sign, publish, read, ana, ben } = await arrange();
    const { id } = await propose([line(6_000)]);
    const seen = signedBatch(await look(id, ana));
    await publish(TWO);
    expect(await decide(seen, {}, ana)).toMatchObject({ kind: "CHANGED" });
    expect(await sign(id, ana)).toMatchObject({ kind: "SIGNED" });
    expect((await read(id)).approvals.required).toMatchObject([{ policyVersion: 0 }, { policyVersion: 1 }]);
    expect(await sign(id, ben)).toEqual({ kind: "DECIDED" });
  });

  it("loses the signature of someone who loses the role, or withdraws it", async () => {
    const { services, at, propose, line, sign, setRole, read, ana, ben, mara } = await arrange(TWO);
    const { id, lines } = await propose([line(6_000)]);
    await sign(id, ana);
    await setRole(ana, "VIEWER");
    await setRole(ana, "CO_OWNER");
    expect(await sign(id, ben)).toMatchObject({ kind: "SIGNED" });
    expect(await withdrawSignature(services, at(ben), lines[0].transferId)).toEqual({ kind: "WITHDRAWN" });
    expect(await sign(id, mara)).toMatchObject({ kind: "SIGNED" });
    expect((await read(id)).status).toBe("WAITING");
    expect(await sign(id, ana)).toEqual({ kind: "DECIDED" });
  });

  it("is not signed by who made its key where the requester does not count, and one person denies it", async () => {
    const others = policyOf(asks([anyDeciders(2)], { requesterCounts: false }));
    const { propose, line, sign, decide, read, ana, mara } = await arrange(others);
    const { id } = await propose([line(6_000)]);
    expect(await sign(id, mara)).toMatchObject({ kind: "REFUSED", message: /requested this/ });
    await sign(id, ana);
    expect(await decide(batchDenial(id), {}, mara)).toEqual({ kind: "DECIDED" });
    expect(await read(id)).toMatchObject({ status: "DENIED", approvedInCents: 0 });
  });

  it("stays open as long as the shortest of what its lines and their total allow", async () => {
    const quick = {
      name: "Quick",
      when: { amountOver: 8_000 },
      ...asks([anyDeciders(1)], { expiresAfterHours: 3 }),
    };
    const slow = asks([anyDeciders(1)], { expiresAfterHours: 48 });
    const { propose, line, clock } = await arrange(policyOf(slow, quick));
    const hours = async (lines: object[]) => {
      const { createdAt, expiresAt } = await propose(lines);
      return (Date.parse(expiresAt) - Date.parse(createdAt)) / 3_600_000;
    };
    expect(await hours([line(4_000)])).toBe(48);
    clock.advance(1_000);
    expect(await hours([line(9_000), line(1_000)])).toBe(3);
    clock.advance(1_000);
    expect(await hours([line(4_500), line(4_500)])).toBe(3);
  });

  it("tells those who may still sign what is left of it", async () => {
    const { services, organization, propose, line, sign, ana } = await arrange(TWO);
    const { id } = await propose([line(6_000), line(9_000), line(12_000)]);
    await sendNotices(services, { isSandboxBank: true }, 50);
    await sign(id, ana, [3]);
    await sendNotices(services, { isSandboxBank: true }, 50);
    const { rows } = await database.ownerPool.query<{ name: string; subject: string }>(
      `select u.name, m.subject from messages m join users u on u.id = m.user_id
        where m.organization_id = $1 and m.kind = 'APPROVAL_SIGNED' and m.channel = 'EMAIL' order by 1`,
      [organization.organizationId],
    );
    expect(rows.map(({ name }) => name)).toEqual(["Ben", "Mara"]);
    expect(rows[0]?.subject).toContain("$150.00");
  });

  it("says of each line what the batch needs and has", async () => {
    const { propose, line, sign, call, key, ana, ben } = await arrange(TWO);
    const { id, lines } = await propose([line(6_000), line(9_000)]);
    await sign(id, ana);
    const approvalsOf = async (at: number) =>
      Object((await call(key.text, "GET", `/transfers/${lines[at].transferId}`)).body).data.approvals;
    for (const at of [0, 1])
      expect(await approvalsOf(at)).toMatchObject({ required: [{ atLeast: 2, given: 1 }] });
    await sign(id, ben);
    for (const at of [0, 1]) expect(await approvalsOf(at)).toMatchObject({ given: [{}, {}] });
  });
});

describe("races", () => {
  it("two last signatures: one of them decides, once", async () => {
    const { propose, line, look, decide, sign, balances, taxes, ana, ben, mara } = await arrange(TWO);
    const { id } = await propose([line(100), line(1_000)]);
    await sign(id, ana);
    const seen = signedBatch(await look(id, ben));
    const results = await Promise.all([decide(seen, {}, ben), decide(seen, {}, mara)]);
    expect(results.map(({ kind }) => kind).toSorted()).toEqual(["ALREADY_DECIDED", "DECIDED"]);
    expect((await balances()).get(taxes)).toBe(1_100);
  });

  it("two signers who strike different lines: the later one sees what changed, and nothing moves", async () => {
    const { propose, line, look, decide, read, balances, taxes, ana, ben } = await arrange(TWO);
    const { id } = await propose([line(100), line(1_000), line(10_000)]);
    const view = await look(id, ana);
    const results = await Promise.all([
      decide(signedBatch(view, [1]), {}, ana),
      decide(signedBatch(view, [2]), {}, ben),
    ]);
    expect(results.map(({ kind }) => kind).toSorted()).toEqual(["CHANGED", "SIGNED"]);
    expect(await read(id)).toMatchObject({ status: "WAITING", approvedInCents: 0 });
    expect((await balances()).get(taxes)).toBe(0);
  });

  it("a signature and the loss of an earlier signer's role: both count, or the later waits for the other", async () => {
    const { propose, line, sign, setRole, look, decide, balances, taxes, ana, ben } = await arrange(TWO);
    const { id } = await propose([line(100)]);
    await sign(id, ana);
    const seen = signedBatch(await look(id, ben));
    const [result] = await Promise.all([decide(seen, {}, ben), setRole(ana, "VIEWER")]);
    expect((await balances()).get(taxes)).toBe(result.kind === "DECIDED" ? 100 : 0);
    if (result.kind !== "DECIDED") expect(result).toMatchObject({ kind: "SIGNED", waitsFor: "Mara" });
  });
});
