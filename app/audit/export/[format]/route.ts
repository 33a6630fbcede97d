import { z } from "zod";
import { refuseDownload, sendDownload } from "@/app/auth/answer-member";
import { readAuditSearch } from "@/lib/core/audit/audit-search";
import { calendarDate } from "@/lib/engine/schedule/calendar-day";
import { exportFoundEntries } from "@/lib/views/audit/export-found-entries";

const formatSchema = z.enum(["csv", "json"]);
const CONTENT_TYPE = { csv: "text/csv; charset=utf-8", json: "application/json" };

/** The found audit entries as a file. The core command checks the role. */
export async function GET(request: Request, { params }: { params: Promise<{ format: string }> }) {
  const format = formatSchema.safeParse((await params).format);
  if (!format.success) return refuseDownload(404, "There is no such file.");
  const search = readAuditSearch(Object.fromEntries(new URL(request.url).searchParams));
  return await sendDownload(request, async (services, context, _time, { organization: { timeZone } }) => ({
    name: `audit-log-${calendarDate(context.now, timeZone)}.${format.data}`,
    contentType: CONTENT_TYPE[format.data],
    chunks: exportFoundEntries(services, context, { search, timeZone, format: format.data }),
  }));
}
