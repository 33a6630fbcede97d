import type { Beneficiary } from "@/lib/contract/beneficiary";
import { type Page, type PageRequest, toPage } from "@/lib/contract/page";
import type { Context } from "@/lib/core/shared/context";
import type { Services } from "@/lib/platform/services";

/** Who may own an account of this organization, oldest first. Every valid key may read it (specification, Part 5). */
export async function listBeneficiaries(
  services: Pick<Services, "pool">,
  context: Context,
  input: PageRequest,
): Promise<Page<Beneficiary>> {
  const { rows } = await services.pool.query<Beneficiary>({
    name: "list_beneficiaries",
    text: `
      select id, name, beneficiary_type as "beneficiaryType" from beneficiaries
       where organization_id = $1 and removed_at is null order by id limit $2 offset $3`,
    values: [context.organizationId, input.pageSize + 1, (input.page - 1) * input.pageSize],
  });
  return toPage(rows, input, (row) => row);
}
