import { Check, TriangleAlert, X } from "lucide-react";
import type { ReactNode } from "react";
import { OutcomeStatus, requestWords, shortPath } from "@/components/audit/audit-table";

import { CopyButton } from "@/components/docs/copy-button";
import { formatToSecond, formatUtcStamp } from "@/components/time/format-instant";
import { Moment } from "@/components/time/moment";
import { buttonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { Note } from "@/components/ui/note";
import { Quote } from "@/components/ui/quote";
import { ERROR_STATUS, type ErrorCode } from "@/lib/contract/error";
import { ERROR_HELP } from "@/lib/contract/error-help";
import type { AuditOpenedView, AuditSealView } from "@/lib/contract/views/audit-view";
import type { TimeContext } from "@/lib/contract/views/time-context";

const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(ERROR_STATUS, code);

/** One request: what is recorded, its seal, and what the same caller did around it. */
export function OpenedEntry({ opened, time }: { opened: AuditOpenedView; time: TimeContext }) {
  const { entry, seal, near } = opened;
  const code = entry.errorCode !== null && isErrorCode(entry.errorCode) ? entry.errorCode : null;
  return (
    <aside className="drawer" aria-label="One request" id="entry">
      <div className="dr-h">
        <span className="meta">
          <Moment at={entry.at} time={time} format={formatToSecond} />
        </span>
        <Link
          className={buttonClass({ kind: "quiet", size: "small" })}
          href={opened.closeHref}
          scroll={false}
          aria-label="Close this request"
        >
          <X className="ic" aria-hidden="true" />
        </Link>
      </div>
      <h2 className="h2">{requestWords(entry)}</h2>
      <p className="aud-o">
        <OutcomeStatus entry={entry} />
      </p>
      {code ? (
        <Note tone="red">
          <b>{ERROR_HELP[code].meaning}</b>{" "}
          {entry.errorDetail === null ? null : <span className="aud-r">{entry.errorDetail} </span>}
          Nothing moved because of it.
        </Note>
      ) : null}
      <Part title="Reason">
        {entry.reason === null ? <p className="meta">No reason given</p> : <Quote words={entry.reason} />}
      </Part>
      <Part title="Request">
        <dl className="dl">
          <dt>Key</dt>
          <dd className="key">{entry.callerName}</dd>
          <dt>Path</dt>
          <dd className="mono">
            {entry.method} {shortPath(entry.path)}
          </dd>
          <dt>Request id</dt>
          <dd className="mono">{entry.requestId}</dd>
          <dt>Time</dt>
          <dd className="mono">{formatUtcStamp(entry.at)}</dd>
          {code ? (
            <>
              <dt>Answer</dt>
              <dd>{ERROR_STATUS[code]}</dd>
            </>
          ) : null}
          {entry.errorCode === null ? null : (
            <>
              <dt>Error code</dt>
              <dd className="mono">{entry.errorCode}</dd>
            </>
          )}
        </dl>
      </Part>
      <Part title="Seal">
        <Seal seal={seal} time={time} />
      </Part>
      <Part title="Same key, same minute">
        <ul className="near">
          {near.map((one) => (
            <li key={one.id} className={one.id === entry.id ? "on" : undefined}>
              <span className="mono dim">{formatToSecond(one.at, time).slice(-8)}</span>
              <Link href={one.href} scroll={false}>
                {requestWords(one)}
              </Link>
              {one.outcome === "SUCCESS" ? (
                <Check className="ic" role="img" aria-label="Succeeded" />
              ) : (
                <TriangleAlert className="ic" role="img" aria-label="Failed" />
              )}
            </li>
          ))}
        </ul>
      </Part>
      <div className="dr-a">
        {opened.callerHref ? (
          <Link className={buttonClass({ kind: "outlined", size: "small" })} href={opened.callerHref}>
            Open this key
          </Link>
        ) : null}
        <CopyButton text={JSON.stringify({ ...entry, seal }, null, 2)} label="Copy as JSON" />
      </div>
    </aside>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <div className="sec-h">
        <h3 className="h3">{title}</h3>
      </div>
      {children}
    </section>
  );
}

function Seal({ seal, time }: { seal: AuditSealView | null; time: TimeContext }) {
  if (!seal) return <p className="meta">Not sealed yet. That takes a second.</p>;
  return (
    <>
      {seal.holds ? null : (
        <Note tone="red">
          <b>This entry does not match its seal.</b> It, or an earlier entry, was altered in the database. Run{" "}
          <span className="mono">npm run audit:verify</span>.
        </Note>
      )}
      <dl className="dl">
        <dt>State</dt>
        <dd>{seal.holds ? "Sealed, checked just now" : "Broken"}</dd>
        <dt>Number</dt>
        <dd>{seal.sequence.toLocaleString("en-US")}</dd>
        <dt>Sealed</dt>
        <dd>
          <Moment at={seal.sealedAt} time={time} format={formatToSecond} />
        </dd>
        <dt>Hash</dt>
        <dd className="mono aud-x">{seal.hash}</dd>
      </dl>
    </>
  );
}
