import { AppError } from "@/lib/contract/error";
import type { Context } from "@/lib/core/shared/context";
import type { Services } from "@/lib/platform/services";

/** The card that a member drives, by its name. @throws AppError `INVALID_PARAMETERS` where there is none. */
export async function findCardName(
  services: Pick<Services, "pool">,
  context: Context,
  cardId: string,
): Promise<string> {
  const { rows } = await services.pool.query<{ name: string }>({
    name: "find_card_name",
    text: "select name from cards where organization_id = $1 and id = $2",
    values: [context.organizationId, cardId],
  });
  if (!rows[0]) throw new AppError("INVALID_PARAMETERS", "There is no such card.");
  return rows[0].name;
}
