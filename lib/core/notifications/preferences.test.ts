import { describe, expect, it } from "vitest";
import type { NotificationTopic } from "@/lib/contract/notifications";
import { savePreference } from "@/lib/core/notifications/save-preference";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { createTestServices } from "@/lib/testing/services";
import { readPreferences } from "@/lib/views/notifications/read-notifications";

const database = useTestDatabase();

async function arrange() {
  const { services } = createTestServices(database);
  const { organizationId, owner, addMember } = await createTestOrganization(database, services);
  const read = async (userId: string, topic: NotificationTopic) =>
    (await readPreferences(services.pool, organizationId, userId)).find((one) => one.topic === topic);
  return { services, organizationId, owner, addMember, read };
}

describe("a member's notification preference", () => {
  it("applies to that member, topic and channel only", async () => {
    const { services, owner, addMember, read } = await arrange();
    const jonas = await addMember("CO_OWNER", "Jonas");
    await savePreference(services, owner, { topic: "RETURNS", channel: "SMS", isOn: false });
    await savePreference(services, owner, { topic: "RULE_RUNS", channel: "SMS", isOn: true });
    await savePreference(services, owner, { topic: "RULE_RUNS", channel: "EMAIL", isOn: false });
    expect(await read(owner.actor.id, "RETURNS")).toMatchObject({
      topic: "RETURNS",
      email: "ON",
      sms: "OFF",
    });
    expect(await read(owner.actor.id, "RULE_RUNS")).toMatchObject({
      topic: "RULE_RUNS",
      email: "OFF",
      sms: "ON",
    });
    expect(await read(jonas.actor.id, "RETURNS")).toMatchObject({ topic: "RETURNS", email: "ON", sms: "ON" });

    await savePreference(services, owner, { topic: "RULE_RUNS", channel: "EMAIL", isOn: true });
    expect(await read(owner.actor.id, "RULE_RUNS")).toMatchObject({
      topic: "RULE_RUNS",
      email: "ON",
      sms: "ON",
    });
  });

  it("does not apply to another organization of the same person", async () => {
    const { services, owner, read } = await arrange();
    const elsewhere = await createTestOrganization(database, services, "Elsewhere");
    await database.ownerPool.query("insert into memberships values ($1, $2, 'OWNER', now())", [
      elsewhere.organizationId,
      owner.actor.id,
    ]);
    await savePreference(
      services,
      { ...owner, organizationId: elsewhere.organizationId },
      { topic: "RETURNS", channel: "EMAIL", isOn: false },
    );
    expect(await read(owner.actor.id, "RETURNS")).toMatchObject({ email: "ON" });
  });

  it.each([
    ["APPROVALS", "EMAIL"],
    ["APPROVALS", "SMS"],
    ["SECURITY", "EMAIL"],
    ["DECISIONS", "SMS"],
  ] as const)("cannot change %s by %s", async (topic, channel) => {
    const { services, owner, organizationId } = await arrange();
    for (const isOn of [false, true]) {
      await expect(savePreference(services, owner, { topic, channel, isOn })).rejects.toMatchObject({
        code: "INVALID_PARAMETERS",
      });
    }
    const { rows } = await database.pool.query(
      "select 1 from notification_preferences where organization_id = $1",
      [organizationId],
    );
    expect(rows).toEqual([]);
  });

  it("cannot override a fixed setting, not even by a row written by hand", async () => {
    const { owner, organizationId, read } = await arrange();
    await database.ownerPool.query(
      "insert into notification_preferences values ($1, $2, 'SECURITY', false, null), ($1, $2, 'DECISIONS', null, true)",
      [organizationId, owner.actor.id],
    );
    expect(await read(owner.actor.id, "SECURITY")).toMatchObject({ email: "ALWAYS", sms: "OFF" });
    expect(await read(owner.actor.id, "DECISIONS")).toMatchObject({ email: "ON", sms: "NEVER" });
  });
});
