import { queryOf, sendCsv } from "@/app/auth/answer-member";
import { activitySearchSchema } from "@/lib/contract/search/search-schemas";
import { exportActivity } from "@/lib/views/activity/export-activity";

/** What people did as CSV, filtered like the page. */
export async function GET(request: Request): Promise<Response> {
  return sendCsv(request, (services, context, time) =>
    exportActivity(services, context, activitySearchSchema.parse(queryOf(request)), time),
  );
}
