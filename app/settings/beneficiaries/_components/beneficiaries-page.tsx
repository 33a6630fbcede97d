import { Fragment } from "react";
import { BeneficiaryRow } from "@/app/settings/beneficiaries/_components/beneficiary-row";
import { NewBeneficiaryForm } from "@/app/settings/beneficiaries/_components/new-beneficiary-form";
import { Section } from "@/components/layout/section";
import { formatDay } from "@/components/time/format-instant";
import { Moment } from "@/components/time/moment";
import { Link } from "@/components/ui/link";
import { SettingList } from "@/components/ui/setting-list";
import { LINK } from "@/components/ui/text-styles";
import type { BeneficiariesView, BeneficiaryRowView } from "@/lib/views/accounts/read-beneficiaries";

const TYPE_WORD = { BUSINESS: "Business", INDIVIDUAL: "Individual" } as const;

interface BeneficiariesPageProps {
  view: BeneficiariesView;
}

/** The legal owners of the money, and their accounts. */
export function BeneficiariesPage({ view }: BeneficiariesPageProps) {
  return (
    <>
      <Section id="beneficiaries" title="Beneficiaries" fact="The legal owners of your accounts">
        <SettingList className="wrap-anywhere [&_a]:inline-flex [&_a]:min-h-6 [&_a]:items-center max-sm:[&_a]:min-h-11">
          {view.beneficiaries.map((beneficiary) => (
            <BeneficiaryRow key={beneficiary.id} beneficiary={beneficiary} canChange={view.viewer.canChange}>
              <p className="text-sm text-ink-3">
                {TYPE_WORD[beneficiary.beneficiaryType]}
                {beneficiary.isDefault ? ", the default for new accounts" : null}. Added{" "}
                <Moment at={beneficiary.createdAt} time={view.time} format={formatDay} />.
              </p>
              <p className="text-sm text-ink-3">
                <Accounts beneficiary={beneficiary} />
              </p>
            </BeneficiaryRow>
          ))}
        </SettingList>
      </Section>
      <Section id="add" title="Add a beneficiary">
        {view.viewer.canChange ? (
          <NewBeneficiaryForm />
        ) : (
          <p className="max-w-[66ch] mt-3.5 text-ink-2">
            Ask an owner or co-owner to add or change beneficiaries.
          </p>
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
          <Link className={LINK} href={href}>
            {name}
          </Link>
        </Fragment>
      ))}
      {rest > 0 ? ` and ${rest} more` : null}
    </>
  );
}
