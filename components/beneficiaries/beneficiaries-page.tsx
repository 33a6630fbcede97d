import Link from "next/link";
import { Fragment } from "react";
import { NewBeneficiaryForm } from "@/components/beneficiaries/new-beneficiary-form";
import { formatDay } from "@/components/time/format-instant";
import { Moment } from "@/components/time/moment";
import { Section } from "@/components/ui/section";
import type { NewBeneficiary } from "@/lib/contract/beneficiary";
import type {
  AddBeneficiaryResult,
  BeneficiariesView,
  BeneficiaryRowView,
} from "@/lib/contract/views/beneficiaries-view";

const TYPE_WORD = { BUSINESS: "Business", INDIVIDUAL: "Individual" } as const;

interface BeneficiariesPageProps {
  view: BeneficiariesView;
  addBeneficiary: (input: NewBeneficiary) => Promise<AddBeneficiaryResult>;
}

/** Who owns the money, in law, and which accounts are whose. */
export function BeneficiariesPage({ view, addBeneficiary }: BeneficiariesPageProps) {
  return (
    <>
      <Section id="beneficiaries" title="Beneficiaries" fact="Who owns the money, in law">
        <table className="ledger ben">
          <caption className="vh">Beneficiaries</caption>
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Accounts</th>
              <th scope="col" className="hide-s">
                Added
              </th>
            </tr>
          </thead>
          <tbody>
            {view.beneficiaries.map((beneficiary) => (
              <tr key={beneficiary.id}>
                <th scope="row">
                  {beneficiary.name}
                  <span className="meta blk">
                    {TYPE_WORD[beneficiary.beneficiaryType]}
                    {beneficiary.isDefault ? ", the default for new accounts" : null}
                  </span>
                </th>
                <td>
                  <Accounts beneficiary={beneficiary} />
                </td>
                <td className="hide-s ink2">
                  <Moment at={beneficiary.addedAt} time={view.time} format={formatDay} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Section>
      <Section id="add" title="Add a beneficiary">
        {view.viewer.canAdd ? (
          <NewBeneficiaryForm addBeneficiary={addBeneficiary} />
        ) : (
          <p className="ink2 mem-l">Owners and co-owners add beneficiaries. Ask one of them.</p>
        )}
      </Section>
    </>
  );
}

function Accounts({ beneficiary: { accounts, accountCount } }: { beneficiary: BeneficiaryRowView }) {
  if (accountCount === 0) return <span className="dim">None yet</span>;
  const rest = accountCount - accounts.length;
  return (
    <>
      {accounts.map(({ name, href }, index) => (
        <Fragment key={href}>
          {index > 0 ? ", " : null}
          <Link className="link" href={href}>
            {name}
          </Link>
        </Fragment>
      ))}
      {rest > 0 ? ` and ${rest} more` : null}
    </>
  );
}
