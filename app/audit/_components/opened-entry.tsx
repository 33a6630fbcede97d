import { Check, TriangleAlert, X } from "lucide-react";
import type { ReactNode } from "react";
import { OutcomeStatus } from "@/app/audit/_components/audit-table";
import { requestWords, shortPath } from "@/app/audit/_components/audit-words";
import { DRAWER_HEAD, Drawer } from "@/components/layout/drawer";
import { PART_HEAD } from "@/components/layout/section";
import { CopyButton } from "@/components/parts/docs/copy-button";
import { formatToSecond, formatUtcStamp } from "@/components/time/format-instant";
import { Moment } from "@/components/time/moment";
import { buttonClass } from "@/components/ui/button";
import { DefinitionList } from "@/components/ui/definition-list";
import { Link } from "@/components/ui/link";
import { Note } from "@/components/ui/note";
import { Quote } from "@/components/ui/quote";
import { KEY_NAME, MONO } from "@/components/ui/text-styles";
import { ERROR_STATUS, type ErrorCode } from "@/lib/contract/error";
import { ERROR_HELP } from "@/lib/contract/error-help";
import type { TimeContext } from "@/lib/contract/time-context";
import type { AuditOpenedView } from "@/lib/views/audit/read-audit-page";
import type { AuditSealView } from "@/lib/views/audit/read-sealed-entries";

const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(ERROR_STATUS, code);

/** One request: what is recorded, its seal, and what the same caller did around it. */
export function OpenedEntry({ opened, time }: { opened: AuditOpenedView; time: TimeContext }) {
  const { entry, seal, near, proposalReason } = opened;
  const code = entry.errorCode !== null && isErrorCode(entry.errorCode) ? entry.errorCode : null;
  return (
    <Drawer place="log" label="One request" id="entry">
      <div className={DRAWER_HEAD}>
        <span className="text-sm text-ink-3">
          <Moment at={entry.at} time={time} format={formatToSecond} />
        </span>
        <Link
          className={buttonClass({ kind: "quiet", size: "small" })}
          href={opened.closeHref}
          scroll={false}
          aria-label="Close this request"
        >
          <X aria-hidden="true" />
        </Link>
      </div>
      <h2 className="text-[20px]/6 font-semibold tracking-[-0.008em] wrap-anywhere">{requestWords(entry)}</h2>
      <p className="mt-1.5">
        <OutcomeStatus entry={entry} />
      </p>
      {code ? (
        <div className="mt-3">
          <Note tone="red">
            <b>{ERROR_HELP[code].meaning}</b>{" "}
            {entry.errorDetail === null ? null : <span className="wrap-anywhere">{entry.errorDetail} </span>}
            Nothing moved because of it.
          </Note>
        </div>
      ) : null}
      {proposalReason === null ? null : (
        <Part title="Reason for the proposal">
          <div className="mt-3">
            <Quote words={proposalReason} size="small" />
          </div>
        </Part>
      )}
      <Part title="Reason for the call">
        <div className="mt-3">
          {entry.reason === null ? (
            <p className="text-sm text-ink-3">The program gave none.</p>
          ) : (
            <Quote words={entry.reason} size="small" />
          )}
        </div>
      </Part>
      <Part title="Request">
        <DefinitionList columns="longValues" breaks="anywhere" className="mt-3">
          <dt>Key</dt>
          <dd className={KEY_NAME}>{entry.callerName}</dd>
          <dt>Path</dt>
          <dd className={MONO}>
            {entry.method} {shortPath(entry.path)}
          </dd>
          <dt>Request id</dt>
          <dd className={MONO}>{entry.requestId}</dd>
          <dt>Time</dt>
          <dd className={MONO}>{formatUtcStamp(entry.at)}</dd>
          {code ? (
            <>
              <dt>Answer</dt>
              <dd>{ERROR_STATUS[code]}</dd>
            </>
          ) : null}
          {entry.errorCode === null ? null : (
            <>
              <dt>Error code</dt>
              <dd className={MONO}>{entry.errorCode}</dd>
            </>
          )}
        </DefinitionList>
      </Part>
      <Part title="Seal">
        <Seal seal={seal} time={time} />
      </Part>
      <Part title="Same key, same minute">
        <ul className="mt-3">
          {near.map((one) => (
            <li
              key={one.id}
              className={`grid grid-cols-[72px_minmax(0,1fr)_18px] items-center gap-3 py-2 ${one.id === entry.id ? "font-semibold" : ""}`}
            >
              <span className={`${MONO} text-ink-3`}>{formatToSecond(one.at, time).slice(-8)}</span>
              <Link href={one.href} scroll={false}>
                {requestWords(one)}
              </Link>
              {one.outcome === "SUCCESS" ? (
                <Check className="size-4 text-ink-3" role="img" aria-label="Succeeded" />
              ) : (
                <TriangleAlert className="size-4 text-ink-3" role="img" aria-label="Failed" />
              )}
            </li>
          ))}
        </ul>
      </Part>
      <div className="flex flex-wrap items-center gap-2 mt-6">
        {opened.callerHref ? (
          <Link className={buttonClass({ kind: "outlined", size: "small" })} href={opened.callerHref}>
            Open this key
          </Link>
        ) : null}
        <CopyButton text={JSON.stringify({ ...entry, seal }, null, 2)} label="Copy as JSON" />
      </div>
    </Drawer>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <div className={PART_HEAD}>
        <h3 className="text-base font-semibold">{title}</h3>
      </div>
      {children}
    </section>
  );
}

function Seal({ seal, time }: { seal: AuditSealView | null; time: TimeContext }) {
  if (!seal) return <p className="text-sm text-ink-3 mt-3">Not sealed yet. That takes a second.</p>;
  return (
    <>
      {seal.holds ? null : (
        <div className="mt-3">
          <Note tone="red">
            <b>This entry does not match its seal.</b> It, or an earlier entry, was altered in the database.
            Run <span className={MONO}>npm run audit:verify</span>.
          </Note>
        </div>
      )}
      <DefinitionList columns="longValues" breaks="anywhere" className="mt-3">
        <dt>State</dt>
        <dd>{seal.holds ? "Sealed, checked just now" : "Broken"}</dd>
        <dt>Number</dt>
        <dd>{seal.sequence.toLocaleString("en-US")}</dd>
        <dt>Sealed</dt>
        <dd>
          <Moment at={seal.sealedAt} time={time} format={formatToSecond} />
        </dd>
        <dt>Hash</dt>
        <dd className="font-mono text-xs/4.5 tracking-[-0.01em]">{seal.hash}</dd>
      </DefinitionList>
    </>
  );
}
