import { Flag } from "lucide-react";
import { leftWords, type NotDecided } from "@/app/approvals/_components/left-words";
import { namedSubject, placesWords } from "@/app/approvals/review/_components/end-words";
import { ReviewHead } from "@/app/approvals/review/_components/review-head";
import { ReviewedTable } from "@/app/approvals/review/_components/reviewed-table";
import { COLUMNS } from "@/components/layout/columns";
import { PANEL } from "@/components/layout/panel";
import { Section } from "@/components/layout/section";
import { SideColumn } from "@/components/layout/side-column";
import { BarFacts, StickyBar } from "@/components/layout/sticky-bar";
import { Amount } from "@/components/money/amount";
import { QuestionHeading } from "@/components/parts/approvals/question-heading";
import { buttonClass } from "@/components/ui/button";
import { CheckItem, Checklist } from "@/components/ui/checklist";
import { DefinitionList } from "@/components/ui/definition-list";
import { LINK, SUBLINE } from "@/components/ui/text-styles";
import type { OneOutcome } from "@/lib/contract/confirmation/decide-together";
import { EVERY_WAITING, queueHref, reviewHref } from "@/lib/contract/search/queue-search";
import type { ReviewEndView } from "@/lib/views/approvals/read-review";
import type { ReviewStep } from "@/lib/views/approvals/read-review-steps";

interface ReviewAfterProps {
  view: ReviewEndView;
  /** In the order in which they were decided. */
  outcomes: readonly OneOutcome[];
}

/** After the confirmation: what was decided, and what dropped out in the last moment, with its cause. */
export function ReviewAfter({ view, outcomes }: ReviewAfterProps) {
  const { end, steps, search, waitingCount } = view;
  const results = new Map(outcomes.map(({ proposalId, result }) => [proposalId, result]));
  const isDecided = ({ id }: ReviewStep) => results.get(id)?.kind === "DECIDED";
  const approved = end.fits.filter(isDecided);
  const denied = end.deny.filter(isDecided);
  const signed = end.fits.flatMap((step) => {
    const result = results.get(step.id);
    return result?.kind === "SIGNED" ? [{ ...step, waitsFor: result.waitsFor }] : [];
  });
  const left = [...end.fits, ...end.deny].flatMap((step) => {
    const result = results.get(step.id);
    return result && result.kind !== "DECIDED" && result.kind !== "SIGNED" ? [{ step, result }] : [];
  });
  const decidedCount = approved.length + denied.length;
  const remainingCount = Math.max(0, waitingCount - outcomes.filter(({ result }) => isOver(result)).length);
  return (
    <>
      <ReviewHead
        place={decidedCount === 1 ? "1 decided" : `${decidedCount} decided`}
        marks={afterMarks(approved.length, signed.length, denied.length, left.length)}
        steps={steps}
        currentId={null}
        droppedIds={new Set([...end.dropped.map(({ id }) => id), ...left.map(({ step }) => step.id)])}
      />
      <div className={`${COLUMNS} max-sm:gap-8`}>
        <div role="status">
          <AfterHeading approved={approved} signedCount={signed.length} denied={denied} />
          <NotDecidedSection left={left} />
          <ReviewedTable
            id="approved"
            title="Approved"
            steps={approved}
            state="open"
            sum={{ label: "Together", cents: sumOf(approved) }}
          />
          <ReviewedTable
            id="signed"
            title="Signed, still waits"
            steps={signed}
            state="closed"
            sum={{ label: "Moves with the last signature", cents: sumOf(signed) }}
            below={({ waitsFor }) => <span className={SUBLINE}>{waitsFor}</span>}
          />
          <ReviewedTable
            id="denied"
            title="Denied"
            steps={denied}
            state="denied"
            sum={{ label: "Stays where it is", cents: sumOf(denied) }}
          />
        </div>
        <SideColumn as="div" contentLayout="sm:top-24">
          <section className={`${PANEL} max-sm:hidden! print:hidden`} aria-labelledby="after">
            <h2 className="mb-1.5 text-[17px] font-semibold" id="after">
              Done
            </h2>
            <DefinitionList columns="values" gap="close" className="mt-3 mb-4 border-y border-rule py-3">
              <dt>Approved {approved.length}</dt>
              <dd>
                <Amount cents={sumOf(approved)} />
              </dd>
              {signed.length > 0 ? (
                <>
                  <dt>Signed {signed.length}</dt>
                  <dd>
                    <Amount cents={sumOf(signed)} />
                  </dd>
                </>
              ) : null}
              <dt>Denied {denied.length}</dt>
              <dd>
                <Amount cents={sumOf(denied)} />
              </dd>
            </DefinitionList>
            <WaysOn search={search} remainingCount={remainingCount} isLarge />
          </section>
        </SideColumn>
      </div>
      <StickyBar label="Go on" single>
        <BarFacts>
          <span>{remainingWords(remainingCount)}</span>
        </BarFacts>
        <WaysOn search={search} remainingCount={0} isLarge={false} />
      </StickyBar>
    </>
  );
}

function isOver({ kind }: OneOutcome["result"]): boolean {
  return kind === "DECIDED" || kind === "SIGNED" || kind === "ALREADY_DECIDED" || kind === "EXPIRED";
}

function sumOf(steps: readonly ReviewStep[]): number {
  return steps.reduce((sum, { subject }) => sum + (subject.amountInCents ?? 0), 0);
}

function afterMarks(
  approvedCount: number,
  signedCount: number,
  deniedCount: number,
  leftCount: number,
): string {
  const parts = [`${approvedCount} approved`, `${deniedCount} denied`];
  if (signedCount > 0) parts.push(`${signedCount} signed`);
  if (leftCount > 0) parts.push(`${leftCount} dropped out`);
  return parts.join(", ");
}

function AfterHeading({
  approved,
  signedCount,
  denied,
}: {
  approved: readonly ReviewStep[];
  signedCount: number;
  denied: readonly ReviewStep[];
}) {
  if (approved.length === 0) {
    const signed = signedCount === 0 ? null : `signed ${signedCount}`;
    const did = [signed, denied.length === 0 ? null : `denied ${denied.length}`].filter(
      (part) => part !== null,
    );
    const before =
      did.length === 0
        ? "Nothing was decided"
        : `You ${did.join(" and ")}. Nothing moves${signedCount === 0 ? "" : " yet"}.`;
    return <QuestionHeading before={before} amountInCents={null} after="" />;
  }
  const also = denied.length === 0 ? "" : ` and denied ${denied.length}`;
  const from = placesWords([...new Set(approved.map(({ subject }) => subject.sourceName))]);
  return (
    <QuestionHeading
      before={`You approved ${approved.length}${also}:`}
      amountInCents={sumOf(approved)}
      after={`from ${from}.`}
    />
  );
}

function NotDecidedSection({ left }: { left: readonly { step: ReviewStep; result: NotDecided }[] }) {
  if (left.length === 0) return null;
  return (
    <Section
      id="left"
      title="Dropped out"
      fact={`${left.length === 1 ? "1 proposal" : `${left.length} proposals`} in the last moment`}
    >
      <Checklist>
        {left.map(({ step, result }) => (
          <CheckItem
            key={step.id}
            icon={<Flag className="text-ink-2" aria-hidden="true" />}
            title={`${namedSubject(step.subject)}: ${isOver(result) ? "ended before" : "not decided"}`}
            result={isOver(result) ? "Ended" : "Still waits"}
          >
            <p>
              {leftWords(result)}{" "}
              <a className={LINK} href={`/?approvalTransferId=${step.id}`}>
                View it
              </a>
            </p>
          </CheckItem>
        ))}
      </Checklist>
    </Section>
  );
}

interface WaysOnProps {
  search: ReviewEndView["search"];
  remainingCount: number;
  isLarge: boolean;
}

function WaysOn({ search, remainingCount, isLarge }: WaysOnProps) {
  const size = isLarge ? "large" : undefined;
  return (
    <>
      <a className={buttonClass({ kind: "primary", size, wide: true })} href={queueHref(EVERY_WAITING)}>
        Back to approvals
      </a>
      {remainingCount > 0 ? (
        <>
          <a
            className={`${buttonClass({ kind: "outlined", size, wide: true })} mt-2.5`}
            href={reviewHref(search)}
          >
            Review what is left
          </a>
          <p className="mt-3 text-[13px] text-ink-3">{remainingWords(remainingCount)}</p>
        </>
      ) : null}
    </>
  );
}

function remainingWords(count: number): string {
  if (count === 0) return "Nothing else waits.";
  return count === 1 ? "1 more still waits." : `${count} more still wait.`;
}
