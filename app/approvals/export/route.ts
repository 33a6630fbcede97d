import { csvResponse } from "@/app/csv-response";
import { queryOf } from "@/app/query-of";
import { approvalSearchSchema } from "@/lib/contract/approval-search";
import { exportDecided } from "@/lib/views/approvals/export-decided";

/** The decided proposals as a file, with the filters of its address. */
export async function GET(request: Request): Promise<Response> {
  return csvResponse(request, (services, context, time) =>
    exportDecided(services, context, approvalSearchSchema.parse(queryOf(request)), time),
  );
}
