import { queryOf, sendCsv } from "@/app/auth/answer-member";

import { approvalSearchSchema } from "@/lib/contract/approval-search";
import { exportDecided } from "@/lib/views/approvals/export-decided";

/** The decided proposals as a file, with the filters of its address. */
export async function GET(request: Request): Promise<Response> {
  return sendCsv(request, (services, context, time) =>
    exportDecided(services, context, approvalSearchSchema.parse(queryOf(request)), time),
  );
}
