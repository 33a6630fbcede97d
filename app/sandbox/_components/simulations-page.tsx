import { ActForm } from "@/app/sandbox/_components/act-form";
import { HAPPENINGS, SendBack } from "@/app/sandbox/_components/happenings";
import { SandboxActivity } from "@/app/sandbox/_components/sandbox-page";
import { AmountPart, ChoicePart, NamePart } from "@/app/sandbox/_components/sentence-parts";
import { deposit, sendBack, settle } from "@/app/sandbox/actions";
import { COLUMNS } from "@/components/layout/columns";
import { PageHead } from "@/components/layout/page-head";
import { Section } from "@/components/layout/section";
import { SideColumn } from "@/components/layout/side-column";
import { Note } from "@/components/ui/note";
import { TEST_PAYER_NAME } from "@/lib/contract/onboarding";
import type { SimulationsView } from "@/lib/views/sandbox/read-simulations-page";

interface SimulationsPageProps {
  view: SimulationsView;
}

/** The simulations of a real bank's sandbox: it runs in real time, and nothing else is simulated beside it. */
export function SimulationsPage({ view }: SimulationsPageProps) {
  return (
    <div>
      <PageHead
        title={`Simulations at ${view.bankName}`}
        lede={`${view.bankName} keeps the money in its sandbox. No real money moves.`}
      />
      {view.canDrive ? null : (
        <Note>Only an owner or co-owner can use the simulations. You can see their activity.</Note>
      )}
      <div className={COLUMNS}>
        {view.canDrive ? (
          <Section id="happen" title="Make something happen">
            <ul className={HAPPENINGS}>
              <Deposit view={view} />
              <Settle view={view} />
              <SendBack
                title="ACH return"
                label="Send back"
                nothing="No transfer has reached the bank yet."
                words=" comes back with "
                choices={view.returnable}
                act={sendBack}
              />
            </ul>
          </Section>
        ) : null}
        <SideColumn sticky={false} contentLayout="[&_ol]:mt-4">
          <SandboxActivity actions={view.actions} time={view.time} />
        </SideColumn>
      </div>
    </div>
  );
}

function Deposit({ view }: { view: SimulationsView }) {
  const isOff = view.receivers.length === 0;
  return (
    <ActForm title="Deposit" label="Deposit" busyLabel="Depositing" act={deposit} isOff={isOff}>
      {isOff ? (
        "There is no income source with an account number yet."
      ) : (
        <>
          <AmountPart name="amount" label="Amount of the deposit" value="$7,100.00" />
          {" arrives by ACH in "}
          <ChoicePart name="accountId" label="Income source" choices={view.receivers} />
          {" from "}
          <NamePart
            name="payerName"
            label="Who pays"
            suggestions={view.payerNames}
            fallback={TEST_PAYER_NAME}
          />
          <input type="hidden" name="origin" value="DIRECT_DEPOSIT" />
        </>
      )}
    </ActForm>
  );
}

function Settle({ view }: { view: SimulationsView }) {
  const isOff = view.settleable.length === 0;
  return (
    <ActForm title="Settlement" label="Settle" busyLabel="Settling" act={settle} isOff={isOff}>
      {isOff ? (
        "No transfer is at the bank."
      ) : (
        <>
          <ChoicePart name="transferId" label="Transfer to settle" choices={view.settleable} />
          {" settles now."}
        </>
      )}
    </ActForm>
  );
}
