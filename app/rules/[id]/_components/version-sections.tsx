"use client";

import { KeyRound, Plug, User } from "lucide-react";
import { SECTION_HEAD, Section } from "@/components/layout/section";
import { formatShortDay } from "@/components/time/format-instant";
import { Moment } from "@/components/time/moment";
import { Ledger } from "@/components/ui/ledger";
import { Link } from "@/components/ui/link";
import { Quote } from "@/components/ui/quote";
import { KEY_NAME, LINK, SECTION_TITLE, SUBLINE } from "@/components/ui/text-styles";
import type { TimeContext } from "@/lib/contract/time-context";
import type { RuleVersionView } from "@/lib/views/rules/list-versions";
import type { RuleView } from "@/lib/views/rules/read-rule-page";
import { diffRules } from "@/lib/words/rules/rule-diff";

const VERSION_STATE_WORDS = {
  ACTIVE: "Active",
  PROPOSED: "Not active",
  PAST: "Was active",
  DISCARDED: "Discarded",
} as const satisfies Record<RuleVersionView["state"], string>;

/** The differences between the shown version and the active one. */
export function WhatChanges({ view }: { view: RuleView }) {
  const { comparedWith, definition, names, shown } = view;
  if (!comparedWith) return null;
  const changes = diffRules(comparedWith.definition, definition, names);
  return (
    <section aria-labelledby="changes">
      <div className={SECTION_HEAD}>
        <h2 className={SECTION_TITLE} id="changes">
          Changes
        </h2>
        <p>
          {comparedWith.version} to {shown.number}
        </p>
      </div>
      {changes.length === 0 ? (
        <p className="py-2.75 px-0 text-ink-2">None: both versions are the same.</p>
      ) : null}
      <ul className="text-base/5.5 [&_li]:grid [&_li]:grid-cols-[84px_minmax(0,1fr)] [&_li]:gap-4 [&_li]:py-2.75 [&_li]:px-0 [&_li]:border-b [&_li]:border-rule [&_li]:wrap-anywhere [&_li:last-child]:border-b-0 [&_del]:text-ink-3 [&_del]:[text-decoration-thickness:1px] [&_ins]:rounded-[1px] [&_ins]:bg-water-3 [&_ins]:font-medium [&_ins]:no-underline [&_ins]:[box-shadow:0_0_0_3px_var(--color-water-3)] [&_ins]:[box-decoration-break:clone] max-sm:[&_li]:grid-cols-[72px_minmax(0,1fr)]">
        {changes.map(({ part, before, after }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two parts may share a name; their order is fixed.
          <li key={index}>
            <span className="text-ink-3">{part}</span>
            <span>
              {before === null ? null : <del>{before}</del>} {after === null ? null : <ins>{after}</ins>}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

const MADE_BY = {
  API_KEY: { icon: <KeyRound />, where: "through the API" },
  ASSISTANT: { icon: <Plug />, where: "as an assistant" },
  MEMBER: { icon: <User />, where: "in the dashboard" },
};

/** Who created the shown version, and their reason. */
export function ProposedBy({ shown, time }: { shown: RuleVersionView; time: TimeContext }) {
  const { kind, name } = shown.createdBy;
  return (
    <section aria-labelledby="proposed-by">
      <h2 className="text-base font-semibold" id="proposed-by">
        {shown.state === "PROPOSED" ? "Proposed by" : "Created by"}
      </h2>
      <p className="grid grid-cols-[40px_1fr] items-center gap-3">
        <span className="grid place-items-center size-10 border border-rule-strong rounded-md text-ink-2">
          {MADE_BY[kind].icon}
        </span>
        <span>
          <span
            className={
              kind === "API_KEY"
                ? "font-mono text-[15px] font-medium tracking-[-0.015em] wrap-anywhere"
                : "text-[15px] wrap-anywhere"
            }
          >
            {name}
          </span>
          <span className={SUBLINE}>
            <Moment at={shown.createdAt} time={time} />, {MADE_BY[kind].where}
          </span>
        </span>
      </p>
      {shown.reason ? (
        <div className="mt-4">
          <Quote words={shown.reason} size="small" />
        </div>
      ) : null}
    </section>
  );
}

/** Every version, with author and status. */
export function Versions({ view }: { view: Pick<RuleView, "versions" | "time"> & { shownVersion: number } }) {
  return (
    <Section id="versions" title="Versions">
      <Ledger>
        <caption className="sr-only">Versions of this rule, newest first</caption>
        <tbody>
          {view.versions.map((version) => (
            <tr key={version.number}>
              <th scope="row">
                {version.number === view.shownVersion ? (
                  <span aria-current="page">Version {version.number}</span>
                ) : (
                  <Link className={LINK} href={version.href}>
                    Version {version.number}
                  </Link>
                )}
                <span className={SUBLINE}>
                  <span className={version.createdBy.kind === "API_KEY" ? KEY_NAME : undefined}>
                    {version.createdBy.name}
                  </span>
                  {version.createdBy.kind === "ASSISTANT" ? " (assistant)" : null},{" "}
                  <Moment at={version.createdAt} time={view.time} format={formatShortDay} />
                </span>
              </th>
              <td className="number">
                <span className={version.state === "ACTIVE" ? "font-semibold text-ink" : "text-ink-3"}>
                  {VERSION_STATE_WORDS[version.state]}
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </Ledger>
    </Section>
  );
}
