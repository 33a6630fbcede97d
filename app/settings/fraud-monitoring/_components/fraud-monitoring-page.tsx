import { Download } from "lucide-react";
import { ProcessLines } from "@/app/settings/fraud-monitoring/_components/process-lines";
import { SignReviewForm } from "@/app/settings/fraud-monitoring/_components/sign-review-form";
import { COLUMNS } from "@/components/layout/columns";
import { Crumb } from "@/components/layout/crumb";
import { PageActions, PageHead } from "@/components/layout/page-head";
import { PANEL } from "@/components/layout/panel";
import { Section } from "@/components/layout/section";
import { SideColumn } from "@/components/layout/side-column";
import { Table } from "@/components/layout/table";
import { PrintButton } from "@/components/parts/accounts/print-button";
import { formatDay, formatDayAndClock, formatInSentence } from "@/components/time/format-instant";
import { Moment } from "@/components/time/moment";
import { buttonClass } from "@/components/ui/button";
import { DefinitionList } from "@/components/ui/definition-list";
import { Link } from "@/components/ui/link";
import { LinkList } from "@/components/ui/link-list";
import { Note } from "@/components/ui/note";
import { Quote } from "@/components/ui/quote";
import { LINK, MONO, SECTION_TITLE, SUBLINE } from "@/components/ui/text-styles";
import type { ProcessDocument } from "@/lib/contract/fraud-monitoring";
import { FRAUD_MONITORING_HREF } from "@/lib/contract/hrefs";
import type {
  FraudMonitoringView,
  FraudReviewView,
} from "@/lib/views/fraud-monitoring/read-fraud-monitoring";
import { alertWords, isOfControls } from "@/lib/words/fraud-process";

const SETTINGS = { href: "/settings", label: "Settings" };

interface FraudMonitoringPageProps {
  view: FraudMonitoringView;
}

/** The written process with the alerts of the year, and its yearly review. */
export function FraudMonitoringPage({ view }: FraudMonitoringPageProps) {
  const { document, time } = view;
  return (
    <div>
      <Crumb ways={[SETTINGS]} here="Fraud monitoring" />
      <PageHead
        title={document.title}
        lede={document.intro}
        actions={<PaperActions exportHref={view.exportHref} />}
      />
      {view.review.kind === "DUE" ? (
        <div className="mb-8">
          <Note>
            <b>The yearly review is due.</b> Nacha’s rules require it from businesses that send ACH payments.{" "}
            {view.viewer.canSign
              ? "Read the process and sign it."
              : "An owner reads the process and signs it."}
          </Note>
        </div>
      ) : null}
      <div className={COLUMNS}>
        <div className="min-w-0 [&>.section:first-child]:mt-0">
          <Process document={document} />
          <Alerts view={view} />
        </div>
        <SideColumn sticky={false}>
          <section className={PANEL} aria-labelledby="review">
            <h2 className={SECTION_TITLE} id="review">
              Yearly review
            </h2>
            <p className="mt-2 text-ink-2">
              <ReviewWords view={view} />
            </p>
            {view.viewer.canSign ? (
              // A changed process is read and signed again.
              <SignReviewForm key={view.digest} shownDigest={view.digest} />
            ) : (
              <p className="mt-2 text-sm text-ink-3">Only an owner can sign it.</p>
            )}
          </section>
          <Changes changes={view.changes} />
          <Reviews view={view} />
          <p className="mt-6 text-sm text-ink-3 print:hidden">
            As of <Moment at={time.nowAt} time={time} format={formatInSentence} />.
          </p>
        </SideColumn>
      </div>
    </div>
  );
}

/** One review exactly as it was signed. */
export function FraudReviewPage({ view }: { view: FraudReviewView }) {
  const { document, digest, note, signedAt, signedByName, time } = view;
  return (
    <div>
      <Crumb
        ways={[SETTINGS, { href: FRAUD_MONITORING_HREF, label: "Fraud monitoring" }]}
        here={formatDay(signedAt, time)}
      />
      <PageHead
        title={document.title}
        lede={`The yearly review as ${signedByName} signed it. ${document.intro}`}
        actions={<PaperActions exportHref={view.exportHref} />}
      />
      <DefinitionList columns="longValues" align="left" breaks="anywhere" className="mb-8">
        <dt>Signed by</dt>
        <dd>{signedByName}</dd>
        <dt>On</dt>
        <dd>
          <Moment at={signedAt} time={time} format={formatDayAndClock} />
        </dd>
        <dt>SHA-256</dt>
        <dd className={MONO}>{digest}</dd>
      </DefinitionList>
      {note === null ? null : (
        <div className="mb-10">
          <Quote words={note} />
        </div>
      )}
      <Process document={document} />
    </div>
  );
}

function PaperActions({ exportHref }: { exportHref: string | null }) {
  return (
    <PageActions>
      {exportHref === null ? null : (
        <a className={buttonClass({ kind: "quiet" })} href={exportHref} download>
          <Download aria-hidden="true" />
          Download
        </a>
      )}
      <PrintButton kind="outlined" />
    </PageActions>
  );
}

function Process({ document: { sections } }: { document: ProcessDocument }) {
  return sections.map(({ title, change, lines }, index) => (
    <Section
      key={title}
      id={`part-${index + 1}`}
      title={title}
      className={index === 0 ? "" : "mt-9"}
      fact={
        change === null ? null : (
          <Link className={`${LINK} print:hidden`} href={change.href}>
            {change.label}
          </Link>
        )
      }
    >
      <ProcessLines title={title} lines={lines} areControls={isOfControls(title)} />
    </Section>
  ));
}

function Alerts({ view: { alerts } }: { view: FraudMonitoringView }) {
  return (
    <Section id="alerts" title="Alerts of the year" fact="The last twelve months">
      <Table
        className="[&_tbody_:is(th,td)]:align-top"
        caption="Alerts of the last twelve months by kind"
        rows={alerts.map((group) => ({ ...alertWords(group), kind: group.kind, href: group.href }))}
        keyOf={({ kind }) => kind}
        columns={[
          {
            head: "Alert",
            header: true,
            cell: ({ title, details, href }) => (
              <>
                <Link
                  className="hover:underline max-sm:inline-flex max-sm:items-center max-sm:min-h-11"
                  href={href}
                >
                  {title}
                </Link>
                {details === "" ? null : <span className={`${SUBLINE} wrap-anywhere`}>{details}</span>}
              </>
            ),
          },
          { head: "Count", kind: "NUMBER", cell: ({ total }) => total },
        ]}
      />
    </Section>
  );
}

function ReviewWords({ view: { review, reviews, time } }: { view: FraudMonitoringView }) {
  if (review.kind === "SIGNED") return `Signed. The next one is due on ${formatDay(review.nextAt, time)}.`;
  const [last] = reviews;
  if (last) return `Last signed on ${formatDay(last.signedAt, time)}.`;
  if (review.kind === "DUE") return "None has been signed yet.";
  return "None has been signed yet. It becomes due once a business sends ACH payments.";
}

/** What reads differently than in the last review. */
function Changes({ changes }: Pick<FraudMonitoringView, "changes">) {
  if (changes === null || changes.removed.length + changes.added.length === 0) return null;
  return (
    <section aria-labelledby="changes">
      <h2 className="text-base font-semibold" id="changes">
        Changed since the last review
      </h2>
      <ul className="grid gap-3 text-sm text-ink-2 wrap-anywhere [&_del]:text-ink-3 [&_ins]:rounded-[1px] [&_ins]:bg-water-3 [&_ins]:no-underline">
        {changes.removed.map((line) => (
          <li key={line}>
            <del>{line}</del>
          </li>
        ))}
        {changes.added.map((line) => (
          <li key={line}>
            <ins>{line}</ins>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Reviews({ view: { reviews, time } }: { view: FraudMonitoringView }) {
  if (reviews.length === 0) return null;
  return (
    <section aria-labelledby="reviews">
      <h2 className="text-base font-semibold" id="reviews">
        Signed reviews
      </h2>
      <LinkList>
        {reviews.map((review) => (
          <li key={review.id}>
            <Link className={LINK} href={review.href}>
              {formatDay(review.signedAt, time)}
            </Link>
            <span className="text-sm text-ink-3 wrap-anywhere">{review.signedByName}</span>
          </li>
        ))}
      </LinkList>
    </section>
  );
}
