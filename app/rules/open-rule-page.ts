import "server-only";
import { notFound } from "next/navigation";
import { z } from "zod";
import { requireMember } from "@/app/auth/member";
import { ruleHref } from "@/lib/contract/hrefs";
import { memberContext } from "@/lib/core/sign-in/member-context";
import { getRuntime } from "@/lib/next/runtime";

/** The member and the rule id of a page; an invalid id is not found. `below`: the subpage, e.g. `/runs`. */
export async function openRulePage(params: Promise<{ id: string }>, below: string) {
  const id = z.uuid().safeParse((await params).id);
  if (!id.success) notFound();
  const member = await requireMember(`${ruleHref(id.data)}${below}`);
  return { id: id.data, member, context: memberContext(getRuntime().services, member) };
}
