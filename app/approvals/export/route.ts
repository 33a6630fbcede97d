import { queryOf, sendCsv } from "@/app/auth/answer-member";
import { approvalSearchSchema } from "@/lib/contract/search/search-schemas";
import { exportDecided } from "@/lib/views/approvals/export-decided";

/** Decided proposals as CSV, filtered like the page. */
export async function GET(request: Request): Promise<Response> {
  return sendCsv(request, (services, context, time) =>
    exportDecided(services, context, approvalSearchSchema.parse(queryOf(request)), time),
  );
}
