import { Check, Flag } from "lucide-react";
import { BacktestTable, ChangesTested } from "@/app/settings/approvals/_components/backtest-table";
import { PolicyChecks } from "@/app/settings/approvals/_components/policy-checks";
import { SignPanel } from "@/app/settings/approvals/publish/_components/sign-panel";
import { COLUMNS } from "@/components/layout/columns";
import { Crumb } from "@/components/layout/crumb";
import { PageActions, PageHeadRow } from "@/components/layout/page-head";
import { Section } from "@/components/layout/section";
import { SideColumn } from "@/components/layout/side-column";
import { Amount } from "@/components/money/amount";
import { Phrases } from "@/components/parts/sentences/phrases";
import { formatAfterWord, formatMoment, formatShortDay } from "@/components/time/format-instant";
import { buttonClass } from "@/components/ui/button";
import { CheckItem, Checklist } from "@/components/ui/checklist";
import { FactLine } from "@/components/ui/fact-line";
import { GateClosedIcon, GateOpenIcon } from "@/components/ui/icons";
import { Link } from "@/components/ui/link";
import { Status } from "@/components/ui/status";
import { PAGE_TITLE, WHOLE_SENTENCE } from "@/components/ui/text-styles";
import { Timeline, type TimelineItem } from "@/components/ui/timeline";
import { POLICY_EDIT_HREF, POLICY_HREF } from "@/lib/contract/hrefs";
import type { PolicyPublicationView } from "@/lib/views/policies/read-policy-page";
import { CUT_SHORT } from "@/lib/words/policies/backtest-words";
import { joinWords } from "@/lib/words/rules/phrases";

/** A version before its publication: what changes, what it would have asked, and the signatures. */
export function PublishPage({ view }: { view: PolicyPublicationView }) {
  const { version, summary, diff, checked, viewer, time } = view;
  return (
    <>
      <Crumb
        ways={[
          { href: "/settings", label: "Settings" },
          { href: POLICY_HREF, label: "Who must approve" },
        ]}
        here={`Version ${version}`}
      />
      <PageHeadRow className="mb-5">
        <div>
          <h1 className={PAGE_TITLE}>Publish version {version}?</h1>
          <FactLine className="mt-2.5">
            <NeedsStatus view={view} />
            <span>
              {view.draftedBy === null ? "Drafted" : `Drafted by ${view.draftedBy}`}, saved{" "}
              {formatAfterWord(view.savedAt, time)}
            </span>
          </FactLine>
        </div>
        {viewer.mayEdit ? (
          <PageActions>
            <Link className={buttonClass({ kind: "quiet" })} href={POLICY_EDIT_HREF}>
              Back to the draft
            </Link>
          </PageActions>
        ) : null}
      </PageHeadRow>
      <p className={`wrap-anywhere ${WHOLE_SENTENCE}`}>
        {summary.sentence ? (
          <>
            <Phrases phrases={summary.sentence.says} />{" "}
            {summary.sentence.notes.length > 0 ? `${summary.sentence.notes.join(" ")} ` : null}
          </>
        ) : null}
        {summary.after}
      </p>
      <div className={`${COLUMNS} mt-12`}>
        <div>
          <WhatChanges diff={diff} />
          <Section
            id="backtest"
            title="In the last 90 days"
            fact={`${formatShortDay(checked.tested.fromAt, time)} to ${formatShortDay(time.nowAt, time)}`}
          >
            <BacktestTable
              rows={checked.tested.rows}
              count={checked.tested.proposalCount}
              noun="Proposals"
              version={version}
              inForceVersion={view.inForceVersion}
            />
            <p className="mt-3.5 text-ink-2">
              <Phrases phrases={checked.tested.says} />
              {checked.tested.isCut ? ` ${CUT_SHORT}` : null}
            </p>
            <ChangesTested
              changes={checked.tested.changes}
              version={version}
              inForceVersion={view.inForceVersion}
            />
          </Section>
          <WaitingNow view={view} />
          {checked.lines.some(({ tone }) => tone !== "OK") ? (
            <Section id="holds" title="What must hold">
              <PolicyChecks lines={checked.lines} />
            </Section>
          ) : null}
        </div>
        <SideColumn gap="wide">
          <SignPanel view={view} />
          <section>
            <h2 className="text-base font-semibold">Then</h2>
            <Timeline items={thenItems(view)} />
          </section>
        </SideColumn>
      </div>
    </>
  );
}

function NeedsStatus({ view: { signing } }: { view: PolicyPublicationView }) {
  const left = signing.needed - signing.given;
  return (
    <Status tone="amber" icon={<GateClosedIcon />}>
      {left === 1 ? `Needs 1 ${signing.given > 0 ? "more " : ""}signature` : `Needs ${left} signatures`}
    </Status>
  );
}

const DIFF =
  "text-base/5.5 [&_li]:grid [&_li]:grid-cols-[96px_minmax(0,1fr)] [&_li]:gap-4 [&_li]:py-2.75 [&_li]:border-b [&_li]:border-rule [&_li]:wrap-anywhere [&_li:last-child]:border-b-0 [&_del]:text-ink-3 [&_del]:[text-decoration-thickness:1px] [&_ins]:rounded-[1px] [&_ins]:bg-water-3 [&_ins]:font-medium [&_ins]:no-underline [&_ins]:[box-shadow:0_0_0_3px_var(--color-water-3)] [&_ins]:[box-decoration-break:clone] max-sm:[&_li]:grid-cols-[76px_minmax(0,1fr)]";

function WhatChanges({ diff }: { diff: PolicyPublicationView["diff"] }) {
  const { changes, unchanged, sentenceCount } = diff;
  return (
    <Section
      id="changes"
      title="What changes"
      className="mt-0"
      fact={`${changes.length} of ${sentenceCount} ${sentenceCount === 1 ? "sentence" : "sentences"}`}
    >
      <ul className={DIFF}>
        {changes.map(({ part, pieces }) => (
          <li key={part}>
            <span className="text-ink-3">{part}</span>
            <span>
              {pieces.map(({ kind, text }, at) => {
                // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text never reorder.
                if (kind === "SAME") return <span key={at}>{text}</span>;
                const words = text.trim();
                const Element = kind === "ADDED" ? "ins" : "del";
                return (
                  // biome-ignore lint/suspicious/noArrayIndexKey: as above.
                  <span key={at}>
                    <Element>{words}</Element>{" "}
                  </span>
                );
              })}
            </span>
          </li>
        ))}
        {unchanged.length > 0 ? (
          <li>
            <span className="text-ink-3">Unchanged</span>
            <span className="text-ink-2">{joinWords(unchanged)}</span>
          </li>
        ) : null}
      </ul>
    </Section>
  );
}

/** Names of what gets stricter, before they are only counted. */
const NAMED = 5;

function WaitingNow({ view: { checked, version } }: { view: PolicyPublicationView }) {
  const { waitingCount, stricter, stricterCount } = checked;
  const rest = waitingCount - stricterCount;
  return (
    <Section
      id="waiting"
      title="What waits now"
      fact={waitingCount === 1 ? "1 proposal" : `${waitingCount} proposals`}
    >
      <Checklist>
        {stricterCount > 0 ? (
          <CheckItem
            icon={<Flag className="text-ink-2" aria-hidden="true" />}
            title={`${stricterCount} of ${waitingCount} ${stricterCount === 1 ? "gets" : "get"} stricter`}
          >
            <p>
              {stricter.slice(0, NAMED).map(({ id, words, amountInCents }, at) => (
                <span key={id}>
                  {at === 0 ? "" : "; "}
                  {words}
                  {amountInCents === null ? null : (
                    <>
                      , <Amount cents={amountInCents} />
                    </>
                  )}
                </span>
              ))}
              {stricterCount > NAMED ? `; and ${stricterCount - NAMED} more` : ""}. The stricter version
              holds.
            </p>
          </CheckItem>
        ) : null}
        <CheckItem
          icon={<Check className="text-teal" aria-hidden="true" />}
          title="Nothing gets easier"
          {...(rest > 0 && { result: `${rest} unchanged` })}
        >
          <p>
            {waitingCount === 0
              ? `Nothing waits. Version ${version} decides about what is proposed from then on.`
              : "What waits keeps what it needs today."}
          </p>
        </CheckItem>
      </Checklist>
    </Section>
  );
}

function thenItems(view: PolicyPublicationView): TimelineItem[] {
  const { signing, version, inForceVersion, draftedBy, savedAt, time } = view;
  const open = signing.people
    .filter(({ state }) => state === "MISSING" || state === "OPEN")
    .map(({ name }) => name);
  const signed: TimelineItem[] = signing.people.flatMap(({ id, name, isViewer, signedAt }) =>
    signedAt === null
      ? []
      : [
          {
            key: id,
            icon: <Check />,
            title: `Signed by ${isViewer ? "you" : name}`,
            detail: formatMoment(signedAt, time),
            state: "done",
            tone: "good",
          },
        ],
  );
  return [
    {
      key: "draft",
      icon: <Check />,
      title: draftedBy === null ? "Drafted" : `Drafted by ${draftedBy}`,
      detail: formatMoment(savedAt, time),
      state: "done",
    },
    ...signed,
    {
      key: "waiting",
      icon: <GateClosedIcon />,
      title: open.length === 0 ? "Waiting" : `Waiting for ${joinWords(open, "or")}`,
      detail: inForceVersion === 0 ? "The default holds" : `Version ${inForceVersion} holds`,
      state: "waiting",
    },
    {
      key: "then",
      icon: <GateOpenIcon />,
      title: `Version ${version} holds`,
      detail: signing.needed === 1 ? "At the signature" : "At the last signature",
      state: "ahead",
    },
  ];
}
