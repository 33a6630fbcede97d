import { z } from "zod";
import { refuseDownload, sendDownload } from "@/app/auth/answer-member";
import { makeYearZip } from "@/lib/core/exports/make-year-zip";

const yearSchema = z.coerce.number().int().min(1970).max(9999);

/** The accountant's file of a year. The core command checks the role. */
export async function GET(request: Request, { params }: { params: Promise<{ year: string }> }) {
  const year = yearSchema.safeParse((await params).year);
  if (!year.success) return refuseDownload(404, "There is no such year.");
  return await sendDownload(request, async (services, context) => ({
    ...(await makeYearZip(services, context, year.data)),
    contentType: "application/zip",
  }));
}
