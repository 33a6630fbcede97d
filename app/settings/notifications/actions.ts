"use server";

import { headers } from "next/headers";
import { z } from "zod";
import { readBrowserFacts } from "@/app/auth/browser-cookie";
import { memberAction } from "@/app/auth/member-action";
import { labeled } from "@/app/auth/run-as-member";
import {
  messageChannelSchema,
  notificationTopicSchema,
  pushSubscriptionSchema,
} from "@/lib/contract/notifications";
import { savePreference as save } from "@/lib/core/notifications/save-preference";
import { testDevice as sendTest } from "@/lib/core/notifications/test-device";
import { CLIENT_ADDRESS_HEADER } from "@/lib/core/shared/network";
import {
  newPhoneSchema,
  removePhone as remove,
  sendPhoneCode as send,
  setPhone as set,
  verifyPhone as verify,
} from "@/lib/core/sign-in/change-phone";
import { removeDevice as forget, registerDevice as register } from "@/lib/core/sign-in/push-devices";
import { getRuntime } from "@/lib/next/runtime";

const ofDevice = z.object({ deviceId: z.uuid() });

export const savePreference = memberAction(
  {
    may: "MEMBERS",
    input: z.object({ topic: notificationTopicSchema, channel: messageChannelSchema, isOn: z.boolean() }),
  },
  ({ services, context }, choice) => save(services, context, choice),
);

export const setPhone = memberAction(
  { may: "MEMBERS", input: newPhoneSchema, toProblem: labeled({ phone: "The number" }) },
  async ({ services, context }, input) => {
    await set(services, context, input, await readNetworkAddress());
  },
);

export const sendPhoneCode = memberAction({ may: "MEMBERS" }, async ({ services, context }) => {
  await send(services, context, await readNetworkAddress());
});

export const verifyPhone = memberAction(
  { may: "MEMBERS", input: z.object({ code: z.string() }) },
  ({ services, context }, input) => verify(services, context, input),
);

export const removePhone = memberAction({ may: "MEMBERS" }, ({ services, context }) =>
  remove(services, context),
);

/** Makes this browser a device that shows the member's notifications. */
export const registerDevice = memberAction(
  { may: "MEMBERS", input: z.object({ subscription: pushSubscriptionSchema }) },
  async ({ services, context }, input) => {
    await register(services, getRuntime().push, context.actor, input, await readBrowserFacts());
  },
);

export const removeDevice = memberAction(
  { may: "MEMBERS", input: ofDevice },
  ({ services, context }, { deviceId }) => forget(services, context.actor, deviceId),
);

export const testDevice = memberAction(
  { may: "MEMBERS", input: ofDevice },
  ({ services, context }, { deviceId }) => sendTest(services, context, deviceId),
);

async function readNetworkAddress(): Promise<string | null> {
  return (await headers()).get(CLIENT_ADDRESS_HEADER) || null;
}
