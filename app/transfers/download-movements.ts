import { movementSearchSchema } from "@/lib/contract/search/search-schemas";
import "server-only";
import { queryOf, sendCsv } from "@/app/auth/answer-member";
import { type MovementTab, movementFileLayout } from "@/lib/contract/search/movement-search";
import { exportMovements } from "@/lib/views/movements/export-movements";

/** A list as CSV, filtered like the page. */
export async function downloadMovements(tab: MovementTab, request: Request): Promise<Response> {
  const query = queryOf(request);
  const file = { tab, search: movementSearchSchema.parse(query), layout: movementFileLayout(query) };
  return sendCsv(request, (services, context, time) => exportMovements(services, context, file, time));
}
