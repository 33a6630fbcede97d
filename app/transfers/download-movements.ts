import "server-only";
import { csvResponse } from "@/app/csv-response";
import { queryOf } from "@/app/query-of";
import { type MovementTab, movementSearchSchema } from "@/lib/contract/movement-search";
import { exportMovements } from "@/lib/core/movements/export-movements";

/** A list as a file, with the filters of its address. */
export async function downloadMovements(tab: MovementTab, request: Request): Promise<Response> {
  return csvResponse(request, (services, context, time) =>
    exportMovements(services, context, tab, movementSearchSchema.parse(queryOf(request)), time),
  );
}
