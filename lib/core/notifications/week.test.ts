import { describe, expect, it } from "vitest";
import { noteWeeks } from "@/lib/core/notifications/note-weeks";
import { savePreference } from "@/lib/core/notifications/save-preference";
import { sendNotices } from "@/lib/core/notifications/send-notices";
import { SEND_NOTICES } from "@/lib/core/shared/work-names";
import { askTransfer, moveAnything } from "@/lib/testing/api";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { createTestServices } from "@/lib/testing/services";

const database = useTestDatabase();

const DAY_MS = 86_400_000;
/** 8:00 AM in New York, a Monday. */
const MONDAY = new Date("2026-11-23T13:00:00Z");

async function arrange() {
  const { services, clock, woken } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const operating = await organization.addAccount({ name: "Operating", type: "POD" });
  const taxes = await organization.addAccount({ name: "Taxes", type: "POD" });
  /** One round of the workers, over all organizations. */
  const turn = async () => {
    while ((await noteWeeks(services, 50)) === 50);
    await sendNotices(services, { isSandboxBank: true }, 50);
  };
  const goTo = (at: Date) => clock.advance(at.getTime() - clock.now().getTime());
  const sent = async () => {
    const { rows } = await database.ownerPool.query<{ channel: string; role: string; text: string }>(
      `select m.channel, b.role, m.body_text as text from messages m
         join memberships b on b.organization_id = m.organization_id and b.user_id = m.user_id
        where m.organization_id = $1 and m.kind = 'WEEK' order by m.id, b.role`,
      [organization.organizationId],
    );
    return rows;
  };
  return { services, clock, woken, organization, operating, taxes, turn, goTo, sent };
}

describe("the week in five lines", () => {
  it("goes to owners and co-owners on the next Monday at 8:00 AM in the organization's zone", async () => {
    const { services, organization, operating, taxes, turn, goTo, sent, woken } = await arrange();
    await organization.addMember("CO_OWNER", "Jonas");
    await organization.addMember("VIEWER", "Tomas");
    goTo(new Date("2026-11-16T15:00:00Z"));
    await turn();
    await organization.deposit(operating, 1_250_000);
    const key = await organization.addKey([moveAnything(true)], "claude");
    const transfer = { sourceAccountId: operating, destinationAccountId: taxes, amountInCents: 1_000 };
    goTo(new Date(MONDAY.getTime() - 3_600_000));
    await askTransfer(services, key.context, transfer);
    goTo(new Date(MONDAY.getTime() - 1));
    await turn();
    expect(await sent()).toEqual([]);
    goTo(MONDAY);
    await turn();
    expect(woken).toContain(SEND_NOTICES);
    const messages = await sent();
    expect(messages.map(({ channel, role }) => `${channel} ${role}`).sort()).toEqual([
      "EMAIL CO_OWNER",
      "EMAIL OWNER",
    ]);
    expect(messages[0]?.text).toContain(
      [
        "$12,500.00 came in.",
        "$0.00 went out.",
        "Your accounts in Sluice hold $12,500.00 now.",
        "Nothing was decided. One waits for you.",
        "No rule ran. No transfer failed.",
      ].join("\n"),
    );
    await turn();
    expect(await sent()).toHaveLength(2);
  });

  it("covers only the latest week after downtime", async () => {
    const { organization, operating, turn, goTo, sent } = await arrange();
    goTo(new Date("2026-11-16T15:00:00Z"));
    await turn();
    await organization.deposit(operating, 1_250_000);
    goTo(new Date(MONDAY.getTime() + 30 * DAY_MS));
    await turn();
    const messages = await sent();
    expect(messages).toHaveLength(1);
    expect(messages[0]?.text).toContain("$0.00 came in.");
    expect(messages[0]?.text).toContain("from December 14");
  });

  it("is not sent to members who turned it off, nor for an empty week", async () => {
    const { services, organization, operating, turn, goTo, sent } = await arrange();
    const empty = await arrange();
    goTo(new Date("2026-11-16T15:00:00Z"));
    await turn();
    await organization.deposit(operating, 1_250_000);
    await savePreference(services, organization.owner, { topic: "WEEK", channel: "EMAIL", isOn: false });
    goTo(MONDAY);
    await turn();
    expect(await sent()).toEqual([]);
    expect(await empty.sent()).toEqual([]);
  });

  it("is not blocked by an organization with an invalid time zone", async () => {
    const { organization, operating, turn, goTo, sent } = await arrange();
    const strange = await arrange();
    await database.ownerPool.query("update organizations set time_zone = 'Nowhere/At_All' where id = $1", [
      strange.organization.organizationId,
    ]);
    goTo(new Date("2026-11-16T15:00:00Z"));
    await turn();
    await organization.deposit(operating, 1_250_000);
    goTo(MONDAY);
    await turn();
    expect(await sent()).toHaveLength(1);
    await database.ownerPool.query("update organizations set time_zone = 'America/New_York'");
  });
});
