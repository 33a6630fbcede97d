import { savePreference } from "@/lib/core/notifications/save-preference";
import { sendMessages } from "@/lib/core/notifications/send-messages";
import { sendNotices } from "@/lib/core/notifications/send-notices";
import type { Services } from "@/lib/platform/services";
import type { OutgoingMail, OutgoingSms } from "@/lib/ports/messages/message-ports";
import type { TestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";

/** More rounds of messages than this mean that they never end. */
const MAXIMUM_ROUNDS = 50;

/**
 * An organization with an owner, a co-owner and members who decide nothing, another organization beside it, and
 * providers that store what they receive. The workers scan all organizations, so it needs its own database.
 */
export async function arrangeNotices(database: TestDatabase, services: Services) {
  const organization = await createTestOrganization(database, services);
  const jonas = await organization.addMember("CO_OWNER", "Jonas");
  const viewer = await organization.addMember("VIEWER", "Tomas");
  await organization.addMember("ACCOUNTANT", "Ada");
  const elsewhere = await createTestOrganization(database, services, "Elsewhere");
  const mails: OutgoingMail[] = [];
  const texts: OutgoingSms[] = [];
  const mail = {
    send: async (one: OutgoingMail) => {
      mails.push(one);
      return { providerId: null };
    },
  };
  const sms = {
    send: async (one: OutgoingSms) => {
      texts.push(one);
      return { providerId: null };
    },
  };

  /** Sends everything that is due. */
  async function deliver(sending: Services = services): Promise<void> {
    for (let round = 0; round < MAXIMUM_ROUNDS; round += 1) {
      const reported = await sendNotices(sending, { isSandboxBank: true }, 50);
      const sent = await sendMessages(sending, { mail, sms }, 100);
      if (reported + sent === 0) return;
    }
    throw new Error("Messages did not come to an end");
  }

  async function noticesOf(organizationId = organization.organizationId): Promise<string[]> {
    const { rows } = await database.pool.query<{ kind: string }>(
      "select kind from notices where organization_id = $1 order by created_at, id",
      [organizationId],
    );
    return rows.map(({ kind }) => kind);
  }

  /** A member who wants text messages about failures, on a verified number. */
  async function verifyPhone(userId: string, phone: string): Promise<void> {
    await database.ownerPool.query("update users set phone = $2, phone_verified_at = $3 where id = $1", [
      userId,
      phone,
      services.clock.now(),
    ]);
  }

  return {
    organization,
    owner: organization.owner,
    jonas,
    viewer,
    elsewhere,
    mails,
    texts,
    deliver,
    noticesOf,
    verifyPhone,
    choose: savePreference,
    deciders: [organization.owner.actor.email, jonas.actor.email].sort(),
    recipients: () => mails.map(({ to }) => to).sort(),
  };
}
