import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { notificationTopicSchema } from "@/lib/contract/notifications";
import { decideProposal } from "@/lib/core/approvals/decide-proposal";
import { savePreference } from "@/lib/core/notifications/save-preference";
import { sendNotices } from "@/lib/core/notifications/send-notices";
import { sendPush } from "@/lib/core/notifications/send-push";
import { testDevice } from "@/lib/core/notifications/test-device";
import { removeMember } from "@/lib/core/organizations/change-member";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { endOtherSessions, endSession } from "@/lib/core/sign-in/end-session";
import { registerDevice, removeDevice, renewDevice } from "@/lib/core/sign-in/push-devices";
import { signInWithPassword } from "@/lib/core/sign-in/sign-in-with-password";
import { forgetExpired } from "@/lib/core/work/forget-expired";
import { askTransfer, moveAnything } from "@/lib/testing/api";
import { createTestDatabase, type TestDatabase } from "@/lib/testing/database";
import { makeOrganization, readActor, TEST_PASSWORD, testBrowser } from "@/lib/testing/members";
import { createTestOrganization } from "@/lib/testing/organization";
import {
  createTestDevice,
  createTestPush,
  startPushService,
  type TestPushDevice,
  type TestPushService,
} from "@/lib/testing/push/push-service";
import { createTestServices } from "@/lib/testing/services";
import { readNotifications } from "@/lib/views/notifications/read-notifications";

// The workers process all organizations, so each test has its own database.
let database: TestDatabase;
let service: TestPushService;
beforeEach(async () => {
  [database, service] = await Promise.all([createTestDatabase(), startPushService()]);
});
afterEach(() => Promise.all([database.close(), service.close()]));

const MINUTE_MS = 60_000;
const BROWSER = { userAgent: "Mozilla/5.0 (iPhone) Version/18.0 Safari/605.1", browserIds: [] };
const push = createTestPush();

async function arrange() {
  const { services, clock, woken } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const jonas = await organization.addMember("CO_OWNER", "Jonas");
  const viewer = await organization.addMember("VIEWER", "Tomas");
  const operating = await organization.addAccount({
    name: "Operating",
    type: "POD",
    balanceInCents: 900_000,
  });
  const payroll = await organization.addAccount({ name: "Payroll", type: "POD" });
  const key = await organization.addKey([moveAnything(true)], "claude-bookkeeping");
  const propose = async (reasonForApproval = "Wages") => {
    const transfer = await askTransfer(services, key.context, {
      sourceAccountId: operating,
      destinationAccountId: payroll,
      amountInCents: 125_000,
      reasonForApproval,
    });
    return transfer.id;
  };
  const register = async (member: Context<MemberActor>, device = createTestDevice(service.origin)) => {
    const { subscription } = device;
    const { deviceId } = await registerDevice(services, push, member.actor, { subscription }, BROWSER);
    return { ...device, id: deviceId };
  };
  const deliver = async () => {
    await sendNotices(services, { isSandboxBank: true }, 50);
    await sendPush(services, push, 50);
  };
  const devicesOf = async (member: Context<MemberActor>) => {
    const time = { nowAt: clock.now().toISOString(), timeZone: "UTC", locale: "en-US" };
    const setting = { publicKey: push.port.publicKey, smsWay: "NONE", before: null } as const;
    return (await readNotifications({ services, context: member, time }, setting)).devices.devices;
  };
  const { owner } = organization;
  return {
    services,
    clock,
    woken,
    organization,
    owner,
    jonas,
    viewer,
    propose,
    register,
    deliver,
    devicesOf,
  };
}

const shownOn = (device: TestPushDevice): Record<string, unknown>[] =>
  service.received
    .filter(({ token }) => token === device.token)
    .map(({ body }) => JSON.parse(device.decrypt(body)));

async function messages() {
  const { rows } = await database.ownerPool.query<{
    status: string;
    attempts: number;
    lastError: string | null;
    bodyText: string;
  }>(
    `select status, attempts, last_error as "lastError",
        body_text as "bodyText" from messages where channel = 'PUSH' order by created_at, id`,
  );
  return rows;
}

describe("a proposal on a device", () => {
  it("names amount, destination, source and requester, in no words of the caller, and opens the approval", async () => {
    const { owner, propose, register, deliver } = await arrange();
    const phone = await register(owner);
    const id = await propose("Reply YES to approve");
    await deliver();
    const [shown, ...more] = shownOn(phone);
    expect(more).toEqual([]);
    expect(shown).toMatchObject({
      title: "$1,250.00 to Payroll needs your decision",
      path: `/?approvalTransferId=${id}`,
      denyPath: `/?approvalTransferId=${id}&decision=deny`,
    });
    expect(shown?.body).toMatch(/^From Operating\. claude-bookkeeping asks\. Open until /);
    expect(shown?.body).toContain("Northwind. Sandbox bank: no real money");
    expect(JSON.stringify(shown)).not.toContain("YES");
  });

  it("goes to each device of every owner and co-owner by default, and to no one else's", async () => {
    const { owner, jonas, viewer, propose, register, deliver } = await arrange();
    const devices = [await register(owner), await register(owner), await register(jonas)];
    const viewers = await register(viewer);
    await propose();
    await deliver();
    expect(devices.map((device) => shownOn(device).length)).toEqual([1, 1, 1]);
    expect(shownOn(viewers)).toEqual([]);
  });

  it("can be switched off for devices, by each person in each organization", async () => {
    const { services, owner, jonas, propose, register, deliver } = await arrange();
    const [phone, other] = [await register(owner), await register(jonas)];
    await savePreference(services, owner, { topic: "APPROVALS", channel: "PUSH", isOn: false });
    await propose();
    await deliver();
    expect(shownOn(phone)).toEqual([]);
    expect(shownOn(other)).toHaveLength(1);
  });

  it("is replaced by the decision where decisions go to devices, under the same tag", async () => {
    const { services, clock, owner, jonas, propose, register, deliver } = await arrange();
    const phone = await register(jonas);
    await savePreference(services, jonas, { topic: "DECISIONS", channel: "PUSH", isOn: true });
    const id = await propose();
    await deliver();
    await decideProposal(
      services,
      { ...owner, now: clock.now() },
      { proposalId: id, decision: "DENY", digest: "", note: "Not now", confirmation: { kind: "NONE" } },
    );
    await deliver();
    const [asked, decided] = shownOn(phone);
    expect(decided?.title).toBe("Mara denied: Move $1,250.00 from Operating to Payroll");
    expect(decided?.tag).toBe(asked?.tag);
    expect(decided?.denyPath).toBeNull();
  });

  it("is kept by the push service no longer than the proposal is open", async () => {
    const { clock, owner, propose, register, deliver } = await arrange();
    const phone = await register(owner);
    const id = await propose();
    const { rows } = await database.ownerPool.query<{ expiresAt: Date }>(
      `select expires_at as "expiresAt" from proposals where id = $1`,
      [id],
    );
    clock.advance(MINUTE_MS);
    await deliver();
    const expiresAt = rows[0]?.expiresAt ?? new Date(0);
    expect(service.received.find(({ token }) => token === phone.token)?.headers.ttl).toBe(
      String((expiresAt.getTime() - clock.now().getTime()) / 1_000),
    );
  });

  it("is in the log and the history by the names of person and browser, and its text is erased once sent", async () => {
    const { services, clock, owner, propose, register, deliver } = await arrange();
    await register(owner);
    await propose();
    await deliver();
    const [message] = await messages();
    expect(message).toMatchObject({ status: "SENT", bodyText: "" });
    const time = { nowAt: clock.now().toISOString(), timeZone: "UTC", locale: "en-US" };
    const view = await readNotifications(
      { services, context: owner, time },
      { publicKey: "", smsWay: "NONE", before: null },
    );
    expect(view.messages.find(({ channel }) => channel === "PUSH")).toMatchObject({
      recipientName: "Mara",
      maskedRecipient: "Safari on iPhone",
      subject: "$1,250.00 to Payroll needs your decision",
    });
  });
});

it("every other topic goes to devices only if its person chooses it", async () => {
  const { services, clock, owner } = await arrange();
  const readTopics = async () => {
    const time = { nowAt: clock.now().toISOString(), timeZone: "UTC", locale: "en-US" };
    return (
      await readNotifications(
        { services, context: owner, time },
        { publicKey: "", smsWay: "NONE", before: null },
      )
    ).topics;
  };
  for (const { topic, push: setting } of await readTopics()) {
    expect(setting, topic).toBe(topic === "APPROVALS" ? "ON" : "OFF");
    await savePreference(services, owner, { topic, channel: "PUSH", isOn: true });
  }
  expect((await readTopics()).map((one) => one.push)).toEqual(
    notificationTopicSchema.options.map(() => "ON"),
  );
});

describe("sending to a device", () => {
  it("forgets a device whose subscription has ended, and sends nothing more to it", async () => {
    const { clock, owner, propose, register, deliver, devicesOf } = await arrange();
    const [gone, stays] = [await register(owner), await register(owner)];
    service.answerWith(gone.token, 410);
    await propose();
    await deliver();
    expect((await devicesOf(owner)).map(({ id }) => id)).toEqual([stays.id]);
    expect((await messages()).map(({ status }) => status).sort()).toEqual(["FAILED", "SENT"]);
    clock.advance(3 * 60 * MINUTE_MS);
    await deliver();
    expect(service.received.filter(({ token }) => token === gone.token)).toHaveLength(1);
  });

  it("retries a push service that is busy, and shows one notification", async () => {
    const { clock, owner, propose, register, deliver } = await arrange();
    const phone = await register(owner);
    service.answerWith(phone.token, 503);
    await propose();
    await deliver();
    expect(await messages()).toMatchObject([{ status: "QUEUED", attempts: 1 }]);
    await deliver();
    expect(service.received).toHaveLength(1);
    service.answerWith(phone.token, 201);
    clock.advance(MINUTE_MS);
    await deliver();
    await deliver();
    expect(await messages()).toMatchObject([{ status: "SENT", attempts: 2 }]);
    const [first, second] = shownOn(phone);
    // A device that got both shows the second in place of the first.
    expect(second?.tag).toBe(first?.tag);
  });

  it("by several workers at once sends each once", async () => {
    const { services, owner, propose, register } = await arrange();
    const phone = await register(owner);
    await propose();
    await sendNotices(services, { isSandboxBank: true }, 50);
    await Promise.all(Array.from({ length: 5 }, () => sendPush(services, push, 50)));
    expect(shownOn(phone)).toHaveLength(1);
  });

  it("fails when it is too late to show it", async () => {
    const { clock, owner, propose, register, deliver } = await arrange();
    const phone = await register(owner);
    service.answerWith(phone.token, 503);
    await propose();
    await deliver();
    clock.advance(30 * 24 * 60 * MINUTE_MS);
    await deliver();
    expect(await messages()).toMatchObject([{ status: "FAILED", lastError: "It was too late to send it." }]);
  });

  it("never repeats the endpoint in the log of messages", async () => {
    const { owner, propose, register, deliver } = await arrange();
    const phone = await register(owner);
    service.answerWith(phone.token, 400);
    await propose();
    await deliver();
    const { rows } = await database.ownerPool.query<{ text: string }>(
      "select m::text as text from messages m union all select d::text from push_devices d",
    );
    const dump = rows.map(({ text }) => text).join("\n");
    for (const secret of [phone.token, phone.subscription.keys.auth, phone.subscription.keys.p256dh]) {
      expect(dump).not.toContain(secret);
      expect(dump).not.toContain(Buffer.from(secret).toString("hex"));
    }
  });
});

describe("a device ends", () => {
  it.each([
    ["when its session signs out", ({ services, owner }) => endSession(services, owner.actor.sessionId)],
    [
      "when its person signs out everywhere else",
      ({ services, owner }) => endOtherSessions(services, { ...owner.actor, sessionId: owner.actor.id }),
    ],
  ] satisfies [string, (scene: Awaited<ReturnType<typeof arrange>>) => Promise<void>][])(
    "%s, also for what is already queued",
    async (_, end) => {
      const scene = await arrange();
      const { services, owner, propose, register, deliver, devicesOf } = scene;
      const phone = await register(owner);
      await propose();
      await sendNotices(services, { isSandboxBank: true }, 50);
      await end(scene);
      await propose();
      await deliver();
      expect(shownOn(phone)).toEqual([]);
      expect(await devicesOf(owner)).toEqual([]);
      await forgetExpired(services, 100);
      const { rows } = await database.ownerPool.query("select 1 from push_devices");
      expect(rows).toEqual([]);
    },
  );

  it("when its person is removed from the organization, also for what is already queued", async () => {
    const { services, clock, owner, jonas, propose, register, deliver } = await arrange();
    const phone = await register(jonas);
    await propose();
    await sendNotices(services, { isSandboxBank: true }, 50);
    await removeMember(services, { ...owner, now: clock.now() }, jonas.actor.id);
    await deliver();
    expect(shownOn(phone)).toEqual([]);
  });

  it("when its person removes it, and no one else can", async () => {
    const { services, owner, jonas, propose, register, deliver, devicesOf } = await arrange();
    const phone = await register(owner);
    await expect(removeDevice(services, jonas.actor, phone.id)).rejects.toMatchObject({
      code: "INVALID_PARAMETERS",
    });
    expect(await devicesOf(jonas)).toEqual([]);
    await removeDevice(services, owner.actor, phone.id);
    await propose();
    await deliver();
    expect(shownOn(phone)).toEqual([]);
  });

  it("not when its session only expires: people who do not look for a week must be reached", async () => {
    const { clock, owner, propose, register, deliver } = await arrange();
    const phone = await register(owner);
    clock.advance(40 * 24 * 60 * MINUTE_MS);
    await propose();
    await deliver();
    expect(shownOn(phone)).toHaveLength(1);
  });

  it("shows nothing of an organization that requires a second factor which its session has not given", async () => {
    const { owner, propose, register, deliver, organization } = await arrange();
    const phone = await register(owner);
    await database.ownerPool.query("update organizations set requires_second_factor = true where id = $1", [
      organization.organizationId,
    ]);
    await propose();
    await deliver();
    expect(shownOn(phone)).toEqual([]);
    await database.ownerPool.query("update sessions set has_second_factor = true where id = $1", [
      owner.actor.sessionId,
    ]);
    await propose();
    await deliver();
    expect(shownOn(phone)).toHaveLength(1);
  });
});

describe("a browser", () => {
  it("notifies one person: the one who registered it last", async () => {
    const { owner, jonas, propose, register, deliver, devicesOf } = await arrange();
    const shared = createTestDevice(service.origin);
    await register(owner, shared);
    await register(jonas, shared);
    expect(await devicesOf(owner)).toEqual([]);
    expect(await devicesOf(jonas)).toHaveLength(1);
    await propose();
    await deliver();
    expect(shownOn(shared)).toHaveLength(1);
  });

  it("that is registered again stays one device, with its new keys", async () => {
    const { owner, propose, register, deliver, devicesOf } = await arrange();
    const phone = createTestDevice(service.origin);
    await register(owner, phone);
    const renewed = createTestDevice(service.origin);
    const keys = renewed.subscription.keys;
    await register(owner, { ...phone, subscription: { ...phone.subscription, keys } });
    expect(await devicesOf(owner)).toHaveLength(1);
    await propose();
    await deliver();
    const [received] = service.received;
    expect(JSON.parse(renewed.decrypt(received?.body ?? Buffer.alloc(0)))).toMatchObject({
      title: "$1,250.00 to Payroll needs your decision",
    });
  });

  it("that renews its subscription keeps its place; a removed one cannot come back that way", async () => {
    const { services, owner, propose, register, deliver, devicesOf } = await arrange();
    const before = await register(owner);
    const after = createTestDevice(service.origin);
    const renew = (oldEndpoint: string) =>
      renewDevice(services, push, owner.actor, { oldEndpoint, subscription: after.subscription }, BROWSER);
    await renew(before.subscription.endpoint);
    await propose();
    await deliver();
    expect([shownOn(before).length, shownOn(after).length]).toEqual([0, 1]);
    await expect(renew(before.subscription.endpoint)).rejects.toMatchObject({ code: "INVALID_PARAMETERS" });
    expect(await devicesOf(owner)).toHaveLength(1);
  });

  it("follows the next sign-in of its person, and leaves the device when someone else signs in", async () => {
    const { services } = createTestServices(database);
    const organization = await makeOrganization(services);
    const other = await makeOrganization(services, "Elsewhere");
    const browser = testBrowser();
    const signInHere = async (email: string, browserIds: string[]) => {
      const signedIn = await signInWithPassword(
        services,
        { email, password: TEST_PASSWORD },
        { ...browser, browserIds },
      );
      if (signedIn.kind !== "SIGNED_IN") throw new Error(signedIn.kind);
      return signedIn;
    };
    const first = await signInHere(organization.ownerEmail, []);
    const { subscription } = createTestDevice(service.origin);
    const { browserIds } = first;
    const actor = await readActor(services, first.sessionId);
    await registerDevice(services, push, actor, { subscription }, { ...browser, browserIds });
    const sessionOfDevice = async () => {
      const { rows } = await database.ownerPool.query<{ sessionId: string }>(
        `select session_id as "sessionId" from push_devices`,
      );
      return rows.map((row) => row.sessionId);
    };
    const second = await signInHere(organization.ownerEmail, browserIds);
    expect(await sessionOfDevice()).toEqual([second.sessionId]);
    await signInHere(other.ownerEmail, second.browserIds);
    expect(await sessionOfDevice()).toEqual([]);
  });

  it("counts among 20 of a person, also when two register at once", async () => {
    const { owner, register, devicesOf } = await arrange();
    for (let count = 0; count < 19; count += 1) await register(owner);
    const both = await Promise.allSettled([register(owner), register(owner)]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(await devicesOf(owner)).toHaveLength(20);
  });
});

describe("a test of a device", () => {
  it("goes to that device alone, whatever its person chose", async () => {
    const { services, woken, owner, register } = await arrange();
    const [phone, other] = [await register(owner), await register(owner)];
    await savePreference(services, owner, { topic: "APPROVALS", channel: "PUSH", isOn: false });
    await testDevice(services, owner, phone.id);
    expect(woken).toContain("send-push");
    await sendPush(services, push, 50);
    expect(shownOn(phone)).toMatchObject([
      { title: "Notifications work on this device", path: "/settings/notifications", denyPath: null },
    ]);
    expect(shownOn(other)).toEqual([]);
  });

  it("cannot be sent to someone else's device, nor without end", async () => {
    const { services, owner, jonas, register } = await arrange();
    const phone = await register(owner);
    await expect(testDevice(services, jonas, phone.id)).rejects.toMatchObject({ code: "INVALID_PARAMETERS" });
    for (let count = 0; count < 10; count += 1) await testDevice(services, owner, phone.id);
    await expect(testDevice(services, owner, phone.id)).rejects.toMatchObject({
      code: "RATE_LIMIT_EXCEEDED",
    });
  });
});
