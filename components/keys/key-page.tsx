import { Activity } from "@/components/keys/activity";
import { canList } from "@/components/keys/can-list";
import { Cans } from "@/components/keys/cans";
import type { CapActions } from "@/components/keys/change-cap";
import { KeyCrumb } from "@/components/keys/crumb";
import { DailyCap } from "@/components/keys/daily-cap";
import { FirstRequest } from "@/components/keys/first-request";
import { KeyAlerts } from "@/components/keys/key-alerts";
import { KeyProposals } from "@/components/keys/key-proposals";
import { KeyState } from "@/components/keys/key-state";
import { MostTable } from "@/components/keys/most-table";
import { type ReplaceActions, ReplaceKey } from "@/components/keys/replace-key";
import { type RevokeActions, RevokeKey } from "@/components/keys/revoke-key";
import { Said } from "@/components/keys/said";
import { DRY_RUNS_HINT, triesUnreadable } from "@/components/keys/worth-knowing";
import { formatDay } from "@/components/time/format-instant";
import { Moment } from "@/components/time/moment";
import { Link } from "@/components/ui/link";
import type { KeyView } from "@/lib/contract/views/keys-view";
import { keySentence } from "@/lib/engine/words/key-sentence";

interface KeyPageProps {
  view: KeyView;
  actions: RevokeActions & ReplaceActions & CapActions;
}

/** One key: what it may do and could move, what it asked and did, and the ways to end it. */
export function KeyPage({ view, actions }: KeyPageProps) {
  const { key, accounts, rules, most, viewer } = view;
  return (
    <div className="keyp">
      <KeyCrumb here={key.name} />
      <KeyHead view={view} actions={actions} />
      <p className="sentence display">
        It{" "}
        <Said
          phrases={keySentence({
            permissions: key.permissions,
            accounts,
            rules,
            dailyCapInCents: key.dailyCapInCents,
            canDecide: viewer.canDecide,
          })}
        />
      </p>
      <div className="cols">
        <div>
          {most && key.state.kind !== "REVOKED" ? (
            <MostTable most={most} permissions={key.permissions} dailyCapInCents={key.dailyCapInCents} />
          ) : null}
          <KeyAlerts alerts={view.alerts} time={view.time} />
          <KeyProposals view={view} />
          <Activity activity={view.activity} time={view.time} />
        </div>
        <KeySide view={view} actions={actions} />
      </div>
    </div>
  );
}

function KeyHead({ view, actions }: KeyPageProps) {
  const { key, viewer, time, waitingCount } = view;
  return (
    <div className="page-h">
      <div>
        <h1 className="h1">{key.name}</h1>
        <p className="ask-s">
          <KeyState state={key.state} time={time} />
          <span>
            Made by {key.madeByName} on <Moment at={key.madeAt} time={time} format={formatDay} />
          </span>
          <span className="mono">{key.prefix}…</span>
        </p>
      </div>
      {viewer.canDecide && key.state.kind !== "REVOKED" ? (
        <div className="page-a">
          {key.state.kind === "ACTIVE" ? (
            <ReplaceKey keyId={key.id} name={key.name} waitingCount={waitingCount} actions={actions} />
          ) : null}
          <RevokeKey keyId={key.id} name={key.name} actions={actions} />
        </div>
      ) : null}
    </div>
  );
}

function KeySide({ view, actions }: KeyPageProps) {
  const { key, accounts } = view;
  return (
    <aside className="side">
      <div className="side-in">
        <section aria-labelledby="can">
          <div className="sec-h">
            <h2 className="h2" id="can">
              What it can do
            </h2>
          </div>
          <Cans items={canList(key.permissions, accounts, view.rules)} />
          {triesUnreadable(key.permissions) ? (
            <p className="meta">It does not read every balance that its dry runs rest on. {DRY_RUNS_HINT}</p>
          ) : null}
        </section>
        <DailyCap view={view} actions={actions} />
        <LastUsed view={view} />
        <Replacing view={view} />
      </div>
    </aside>
  );
}

function LastUsed({ view }: { view: KeyView }) {
  const { key, activity, time } = view;
  const [last] = activity.lastRequests;
  return (
    <section aria-labelledby="last-used">
      <h2 className="h3" id="last-used">
        Last used
      </h2>
      {key.lastUsedAt === null && key.state.kind !== "REVOKED" ? <FirstRequest keyId={key.id} /> : null}
      <dl className="dl">
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
      </dl>
    </section>
  );
}

function Replacing({ view }: { view: KeyView }) {
  const { replacedBy, replaces, key } = view;
  if (!replacedBy && !replaces && key.state.kind !== "ACTIVE") return null;
  return (
    <section aria-labelledby="replacing">
      <h2 className="h3" id="replacing">
        Replacing
      </h2>
      {replacedBy ? (
        <p className="ink2">
          Replaced by{" "}
          <Link className="link mono" href={replacedBy.href}>
            {replacedBy.prefix}…
          </Link>
        </p>
      ) : null}
      {replaces ? (
        <p className="ink2">
          Took the place of{" "}
          <Link className="link mono" href={replaces.href}>
            {replaces.prefix}…
          </Link>
        </p>
      ) : null}
      {key.state.kind === "ACTIVE" ? (
        <p className="ink2">
          Makes a new secret with the same powers. The old one can work for up to 24 more hours, so you can
          swap it without a gap.
        </p>
      ) : null}
    </section>
  );
}
