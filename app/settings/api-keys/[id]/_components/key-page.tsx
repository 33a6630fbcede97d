import { KeyPhrases } from "@/app/settings/_components/key-phrases";
import { RevokeKey } from "@/app/settings/_components/revoke-key";
import { FirstRequest } from "@/app/settings/api-keys/_components/first-request";
import { KeyState } from "@/app/settings/api-keys/_components/key-state";
import { canList, PowerItems } from "@/app/settings/api-keys/_components/power-items";
import { DRY_RUNS_HINT, triesUnreadable } from "@/app/settings/api-keys/_components/worth-knowing";
import { Activity, KeyProposals } from "@/app/settings/api-keys/[id]/_components/activity";
import { ChangeCap } from "@/app/settings/api-keys/[id]/_components/change-cap";
import { KeyMandates } from "@/app/settings/api-keys/[id]/_components/key-mandates";
import { MostTable } from "@/app/settings/api-keys/[id]/_components/most-table";
import { ReplaceKey } from "@/app/settings/api-keys/[id]/_components/replace-key";
import { COLUMNS } from "@/components/layout/columns";
import { Crumb } from "@/components/layout/crumb";
import { PageActions, PageHeadRow } from "@/components/layout/page-head";
import { SECTION_HEAD, Section } from "@/components/layout/section";
import { SideColumn } from "@/components/layout/side-column";
import { LookAlikeNote } from "@/components/parts/accounts/look-alike-note";
import { WaitingChangeNotes } from "@/components/parts/approvals/waiting-change-notes";
import { formatDay } from "@/components/time/format-instant";
import { Moment } from "@/components/time/moment";
import { DefinitionList } from "@/components/ui/definition-list";
import { FactLine } from "@/components/ui/fact-line";
import { Gauge } from "@/components/ui/gauge";
import { Link } from "@/components/ui/link";
import { LINK, MONO, SECTION_TITLE, WHOLE_SENTENCE } from "@/components/ui/text-styles";
import { formatCents } from "@/lib/contract/format-cents";
import type { TimeContext } from "@/lib/contract/time-context";
import type { KeyAlertView, KeyView } from "@/lib/views/keys/get-key";
import { keyAlertWords } from "@/lib/words/keys/key-alert-words";
import { keySentence } from "@/lib/words/keys/key-sentence";

interface KeyPageProps {
  view: KeyView;
}

/** One key: what it may do and could move, its proposals and requests, and how to end it. */
export function KeyPage({ view }: KeyPageProps) {
  const { key, accounts, rules, most, viewer } = view;
  return (
    <div>
      <Crumb ways={[{ href: "/settings/api-keys", label: "API keys" }]} here={key.name} />
      <KeyHead view={view} />
      <p className={WHOLE_SENTENCE}>
        It{" "}
        <KeyPhrases
          phrases={keySentence({
            permissions: key.permissions,
            accounts,
            rules,
            dailyCapInCents: key.dailyCapInCents,
            mandates: key.state.kind === "REVOKED" ? null : view.mandates.sentence,
            canDecide: viewer.canDecide,
          })}
        />
      </p>
      <div className={`${COLUMNS} mt-12`}>
        <div className="[&>section:first-child]:mt-0">
          <KeyMandates view={view} />
          {most && key.state.kind !== "REVOKED" ? (
            <MostTable most={most} permissions={key.permissions} dailyCapInCents={key.dailyCapInCents} />
          ) : null}
          <KeyAlerts alerts={view.alerts} time={view.time} />
          <KeyProposals view={proposalsOf(view)} />
          <Activity activity={view.activity} time={view.time} />
        </div>
        <KeySide view={view} />
      </div>
    </div>
  );
}

function KeyHead({ view }: KeyPageProps) {
  const { key, viewer, time, waitingCount } = view;
  return (
    <PageHeadRow className="mb-6">
      <div>
        <h1 className="font-mono text-[27px]/9.5 font-normal tracking-[-0.03em] text-balance wrap-anywhere max-sm:leading-8.25">
          {key.name}
        </h1>
        <FactLine className="mt-2">
          <KeyState state={key.state} time={time} />
          <span>
            Created by {key.createdByName} on <Moment at={key.createdAt} time={time} format={formatDay} />
          </span>
          <span className={MONO}>{key.prefix}…</span>
        </FactLine>
        {view.lookAlike === null ? null : (
          <div className="mt-4">
            <LookAlikeNote names={[view.lookAlike]} />
          </div>
        )}
      </div>
      {viewer.canDecide && key.state.kind !== "REVOKED" ? (
        <PageActions>
          {key.state.kind === "ACTIVE" ? (
            <ReplaceKey
              keyId={key.id}
              name={key.name}
              waitingCount={waitingCount}
              waiting={view.waitingChanges.secret}
              mandateCount={view.mandates.inForce.length}
            />
          ) : null}
          <RevokeKey keyId={key.id} name={key.name} />
        </PageActions>
      ) : null}
    </PageHeadRow>
  );
}

function KeySide({ view }: KeyPageProps) {
  const { key, accounts } = view;
  return (
    <SideColumn>
      <section aria-labelledby="can">
        <div className={SECTION_HEAD}>
          <h2 className={SECTION_TITLE} id="can">
            What it can do
          </h2>
        </div>
        <PowerItems items={canList(key.permissions, accounts, view.rules, view.mandates.sentence?.count)} />
        {triesUnreadable(key.permissions) ? (
          <p className="text-sm text-ink-3">
            It cannot read every balance that its dry runs use. {DRY_RUNS_HINT}
          </p>
        ) : null}
      </section>
      <DailyCap view={view} />
      <LastUsed view={view} />
      <Replacing view={view} />
    </SideColumn>
  );
}

function LastUsed({ view }: { view: KeyView }) {
  const { key, activity, time } = view;
  const [last] = activity.lastRequests;
  return (
    <section aria-labelledby="last-used">
      <h2 className="text-base font-semibold" id="last-used">
        Last used
      </h2>
      {key.lastUsedAt === null && key.state.kind !== "REVOKED" ? <FirstRequest keyId={key.id} /> : null}
      <DefinitionList>
        <dt>When</dt>
        <dd>{key.lastUsedAt ? <Moment at={key.lastUsedAt} time={time} /> : "Never"}</dd>
        {last?.reason ? (
          <>
            <dt>For</dt>
            <dd>“{last.reason}”</dd>
          </>
        ) : null}
        <dt>This minute</dt>
        <dd>
          {view.requestsThisMinute} of {view.requestsPerMinute} requests
        </dd>
      </DefinitionList>
    </section>
  );
}

function Replacing({ view }: { view: KeyView }) {
  const { replacedBy, replaces, key } = view;
  if (!replacedBy && !replaces && key.state.kind !== "ACTIVE") return null;
  return (
    <section aria-labelledby="replacing">
      <h2 className="text-base font-semibold" id="replacing">
        Replacing
      </h2>
      {replacedBy ? (
        <p className="text-ink-2">
          Replaced by{" "}
          <Link className={`${LINK} ${MONO}`} href={replacedBy.href}>
            {replacedBy.prefix}…
          </Link>
        </p>
      ) : null}
      {replaces ? (
        <p className="text-ink-2">
          Replaces{" "}
          <Link className={`${LINK} ${MONO}`} href={replaces.href}>
            {replaces.prefix}…
          </Link>
        </p>
      ) : null}
      <WaitingChangeNotes changes={view.waitingChanges.secret} canAsk={view.viewer.canDecide} />
      {key.state.kind === "ACTIVE" && view.waitingChanges.secret.length === 0 ? (
        <p className="text-ink-2">
          Creates a new secret with the same permissions. The old one can work for up to 24 more hours, so you
          can switch without a gap.
        </p>
      ) : null}
    </section>
  );
}

function KeyAlerts({ alerts, time }: { alerts: readonly KeyAlertView[]; time: TimeContext }) {
  if (alerts.length === 0) return null;
  return (
    <Section id="unusual" title="Unusual use" fact="Owners and co-owners were notified">
      <ul className="[&_li]:grid [&_li]:grid-cols-[1fr_auto] [&_li]:gap-y-0.5 [&_li]:gap-x-4 [&_li]:py-3.25 [&_li]:px-0 [&_li]:border-b [&_li]:border-rule [&_b]:font-[550] [&_p]:col-span-full [&_p]:max-w-[68ch] [&_p]:wrap-anywhere">
        {alerts.map(({ id, at, alert }) => {
          const { title, seen, usual } = keyAlertWords(alert, "key");
          return (
            <li key={id}>
              <b>{title}</b>
              <span className="text-sm text-ink-3">
                <Moment at={at} time={time} />
              </span>
              <p className="text-ink-2">
                {seen} {usual}
              </p>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}

/** The daily cap and how much is used; nothing for a key that always needs approval. */
function DailyCap({ view }: { view: KeyView }) {
  const { key, cap, viewer } = view;
  if (cap.isOf === "NOTHING") return null;
  return (
    <section aria-labelledby="daily-cap">
      <h2 className="text-base font-semibold" id="daily-cap">
        Daily cap
      </h2>
      <CapWords view={view} />
      <div className="mb-3.5 empty:hidden">
        <WaitingChangeNotes changes={view.waitingChanges.cap} canAsk={viewer.canDecide} />
      </div>
      {viewer.canDecide && key.state.kind !== "REVOKED" ? (
        <ChangeCap keyId={key.id} name={key.name} capInCents={cap.capInCents} />
      ) : null}
    </section>
  );
}

function CapWords({ view: { cap, viewer, key } }: { view: KeyView }) {
  if (cap.capInCents === null) {
    return (
      <p className="text-ink-2">
        None.{" "}
        {key.state.kind === "REVOKED"
          ? ""
          : "A cap limits what it may move within 24 hours without approval."}
      </p>
    );
  }
  const percent = cap.capInCents === 0 ? 100 : Math.min(100, (cap.usedInCents / cap.capInCents) * 100);
  const whom = viewer.canDecide ? "you" : "an owner or co-owner";
  return (
    <>
      <p className="mx-0 mt-0 mb-2.5">
        <b>{formatCents(cap.usedInCents)}</b>{" "}
        <span className="text-ink-2">of {formatCents(cap.capInCents)} in the last 24 hours</span>
      </p>
      <Gauge percent={percent} tone="goal" />
      <p className="mx-0 mt-2.5 mb-3.5 text-ink-2">
        Includes what rules moved because of it. Beyond the cap, each transfer and run waits for {whom}.
        Approved ones do not count.
      </p>
    </>
  );
}

function proposalsOf({ key, proposals, waitingCount, viewer, time }: KeyView) {
  return { key, proposals, waitingCount, viewer, time };
}
