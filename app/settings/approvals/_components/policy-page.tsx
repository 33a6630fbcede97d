import { FileText } from "lucide-react";
import { COLUMNS } from "@/components/layout/columns";
import { Crumb } from "@/components/layout/crumb";
import { PageActions, PageHeadRow } from "@/components/layout/page-head";
import { SECTION_HEAD, Section } from "@/components/layout/section";
import { SideColumn } from "@/components/layout/side-column";
import { WaitingChanges, waitingChangesTitle } from "@/components/parts/approvals/proposed-rules";
import { Phrases } from "@/components/parts/sentences/phrases";
import { formatDay } from "@/components/time/format-instant";
import { buttonClass } from "@/components/ui/button";
import { FactLine } from "@/components/ui/fact-line";
import { GateOpenIcon } from "@/components/ui/icons";
import { Initials } from "@/components/ui/initials";
import { Link } from "@/components/ui/link";
import { Status } from "@/components/ui/status";
import { LEDE, LINK, PAGE_TITLE, SECTION_TITLE, SUBLINE } from "@/components/ui/text-styles";
import { Timeline } from "@/components/ui/timeline";
import { POLICY_EDIT_HREF, POLICY_HREF, POLICY_PUBLISH_HREF } from "@/lib/contract/hrefs";
import type { PolicyPageView } from "@/lib/views/policies/read-policy-page";
import { matchesIn90Days } from "@/lib/words/policies/backtest-words";
import { joinWords } from "@/lib/words/rules/phrases";

/** Who must approve, in numbered sentences. */
export function PolicyPage({ view }: { view: PolicyPageView }) {
  const { version, facts, isPast } = view;
  return (
    <>
      <Crumb ways={[{ href: "/settings", label: "Settings" }]} here="Who must approve" />
      <PageHeadRow className="mb-5">
        <div>
          <h1 className={PAGE_TITLE}>Who must approve</h1>
          <FactLine className="mt-2.5">
            <Status tone={isPast ? "mute" : "teal"} icon={isPast ? <FileText /> : <GateOpenIcon />}>
              {version === 0 ? "Default" : `Version ${version}`}
            </Status>
            <span>{factsWords(view)}</span>
            {isPast ? (
              <Link className={LINK} href={POLICY_HREF}>
                See the one in force
              </Link>
            ) : null}
          </FactLine>
        </div>
        <Actions view={view} />
      </PageHeadRow>
      <p className={LEDE}>
        {isPast
          ? "This version is no longer in force."
          : "Each proposal gets the first sentence that fits, from the top. If the policy changes while it waits, the stricter one holds."}
      </p>
      <div className={`${COLUMNS} mt-8`}>
        <Sentences view={view} />
        <SideColumn gap="wide">
          {view.changes.count > 0 ? (
            <section>
              <h2 className="text-base font-semibold">{waitingChangesTitle(view.viewer.mayEdit)}</h2>
              <WaitingChanges changes={view.changes} time={view.time} />
            </section>
          ) : null}
          <People view={view} />
          {facts || view.versions.length > 0 ? <Versions view={view} /> : null}
          <section>
            <h2 className="text-base font-semibold">Not part of a policy</h2>
            <p className="text-ink-2">
              Denying, closing the gates and opening them always need 1 person. So does making a limit
              stricter or revoking a key. What rules run by themselves and what keys may do alone, also inside
              a mandate, is not asked again.
            </p>
          </section>
        </SideColumn>
      </div>
    </>
  );
}

function factsWords({ version, facts, time }: PolicyPageView): string {
  if (version === 0 || facts === null) return "Nothing else was published yet";
  return `Published ${formatDay(facts.publishedAt, time)}${signedWords(facts.signedBy)}`;
}

const signedWords = (names: readonly string[]) =>
  names.length === 0 ? "" : `, signed by ${joinWords(names)}`;

function Actions({ view: { draft, viewer, nextVersion, isPast } }: { view: PolicyPageView }) {
  if (isPast) return null;
  if (draft?.state === "SIGNING") {
    return (
      <PageActions>
        <Link className={buttonClass({ kind: "primary" })} href={POLICY_PUBLISH_HREF}>
          Version {draft.version} waits for signatures
        </Link>
      </PageActions>
    );
  }
  if (!viewer.mayEdit) return null;
  return (
    <PageActions>
      <Link className={buttonClass({ kind: "primary" })} href={POLICY_EDIT_HREF}>
        {draft ? `Go on with version ${draft.version}` : `Edit as version ${nextVersion}`}
      </Link>
    </PageActions>
  );
}

function Sentences({ view }: { view: PolicyPageView }) {
  const { sentences, proposalCount, isCut } = view;
  return (
    <section aria-labelledby="order">
      <div className={SECTION_HEAD}>
        <h2 className={SECTION_TITLE} id="order">
          In this order
        </h2>
        <p>{matchesIn90Days(isCut)}</p>
      </div>
      <ol>
        {sentences.map(({ name, says, notes, matchCount }, at) => (
          <li
            key={name ?? ""}
            className={`grid grid-cols-[32px_minmax(0,1fr)_96px] gap-x-5 py-6 border-b max-sm:grid-cols-[24px_minmax(0,1fr)] max-sm:gap-x-3 ${name === null ? "-mt-px border-t border-t-ink-3 border-b-3 border-double border-b-ink-3 [border-top-style:solid]" : "border-rule"}`}
          >
            <span className="font-display text-xl/7 text-ink-3">{name === null ? "" : at + 1}</span>
            <div className="min-w-0 wrap-anywhere">
              <h3 className="mb-1 text-base/5 font-semibold">{name ?? "Otherwise"}</h3>
              <p className="font-display text-[19px]/7.25 text-ink-2 text-pretty [&_b]:font-[550] [&_b]:text-ink">
                <Phrases phrases={says} />
              </p>
              {notes.length > 0 ? <p className="mt-1.5 text-sm text-ink-3">{notes.join(" ")}</p> : null}
            </div>
            <p className="text-right max-sm:col-start-2 max-sm:mt-2.5 max-sm:flex max-sm:items-baseline max-sm:gap-2">
              <span className="block font-display text-xl/7">{matchCount}</span>
              <span className="text-sm text-ink-3">of {proposalCount}</span>
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}

function People({ view }: { view: PolicyPageView }) {
  return (
    <section aria-labelledby="people">
      <div className={SECTION_HEAD}>
        <h2 className={SECTION_TITLE} id="people">
          People
        </h2>
      </div>
      <ul>
        {view.people.map(({ id, name, about, role }) => (
          <li
            key={id}
            className={`grid grid-cols-[30px_minmax(0,1fr)] items-center gap-x-3 py-3 border-b border-rule last:border-b-0 ${role === "OWNER" || role === "CO_OWNER" ? "" : "text-ink-3"}`}
          >
            <Initials name={name} />
            <span className="wrap-anywhere">
              <b className="font-medium">{name}</b>
              <span className={SUBLINE}>{about}</span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Versions({ view: { versions, version, time } }: { view: PolicyPageView }) {
  return (
    <Section id="versions" title="Versions" className="mt-9">
      <div className="mt-4">
        <Timeline
          items={versions.map((each) => ({
            key: String(each.version),
            icon: each.isInForce ? <GateOpenIcon /> : <FileText />,
            title:
              each.version === version ? (
                `Version ${each.version}`
              ) : (
                <Link className={LINK} href={each.href}>
                  Version {each.version}
                </Link>
              ),
            detail: `${formatDay(each.publishedAt, time)}${signedWords(each.signedBy).replace(", signed", ". Signed")}`,
            state: "done" as const,
          }))}
        />
      </div>
    </Section>
  );
}
