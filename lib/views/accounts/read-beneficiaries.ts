import { MAXIMUM_BENEFICIARIES } from "@/lib/contract/account";
import { accountHref } from "@/lib/contract/hrefs";
import { mayDecide } from "@/lib/core/shared/permits";
import type { TimedReading } from "@/lib/views/reading";

/** Accounts listed by name under each; the rest are counted. */
const MAXIMUM_NAMED = 12;

interface BeneficiaryRow {
  id: string;
  name: string;
  beneficiaryType: "INDIVIDUAL" | "BUSINESS";
  createdAt: Date;
  isDefault: boolean;
  accountCount: number;
  accounts: { id: string; name: string }[] | null;
}

/** The legal owners of the organization's money and their open accounts; the default first. */
export async function readBeneficiaries({
  services,
  context: { organizationId, actor },
  time,
}: TimedReading) {
  const { rows } = await services.pool.query<BeneficiaryRow>({
    name: "read_beneficiaries",
    text: `
      select b.id, b.name, b.beneficiary_type as "beneficiaryType", b.created_at as "createdAt",
          b.id = o.default_beneficiary_id as "isDefault",
          coalesce(a.count, 0)::int as "accountCount", a.accounts
        from beneficiaries b
        join organizations o on o.id = b.organization_id
        left join (
          select n.beneficiary_id, count(*) as count,
              jsonb_agg(jsonb_build_object('id', n.id, 'name', n.name) order by n.place)
                filter (where n.place <= ${MAXIMUM_NAMED}) as accounts
            from (select x.id, x.name, x.beneficiary_id,
                      row_number() over (partition by x.beneficiary_id order by x.id) as place
                    from accounts x
                   where x.organization_id = $1 and x.beneficiary_id is not null and x.deleted_at is null) n
           group by n.beneficiary_id) a on a.beneficiary_id = b.id
       where b.organization_id = $1 and b.removed_at is null
       order by b.id = o.default_beneficiary_id desc, b.id limit ${MAXIMUM_BENEFICIARIES}`,
    values: [organizationId],
  });
  return {
    beneficiaries: rows.map((row) => ({
      id: row.id,
      name: row.name,
      beneficiaryType: row.beneficiaryType,
      /** Owns a new account unless another owner is named. */
      isDefault: row.isDefault,
      createdAt: row.createdAt.toISOString(),
      accountCount: row.accountCount,
      /** At most twelve are named. */
      accounts: (row.accounts ?? []).map(({ id, name }) => ({ name, href: accountHref(id) })),
    })),
    viewer: { canChange: mayDecide(actor) },
    time,
  };
}

export type BeneficiaryRowView = BeneficiariesView["beneficiaries"][number];

/** The page of legal owners. */
export type BeneficiariesView = Awaited<ReturnType<typeof readBeneficiaries>>;
