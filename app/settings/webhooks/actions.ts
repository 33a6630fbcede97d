"use server";

import { z } from "zod";
import { memberAction } from "@/app/auth/member-action";
import { sinceInstant } from "@/app/settings/webhooks/since-instant";
import { askedEventTypesSchema, replaySinceSchema } from "@/lib/contract/webhooks";
import { createEndpoint as create, recreateEndpoint as recreate } from "@/lib/core/webhooks/create-endpoint";
import {
  replayFailed as replay,
  redeliver as sendAgain,
  sendTestEvent as sendTest,
} from "@/lib/core/webhooks/redeliver";
import {
  chooseEndpointEvents as chooseEvents,
  deleteEndpoint as remove,
  switchOffEndpoint as switchOff,
  switchOnEndpoint as switchOn,
} from "@/lib/core/webhooks/switch-endpoint";
import { getRuntime } from "@/lib/next/runtime";

const ofEndpoint = z.object({ endpointId: z.uuid() });

export const createEndpoint = memberAction(
  { may: "DECIDERS", input: z.object({ url: z.string(), askedEvents: askedEventTypesSchema }) },
  ({ services, context }, input) => create(services, getRuntime().webhooks, context, input),
);

export const recreateEndpoint = memberAction(
  { may: "DECIDERS", input: ofEndpoint },
  ({ services, context }, { endpointId }) => recreate(services, getRuntime().webhooks, context, endpointId),
);

export const deleteEndpoint = memberAction(
  { may: "DECIDERS", input: ofEndpoint },
  ({ services, context }, { endpointId }) => remove(services, context, endpointId),
);

export const switchOnEndpoint = memberAction(
  { may: "DECIDERS", input: ofEndpoint },
  ({ services, context }, { endpointId }) => switchOn(services, context, endpointId),
);

export const switchOffEndpoint = memberAction(
  { may: "DECIDERS", input: ofEndpoint },
  ({ services, context }, { endpointId }) => switchOff(services, context, endpointId),
);

export const chooseEndpointEvents = memberAction(
  { may: "DECIDERS", input: ofEndpoint.extend({ askedEvents: askedEventTypesSchema }) },
  ({ services, context }, input) => chooseEvents(services, context, input),
);

export const sendTestEvent = memberAction(
  { may: "DECIDERS", input: ofEndpoint },
  ({ services, context }, { endpointId }) => sendTest(services, context, endpointId),
);

export const redeliver = memberAction(
  { may: "DECIDERS", input: ofEndpoint.extend({ eventId: z.uuid() }) },
  ({ services, context }, input) => sendAgain(services, context, input),
);

export const replayFailed = memberAction(
  { may: "DECIDERS", input: ofEndpoint.extend({ since: replaySinceSchema }) },
  ({ services, context, time }, { endpointId, since }) =>
    replay(services, context, { endpointId, since: sinceInstant(since, time) }),
);
