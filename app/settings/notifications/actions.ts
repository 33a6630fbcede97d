"use server";

import { headers } from "next/headers";
import { z } from "zod";
import { readBrowserFacts } from "@/app/auth/browser-cookie";
import { readInput } from "@/app/auth/read-input";
import { runAsMember } from "@/app/auth/run-as-member";
import type { NotificationResult } from "@/app/settings/notifications/_components/notification-result";
import {
  messageChannelSchema,
  notificationTopicSchema,
  type PushSubscriptionFacts,
  pushSubscriptionSchema,
} from "@/lib/contract/notifications";
import { type PreferenceChoice, savePreference as save } from "@/lib/core/notifications/save-preference";
import { testDevice as sendTest } from "@/lib/core/notifications/test-device";
import { CLIENT_ADDRESS_HEADER } from "@/lib/core/shared/network";
import {
  removePhone as remove,
  sendPhoneCode as send,
  setPhone as set,
  verifyPhone as verify,
} from "@/lib/core/sign-in/change-phone";
import { removeDevice as forget, registerDevice as register } from "@/lib/core/sign-in/push-devices";
import { getRuntime } from "@/lib/next/runtime";

const choiceSchema = z.object({
  topic: notificationTopicSchema,
  channel: messageChannelSchema,
  isOn: z.boolean(),
});

export async function savePreference(choice: PreferenceChoice): Promise<NotificationResult> {
  return runAsMember(async (services, context) => {
    await save(services, context, readInput(choiceSchema, choice));
    return { kind: "DONE" };
  });
}

export async function setPhone(input: { phone: string }): Promise<NotificationResult> {
  const networkAddress = await readNetworkAddress();
  return runAsMember(async (services, context) => {
    await set(services, context, readInput(z.object({ phone: z.string() }), input), networkAddress);
    return { kind: "DONE" };
  });
}

export async function sendPhoneCode(): Promise<NotificationResult> {
  const networkAddress = await readNetworkAddress();
  return runAsMember(async (services, context) => {
    await send(services, context, networkAddress);
    return { kind: "DONE" };
  });
}

export async function verifyPhone(input: { code: string }): Promise<NotificationResult> {
  return runAsMember(async (services, context) => {
    await verify(services, context, readInput(z.object({ code: z.string() }), input));
    return { kind: "DONE" };
  });
}

export async function removePhone(): Promise<NotificationResult> {
  return runAsMember(async (services, context) => {
    await remove(services, context);
    return { kind: "DONE" };
  });
}

/** Makes this browser a device that shows the member's notifications. */
export async function registerDevice(input: {
  subscription: PushSubscriptionFacts;
}): Promise<NotificationResult> {
  const browser = await readBrowserFacts();
  return runAsMember(async (services, { actor }) => {
    const schema = z.object({ subscription: pushSubscriptionSchema });
    await register(services, getRuntime().push, actor, readInput(schema, input), browser);
    return { kind: "DONE" };
  });
}

export async function removeDevice(input: { deviceId: string }): Promise<NotificationResult> {
  return runAsMember(async (services, { actor }) => {
    await forget(services, actor, readInput(deviceSchema, input).deviceId);
    return { kind: "DONE" };
  });
}

export async function testDevice(input: { deviceId: string }): Promise<NotificationResult> {
  return runAsMember(async (services, context) => {
    await sendTest(services, context, readInput(deviceSchema, input).deviceId);
    return { kind: "DONE" };
  });
}

const deviceSchema = z.object({ deviceId: z.uuid() });

async function readNetworkAddress(): Promise<string | null> {
  return (await headers()).get(CLIENT_ADDRESS_HEADER) || null;
}
