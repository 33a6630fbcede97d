import "server-only";
import { notFound } from "next/navigation";
import { z } from "zod";
import { requireMember } from "@/app/auth/member";
import { accountHref } from "@/lib/contract/hrefs";
import { memberContext } from "@/lib/core/sign-in/member-context";
import { getRuntime } from "@/lib/next/runtime";

/** The member and the account id of a page; an invalid id is not found. `below`: the subpage, e.g. `/close`. */
export async function openAccountPage(params: Promise<{ id: string }>, below: string) {
  const id = z.uuid().safeParse((await params).id);
  if (!id.success) notFound();
  const member = await requireMember(`${accountHref(id.data)}${below}`);
  return { id: id.data, member, context: memberContext(getRuntime().services, member) };
}
