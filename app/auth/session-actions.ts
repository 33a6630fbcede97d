"use server";

import { redirect } from "next/navigation";
import { leaveSession } from "@/app/auth/enter-session";

export async function signOut(): Promise<void> {
  await leaveSession();
  redirect("/sign-in");
}
