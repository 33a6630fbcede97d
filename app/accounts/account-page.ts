import "server-only";
import { notFound } from "next/navigation";
import { z } from "zod";
import { requireMember } from "@/app/auth/member";
import { accountHref } from "@/lib/contract/account-hrefs";
import { memberContext } from "@/lib/core/sign-in/member-context";
import { getRuntime } from "@/lib/next/runtime";

/** Who asks for which account; an id that is none names nothing. */
export async function openAccountPage(params: Promise<{ id: string }>, below = "") {
  const id = z.uuid().safeParse((await params).id);
  if (!id.success) notFound();
  const member = await requireMember(`${accountHref(id.data)}${below}`);
  return { id: id.data, member, context: memberContext(getRuntime().services, member) };
}
