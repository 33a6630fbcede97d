import { Fragment } from "react";
import { BeneficiaryRow } from "@/components/beneficiaries/beneficiary-row";
import { NewBeneficiaryForm } from "@/components/beneficiaries/new-beneficiary-form";
import { formatDay } from "@/components/time/format-instant";
import { Moment } from "@/components/time/moment";
import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/section";
import type {
  BeneficiariesView,
  BeneficiaryActions,
  BeneficiaryRowView,
} from "@/lib/contract/views/accounts-view";

const TYPE_WORD = { BUSINESS: "Business", INDIVIDUAL: "Individual" } as const;

interface BeneficiariesPageProps {
  view: BeneficiariesView;
  actions: BeneficiaryActions;
}

/** The legal owners of the money, and their accounts. */
export function BeneficiariesPage({ view, actions }: BeneficiariesPageProps) {
  return (
    <>
      <Section id="beneficiaries" title="Beneficiaries" fact="The legal owners of your accounts">
        <ul className="setl ben">
          {view.beneficiaries.map((beneficiary) => (
            <BeneficiaryRow
              key={beneficiary.id}
              beneficiary={beneficiary}
              canChange={view.viewer.canChange}
              actions={actions}
            >
              <p className="meta">
                {TYPE_WORD[beneficiary.beneficiaryType]}
                {beneficiary.isDefault ? ", the default for new accounts" : null}. Added{" "}
                <Moment at={beneficiary.addedAt} time={view.time} format={formatDay} />.
              </p>
              <p className="meta">
                <Accounts beneficiary={beneficiary} />
              </p>
            </BeneficiaryRow>
          ))}
        </ul>
      </Section>
      <Section id="add" title="Add a beneficiary">
        {view.viewer.canChange ? (
          <NewBeneficiaryForm addBeneficiary={actions.addBeneficiary} />
        ) : (
          <p className="ink2 mem-l">Ask an owner or co-owner to add or change beneficiaries.</p>
        )}
      </Section>
    </>
  );
}

function Accounts({ beneficiary: { accounts, accountCount } }: { beneficiary: BeneficiaryRowView }) {
  if (accountCount === 0) return <>No accounts yet</>;
  const rest = accountCount - accounts.length;
  return (
    <>
      Accounts:{" "}
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
