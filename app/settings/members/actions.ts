"use server";

import { z } from "zod";
import { readInput } from "@/app/auth/read-input";
import { labeled, runAsMember } from "@/app/auth/run-as-member";
import type { MemberResult } from "@/app/settings/members/_components/member-actions";
import type { MemberRole } from "@/lib/contract/members";
import type { Refused } from "@/lib/contract/refused";
import { askSecondFactor as ask } from "@/lib/core/organizations/ask-second-factor";
import { changeMemberRole as change, removeMember as remove } from "@/lib/core/organizations/change-member";
import {
  inviteMember as invite,
  resendInvitation as resend,
  withdrawInvitation as withdraw,
} from "@/lib/core/organizations/invite-member";
import { memberRoleSchema } from "@/lib/core/shared/roles";
import { getRuntime } from "@/lib/next/runtime";
import { previewRemoval as preview, type RemovalView } from "@/lib/views/members/list-members";

const ofMemberSchema = z.object({ userId: z.uuid() });
const ofInvitationSchema = z.object({ invitationId: z.uuid() });

export async function inviteMember(input: { email: string; role: MemberRole }): Promise<MemberResult> {
  return runAsMember(
    async (services, context) => {
      const given = readInput(z.object({ email: z.string().max(1_000), role: memberRoleSchema }), input);
      await invite(services, context, given, { isSandboxBank: getRuntime().isSandbox });
      return { kind: "DONE" };
    },
    { toProblem: labeled({ email: "The address" }) },
  );
}

export async function resendInvitation(input: { invitationId: string }): Promise<MemberResult> {
  return runAsMember(async (services, context) => {
    const { invitationId } = readInput(ofInvitationSchema, input);
    await resend(services, context, invitationId, { isSandboxBank: getRuntime().isSandbox });
    return { kind: "DONE" };
  });
}

export async function withdrawInvitation(input: { invitationId: string }): Promise<MemberResult> {
  return runAsMember(async (services, context) => {
    await withdraw(services, context, readInput(ofInvitationSchema, input).invitationId);
    return { kind: "DONE" };
  });
}

export async function changeMemberRole(input: { userId: string; role: MemberRole }): Promise<MemberResult> {
  return runAsMember(async (services, context) => {
    await change(services, context, readInput(ofMemberSchema.extend({ role: memberRoleSchema }), input));
    return { kind: "DONE" };
  });
}

export async function previewRemoval(input: {
  userId: string;
}): Promise<{ kind: "PREVIEW"; view: RemovalView } | Refused> {
  return runAsMember(async (services, context) => ({
    kind: "PREVIEW",
    view: await preview(services, context, readInput(ofMemberSchema, input).userId),
  }));
}

export async function removeMember(input: { userId: string }): Promise<MemberResult> {
  return runAsMember(async (services, context) => {
    await remove(services, context, readInput(ofMemberSchema, input).userId);
    return { kind: "DONE" };
  });
}

export async function askSecondFactor(input: { isAsked: boolean }): Promise<MemberResult> {
  return runAsMember(async (services, context) => {
    await ask(services, context, readInput(z.object({ isAsked: z.boolean() }), input));
    return { kind: "DONE" };
  });
}
