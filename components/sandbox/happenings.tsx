import { type Act, ActForm } from "@/components/sandbox/act-form";
import { CardCredit, CardPurchase } from "@/components/sandbox/card-happenings";
import { OutsideHappenings } from "@/components/sandbox/outside-happenings";
import type { SandboxActs } from "@/components/sandbox/sandbox-acts";
import { AmountPart, ChoicePart, NamePart } from "@/components/sandbox/sentence-parts";
import { formatWeekdayMoment } from "@/components/time/format-instant";
import { Section } from "@/components/ui/section";
import { ACH_RETURNS } from "@/lib/contract/ach-return";
import type { SandboxChoice, SandboxView } from "@/lib/contract/views/sandbox-view";

/** Sentences that make something happen: at the bank, with cards, at institutions outside. */
export function Happenings({ view, acts }: { view: SandboxView; acts: SandboxActs }) {
  return (
    <Section id="happen" title="Make something happen">
      <ul className="does">
        <ActForm title="Deposit" label="Deposit" busyLabel="Depositing" act={acts.deposit}>
          <AmountPart name="amount" label="Amount of the deposit" value="$7,100.00" />
          {" arrives "}
          <ChoicePart
            name="origin"
            label="How it arrives"
            choices={[
              { id: "DIRECT_DEPOSIT", label: "by ACH" },
              { id: "CHECK_DEPOSIT", label: "as a check" },
            ]}
          />
          {" in "}
          <ChoicePart name="accountId" label="Account" choices={view.receivers} />
          {" from "}
          <NamePart name="payerName" label="Who pays" suggestions={view.payerNames} />
        </ActForm>
        <CardPurchase view={view} act={acts.purchase} />
        <CardCredit view={view} act={acts.payToCard} />
        <SendBack
          title="ACH return"
          label="Send back"
          nothing="Nothing that crossed the border has settled yet."
          words=" comes back with "
          choices={view.returnable}
          act={acts.sendBack}
        />
        <SendBack
          title="ACH refusal"
          label="Refuse"
          nothing="Nothing is with the bank at the moment."
          words=" is refused with "
          choices={view.refusable}
          act={acts.sendBack}
        />
        <OutsideHappenings view={view} acts={acts} />
        <ActForm title="Outage" label="Go silent" busyLabel="Going silent" act={acts.silence}>
          {"The bank does not answer for "}
          <ChoicePart
            name="minutes"
            label="How long"
            choices={[
              { id: "10", label: "10 minutes" },
              { id: "60", label: "1 hour" },
              { id: "1440", label: "1 day" },
            ]}
          />
          {view.silentUntil ? ` It is silent until ${formatWeekdayMoment(view.silentUntil, view.time)}.` : ""}
        </ActForm>
      </ul>
    </Section>
  );
}

function SendBack({
  title,
  label,
  nothing,
  words,
  choices,
  act,
}: {
  title: string;
  label: string;
  nothing: string;
  words: string;
  choices: SandboxChoice[];
  act: Act;
}) {
  const codes = Object.entries(ACH_RETURNS).map(([id, meaning]) => ({ id, label: `${id}, ${meaning}` }));
  const isOff = choices.length === 0;
  return (
    <ActForm title={title} label={label} busyLabel="Sending" act={act} isOff={isOff}>
      {isOff ? (
        nothing
      ) : (
        <>
          <ChoicePart name="transferId" label="Transfer" choices={choices} />
          {words}
          <ChoicePart name="code" label="Return code" choices={codes} />
        </>
      )}
    </ActForm>
  );
}
