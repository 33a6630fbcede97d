"use server";

import { redirect } from "next/navigation";
import { z } from "zod";
import { leaveSession } from "@/app/auth/enter-session";
import { leavingForm } from "@/app/auth/member-action";

export const signOut = leavingForm({ input: z.object({}) }, async () => {
  await leaveSession();
  redirect("/sign-in");
});
