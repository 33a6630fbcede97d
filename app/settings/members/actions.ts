"use server";

import { z } from "zod";
import { memberAction } from "@/app/auth/member-action";
import { labeled } from "@/app/auth/run-as-member";
import { askSecondFactor as ask } from "@/lib/core/organizations/ask-second-factor";
import { changeMemberRole as change, removeMember as remove } from "@/lib/core/organizations/change-member";
import {
  inviteMember as invite,
  newInvitationSchema,
  resendInvitation as resend,
  withdrawInvitation as withdraw,
} from "@/lib/core/organizations/invite-member";
import { memberRoleSchema } from "@/lib/core/shared/roles";
import { getRuntime } from "@/lib/next/runtime";
import { previewRemoval as preview } from "@/lib/views/members/list-members";

const ofMember = z.object({ userId: z.uuid() });
const ofInvitation = z.object({ invitationId: z.uuid() });

export const inviteMember = memberAction(
  { may: "DECIDERS", input: newInvitationSchema, toProblem: labeled({ email: "The address" }) },
  async ({ services, context }, input) => {
    await invite(services, context, input, { isSandboxBank: getRuntime().isSandbox });
  },
);

export const resendInvitation = memberAction(
  { may: "DECIDERS", input: ofInvitation },
  ({ services, context }, { invitationId }) =>
    resend(services, context, invitationId, { isSandboxBank: getRuntime().isSandbox }),
);

export const withdrawInvitation = memberAction(
  { may: "DECIDERS", input: ofInvitation },
  ({ services, context }, { invitationId }) => withdraw(services, context, invitationId),
);

export const changeMemberRole = memberAction(
  { may: "DECIDERS", input: ofMember.extend({ role: memberRoleSchema }) },
  ({ services, context }, input) => change(services, context, input),
);

export const previewRemoval = memberAction(
  { may: "DECIDERS", input: ofMember },
  async ({ services, context }, { userId }) => ({
    kind: "PREVIEW",
    view: await preview({ services, context }, userId),
  }),
);

export const removeMember = memberAction(
  { may: "DECIDERS", input: ofMember },
  ({ services, context }, { userId }) => remove(services, context, userId),
);

export const askSecondFactor = memberAction(
  { may: "DECIDERS", input: z.object({ isAsked: z.boolean() }) },
  ({ services, context }, input) => ask(services, context, input),
);
