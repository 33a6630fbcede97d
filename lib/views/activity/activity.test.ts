import { describe, expect, it } from "vitest";
import type { Decision } from "@/lib/contract/confirmation/decision";
import { writeCents } from "@/lib/contract/format-cents";
import { ruleDefinitionSchema } from "@/lib/contract/rules/rule";
import type { ActivityPlace } from "@/lib/contract/search/list-search";
import { activityPlaceSchema, activitySearchSchema } from "@/lib/contract/search/search-schemas";
import { decideProposal } from "@/lib/core/approvals/decide-proposal";
import { moveMoney } from "@/lib/core/approvals/move-money";
import { freezeCard } from "@/lib/core/cards/set-card-status";
import { revokeApiKey } from "@/lib/core/keys/revoke-api-key";
import { closeGates } from "@/lib/core/keys/switch-gates";
import { closeAccount, reopenAccount } from "@/lib/core/ledger/close-account";
import { createAccountAsMember } from "@/lib/core/ledger/create-account";
import { changeMemberRole, removeMember } from "@/lib/core/organizations/change-member";
import { renameOrganization } from "@/lib/core/organizations/change-organization";
import { inviteMember } from "@/lib/core/organizations/invite-member";
import { deleteRule } from "@/lib/core/rules/change-rule";
import { saveRuleAsMember } from "@/lib/core/rules/save-rule";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { cancelTransfer } from "@/lib/core/transfers/cancel-transfer";
import { newId } from "@/lib/platform/ids";
import { askTransfer, moveAnything } from "@/lib/testing/api";
import { createApiKey } from "@/lib/testing/as-entered";
import { createTestCards } from "@/lib/testing/cards";
import { useTestDatabase } from "@/lib/testing/database";
import { parseCsv } from "@/lib/testing/exported-books";
import { createTestOrganization } from "@/lib/testing/organization";
import { activate, anythingWithRules, deactivate, writeRule } from "@/lib/testing/rules/rules";
import { createTestServices } from "@/lib/testing/services";
import { exportActivity } from "@/lib/views/activity/export-activity";
import { listActivity } from "@/lib/views/activity/list-activity";
import { getApproval } from "@/lib/views/approvals/get-approval";
import { previewMove } from "@/lib/views/transfers/read-move-page";
import { activityWords } from "@/lib/words/activity-words";

const database = useTestDatabase();

const MINUTE_MS = 60_000;
const FORMAT = { money: writeCents, moment: (at: string) => at };

async function arrange() {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const operating = await organization.addAccount({
    name: "Operating",
    type: "POD",
    balanceInCents: 900_000,
  });
  const taxes = await organization.addAccount({ name: "Taxes", type: "POD" });
  const key = await organization.addKey(
    [moveAnything(true), ...anythingWithRules(true)],
    "claude-bookkeeping",
  );
  const time = () => ({ nowAt: clock.now().toISOString(), timeZone: "America/New_York", locale: "en-US" });
  /** One second later than the last, with a fresh sign-in, so that nothing is asked. */
  const at = (member: Context<MemberActor> = organization.owner) => {
    clock.advance(1_000);
    return { ...member, now: clock.now(), actor: { ...member.actor, authenticatedAt: clock.now() } };
  };
  const list = (search: object = {}, place: Partial<ActivityPlace> = {}, member = organization.owner) =>
    listActivity(
      { services, context: { ...member, now: clock.now() }, time: time() },
      activitySearchSchema.parse(search),
      activityPlaceSchema.parse(place),
    );
  /** `Mara: Approved …`, newest first. */
  const read = async (search: object = {}) =>
    (await list(search)).rows.map(({ byName, activity }) => `${byName}: ${activityWords(activity, FORMAT)}`);
  const propose = async (amountInCents: number, destinationAccountId = taxes) => {
    const route = { sourceAccountId: operating, destinationAccountId };
    return (await askTransfer(services, key.context, { ...route, amountInCents })).id;
  };
  const decide = async (id: string, decision: Decision, note: string | null = null) => {
    const context = at();
    const view = await getApproval({ services, context, time: time() }, id);
    const result = await decideProposal(services, context, {
      proposalId: id,
      decision,
      digest: view?.digest ?? "",
      note,
      confirmation: { kind: "NONE" },
    });
    expect(result).toEqual({ kind: "DECIDED" });
  };
  const ownRule = () =>
    ruleDefinitionSchema.parse({
      name: "Set taxes aside",
      trigger: { type: "MANUAL", accountId: operating },
      steps: [
        {
          actions: [
            {
              type: "FIXED",
              sourceAccountId: operating,
              destinationAccountId: taxes,
              group: 0,
              amountInCents: 10_000,
            },
          ],
        },
      ],
    });
  return {
    services,
    clock,
    organization,
    operating,
    taxes,
    key,
    time,
    at,
    list,
    read,
    propose,
    decide,
    ownRule,
  };
}

describe("the log of what people did", () => {
  it("has approvals, denials, own moves and cancelings, but nothing that programs did", async () => {
    const { services, organization, at, operating, taxes, propose, decide, read, time } = await arrange();
    const checking = await organization.addAccount({ name: "Checking", type: "EXTERNAL_ACCOUNT" });
    const [first, second] = [await propose(10_000, checking), await propose(20_000)];
    await decide(first, "APPROVE");
    await decide(second, "DENY", "Paid already.");
    const context = at();
    const draft = {
      draftId: newId(context.now),
      sourceAccountId: operating,
      destinationAccountId: taxes,
      amountInCents: 30_000,
      achLabel: null,
      note: null,
    };
    const { digest } = await previewMove({ services, context, time: time() }, draft);
    const moved = { ...draft, digest, confirmation: { kind: "NONE" as const } };
    expect(await moveMoney(services, context, moved)).toMatchObject({ kind: "MOVED" });
    await cancelTransfer(services, at(), first);
    expect(await read({ about: "approvals" })).toEqual([
      "Mara: Canceled $100.00 from Operating to Checking",
      "Mara: Moved $300.00 from Operating to Taxes",
      "Mara: Denied $200.00 from Operating to Taxes: “Paid already.”",
      "Mara: Approved $100.00 from Operating to Checking",
    ]);
  });

  it("has rules that people wrote, activated, deactivated and deleted", async () => {
    const { services, key, clock, at, read, ownRule } = await arrange();
    const { ruleId } = await saveRuleAsMember(services, at(), {
      draftId: newId(clock.now()),
      ruleId: null,
      expectedVersion: null,
      definition: ownRule(),
      reason: null,
    });
    // By a program: in the log of API requests instead.
    await writeRule(services, { ...key.context, now: at().now }, { ...ownRule(), name: "A program’s" });
    await activate(services, at(), ruleId);
    await deactivate(services, at(), ruleId);
    await deleteRule(services, at(), ruleId);
    expect(await read({ about: "rules" })).toEqual([
      "Mara: Deleted the rule Set taxes aside",
      "Mara: Deactivated the rule Set taxes aside",
      "Mara: Activated version 1 of the rule Set taxes aside",
      "Mara: Wrote version 1 of the rule Set taxes aside",
    ]);
  });

  it("has keys, accounts, cards, members, gates and settings", async () => {
    const { services, organization, at, read, operating, taxes } = await arrange();
    const jonas = await organization.addMember("CO_OWNER", "Jonas");
    const tomas = await organization.addMember("VIEWER", "Tomas");
    const made = await createApiKey(services, at(jonas), { name: "ops", permissions: [moveAnything(true)] });
    await revokeApiKey(services, at(), made.id);
    expect(await read({ about: "keys" })).toEqual([
      "Mara: Revoked the API key ops",
      "Jonas: Made the API key ops",
      "Mara: Made the API key claude-bookkeeping",
    ]);

    const opened = { type: "POD" as const, name: "Travel", floorInCents: null };
    await database.ownerPool.query("update organizations set default_beneficiary_id = $2 where id = $1", [
      organization.organizationId,
      organization.beneficiaryId,
    ]);
    await createAccountAsMember(services, at(), opened);
    expect(await closeAccount(services, at(), taxes)).toEqual({ kind: "CLOSED" });
    await reopenAccount(services, at(), taxes);
    await reopenAccount(services, at(), taxes);
    expect(await read({ about: "accounts" })).toEqual([
      "Mara: Reopened the account Taxes",
      "Mara: Closed the account Taxes",
      "Mara: Opened the pod Travel",
    ]);

    const cards = createTestCards(database, services, organization);
    const cardId = await cards.issue({ accountId: operating, name: "Studio" });
    await freezeCard(services, at(tomas), cardId);
    await freezeCard(services, at(), cardId);
    expect(await read({ about: "cards" })).toEqual([
      "Tomas: Froze the card Studio",
      "Mara: Issued the card Studio",
    ]);

    await inviteMember(services, at(), { email: "new@example.com", role: "VIEWER" }, { isSandboxBank: true });
    await changeMemberRole(services, at(), { userId: tomas.actor.id, role: "ACCOUNTANT" });
    await removeMember(services, at(), tomas.actor.id);
    expect(await read({ about: "members" })).toEqual([
      "Mara: Removed Tomas, accountant",
      "Mara: Changed Tomas from viewer to accountant",
      "Mara: Invited new@example.com as viewer",
    ]);

    await renameOrganization(services, at(jonas), { name: "Northwind LLC" });
    await closeGates(services, at());
    expect(await read({ about: "organization" })).toEqual([
      "Jonas: Renamed the organization from Northwind to Northwind LLC",
    ]);
    expect(await read({ about: "gates" })).toEqual(["Mara: Closed all gates"]);
    // Also of a person who is no longer a member.
    expect(await read({ by: tomas.actor.id })).toEqual(["Tomas: Froze the card Studio"]);
    expect(await read({ by: jonas.actor.id })).toEqual([
      "Jonas: Renamed the organization from Northwind to Northwind LLC",
      "Jonas: Made the API key ops",
    ]);
    expect((await read()).length).toBe(13);
  });

  it("answers who did what on the days that are asked for, in the organization's zone", async () => {
    const { services, clock, at, read } = await arrange();
    clock.set(new Date("2026-11-01T03:30:00Z"));
    await renameOrganization(services, at(), { name: "October" });
    clock.set(new Date("2026-11-01T04:30:00Z"));
    await renameOrganization(services, at(), { name: "November" });
    clock.set(new Date("2026-12-01T04:30:00Z"));
    await renameOrganization(services, at(), { name: "Still November" });
    clock.set(new Date("2026-12-01T05:30:00Z"));
    await renameOrganization(services, at(), { name: "December" });
    expect(await read({ from: "2026-11-01", to: "2026-11-30" })).toEqual([
      "Mara: Renamed the organization from November to Still November",
      "Mara: Renamed the organization from October to November",
    ]);
  });

  it("is paged without skipping or repeating a row, also of one moment", async () => {
    const { services, clock, at, list, propose, decide } = await arrange();
    for (let index = 0; index < 30; index += 1) {
      const context =
        index % 3 === 0
          ? { ...at(), now: clock.now() }
          : { ...at(), now: new Date(clock.now().getTime() - 1_000) };
      await renameOrganization(services, context, { name: `Name ${index}` });
    }
    for (let index = 0; index < 25; index += 1) await decide(await propose(10_000 + index), "DENY");
    const placeOf = (href: string | null) =>
      Object.fromEntries(new URL(href ?? "", "http://localhost").searchParams);
    const pages = [await list()];
    for (let page = 0; page < 2; page += 1)
      pages.push(await list({}, placeOf(pages.at(-1)?.olderHref ?? null)));
    const keys = pages.flatMap(({ rows }) => rows.map((row) => row.key));
    expect(keys).toHaveLength(new Set(keys).size);
    // Thirty names, twenty-five denials and the key.
    expect(keys).toHaveLength(56);
    expect(pages.at(-1)?.olderHref).toBeNull();
    expect(pages[0]?.newerHref).toBeNull();
    const back = await list({}, placeOf(pages[2]?.newerHref ?? null));
    expect(back.rows.map(({ key }) => key)).toEqual(pages[1]?.rows.map(({ key }) => key));
  });

  it("shows nothing of another organization", async () => {
    const [here, elsewhere] = [await arrange(), await arrange()];
    await renameOrganization(elsewhere.services, elsewhere.at(), { name: "Elsewhere" });
    expect((await here.read()).join()).not.toContain("Elsewhere");
    const { people } = await here.list();
    expect(people.map(({ id }) => id)).toEqual([here.organization.owner.actor.id]);
  });
});

describe("the export of what people did", () => {
  it("has the rows of the filters, and is refused to viewers", async () => {
    const { services, organization, clock, at, list, propose, decide, time } = await arrange();
    for (let index = 0; index < 3; index += 1) await decide(await propose(10_000 + index), "DENY", "=1+1");
    await renameOrganization(services, at(), { name: "Not exported" });
    clock.advance(MINUTE_MS);
    const search = activitySearchSchema.parse({ about: "approvals" });
    const { lines } = exportActivity(services, at(), search, time());
    let file = "";
    for await (const line of lines) file += line;
    const rows = parseCsv(file);
    expect(rows[0]).toEqual(["Date", "Who", "What", "About", "At (UTC)", "Id", "Time zone"]);
    expect(rows.slice(1).map((row) => row.slice(1, 4))).toEqual(
      ["$100.02", "$100.01", "$100.00"].map((amount) => [
        "Mara",
        `Denied ${amount} from Operating to Taxes: “=1+1”`,
        "approvals",
      ]),
    );
    const viewer = await organization.addMember("VIEWER", "Tomas");
    expect((await list({}, {}, viewer)).exportHref).toBeNull();
    expect(() => exportActivity(services, viewer, search, time())).toThrow(/export/);
  });
});
