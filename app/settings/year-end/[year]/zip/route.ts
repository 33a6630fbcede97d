import { z } from "zod";
import { currentMember } from "@/app/auth/member";
import { refusal, sendDownload } from "@/app/send-download";
import { memberContext } from "@/lib/core/members/member-context";
import { getRuntime } from "@/lib/core/runtime";
import { makeYearZip } from "@/lib/core/year-end/make-year-zip";

const yearSchema = z.coerce.number().int().min(1970).max(9999);

/** The accountant's file of a year, made on request. The core verb refuses whoever may not. */
export async function GET(_request: Request, { params }: { params: Promise<{ year: string }> }) {
  const member = await currentMember();
  if (!member) return refusal(401, "You were signed out. Sign in again.");
  const year = yearSchema.safeParse((await params).year);
  if (!year.success) return refusal(404, "There is no such year.");
  const { services } = getRuntime();
  const context = memberContext(services, member);
  return await sendDownload(async () => ({
    ...(await makeYearZip(services, context, year.data)),
    contentType: "application/zip",
  }));
}
