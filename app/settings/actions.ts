"use server";

import { z } from "zod";
import { memberAction } from "@/app/auth/member-action";
import { labeled } from "@/app/auth/run-as-member";
import { parseCents } from "@/lib/contract/format-cents";
import {
  newPodFloorSchema,
  organizationNameSchema,
  outgoingCapSchema,
  timeZoneSchema,
} from "@/lib/contract/organization";
import { setNewPodFloor as setFloor } from "@/lib/core/ledger/set-new-pod-floor";
import { renameOrganization as rename } from "@/lib/core/organizations/change-organization";
import { changeTimeZone as changeZone } from "@/lib/core/organizations/change-time-zone";
import { setOutgoingCap as setCap } from "@/lib/core/transfers/outgoing-cap";

const toProblem = labeled({ name: "The name", amount: "The floor", capInCents: "The amount" });

export const renameOrganization = memberAction(
  { may: "DECIDERS", input: z.object({ name: organizationNameSchema }), toProblem },
  ({ services, context }, input) => rename(services, context, input),
);

export const changeTimeZone = memberAction(
  {
    may: "DECIDERS",
    input: z.object({ timeZone: timeZoneSchema }),
    otherwise: "Sluice does not know this time zone. Nothing was changed.",
  },
  ({ services, context }, input) => changeZone(services, context, input),
);

/** As typed: empty or zero means none. */
const floorSchema = z
  .string()
  .max(100)
  .transform((typed, { addIssue }) => {
    const cents = typed.trim() === "" ? 0 : parseCents(typed);
    if (cents === null) addIssue("The floor must be an amount like 500.00.");
    return cents || null;
  })
  .pipe(newPodFloorSchema);

export const setNewPodFloor = memberAction(
  { may: "DECIDERS", input: z.object({ amount: floorSchema }), toProblem },
  ({ services, context }, { amount }) => setFloor(services, context, { floorInCents: amount }),
);

export const setOutgoingCap = memberAction(
  { may: "DECIDERS", input: outgoingCapSchema, toProblem },
  ({ services, context }, input) => setCap(services, context, input),
);
