"use server";

import { z } from "zod";
import { readInput } from "@/app/auth/read-input";
import { runAsMember } from "@/app/auth/run-as-member";
import type { EndpointChangeResult } from "@/app/settings/webhooks/_components/endpoint-actions";
import { sinceInstant } from "@/app/settings/webhooks/since-instant";
import {
  type NewEndpointResult,
  type ReplayResult,
  type ReplaySince,
  replaySinceSchema,
  type TestEventResult,
} from "@/lib/contract/webhooks";
import { createEndpoint as create, recreateEndpoint as recreate } from "@/lib/core/webhooks/create-endpoint";
import {
  replayFailed as replay,
  redeliver as sendAgain,
  sendTestEvent as sendTest,
} from "@/lib/core/webhooks/redeliver";
import {
  deleteEndpoint as remove,
  switchOffEndpoint as switchOff,
  switchOnEndpoint as switchOn,
} from "@/lib/core/webhooks/switch-endpoint";
import { getRuntime } from "@/lib/next/runtime";

interface OfEndpoint {
  endpointId: string;
}

const ofEndpointSchema = z.object({ endpointId: z.uuid() });

export async function createEndpoint(input: { url: string }): Promise<NewEndpointResult> {
  return runAsMember(async (services, context) =>
    create(services, getRuntime().webhooks, context, readInput(z.object({ url: z.string() }), input)),
  );
}

export async function recreateEndpoint(input: OfEndpoint): Promise<NewEndpointResult> {
  return runAsMember(async (services, context) =>
    recreate(services, getRuntime().webhooks, context, readInput(ofEndpointSchema, input).endpointId),
  );
}

export async function deleteEndpoint(input: OfEndpoint): Promise<EndpointChangeResult> {
  return runAsMember(async (services, context) => {
    await remove(services, context, readInput(ofEndpointSchema, input).endpointId);
    return { kind: "CHANGED" };
  });
}

export async function switchOnEndpoint(input: OfEndpoint): Promise<EndpointChangeResult> {
  return runAsMember(async (services, context) => {
    await switchOn(services, context, readInput(ofEndpointSchema, input).endpointId);
    return { kind: "CHANGED" };
  });
}

export async function switchOffEndpoint(input: OfEndpoint): Promise<EndpointChangeResult> {
  return runAsMember(async (services, context) => {
    await switchOff(services, context, readInput(ofEndpointSchema, input).endpointId);
    return { kind: "CHANGED" };
  });
}

export async function sendTestEvent(input: OfEndpoint): Promise<TestEventResult> {
  return runAsMember(async (services, context) =>
    sendTest(services, context, readInput(ofEndpointSchema, input).endpointId),
  );
}

export async function redeliver(input: OfEndpoint & { eventId: string }): Promise<EndpointChangeResult> {
  return runAsMember(async (services, context) => {
    await sendAgain(services, context, readInput(ofEndpointSchema.extend({ eventId: z.uuid() }), input));
    return { kind: "CHANGED" };
  });
}

export async function replayFailed(input: OfEndpoint & { since: ReplaySince }): Promise<ReplayResult> {
  return runAsMember(async (services, context, time) => {
    const { endpointId, since } = readInput(ofEndpointSchema.extend({ since: replaySinceSchema }), input);
    return replay(services, context, { endpointId, since: sinceInstant(since, time) });
  });
}
