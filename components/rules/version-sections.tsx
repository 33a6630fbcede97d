import { KeyRound, Plug, User } from "lucide-react";
import { formatShortDay } from "@/components/time/format-instant";
import { Moment } from "@/components/time/moment";
import { Link } from "@/components/ui/link";
import { Quote } from "@/components/ui/quote";
import { Section } from "@/components/ui/section";
import type { RuleVersionView, RuleView } from "@/lib/contract/views/rule-view";
import type { TimeContext } from "@/lib/contract/views/time-context";
import { diffRules } from "@/lib/engine/rule-diff";

/** The standing of the shown version, in one sentence beside its status. */
export function standingWords(
  view: Pick<RuleView, "shown" | "activeVersion" | "latestVersion" | "pausedAt">,
): string {
  const { shown, activeVersion, latestVersion, pausedAt } = view;
  if (shown.state === "DISCARDED") return "It was discarded and can’t be activated.";
  if (shown.state === "ACTIVE") {
    if (pausedAt !== null) return "It won’t run until an owner or co-owner resumes it.";
    return latestVersion === shown.number
      ? "Runs without approval."
      : `Runs without approval. Version ${latestVersion} is newer and not active.`;
  }
  if (activeVersion === null) return "It won’t run until an owner or co-owner activates it.";
  return `Version ${activeVersion} keeps running until you activate this one.`;
}

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
      <div className="sec-h">
        <h2 className="h2" id="changes">
          Changes
        </h2>
        <p>
          {comparedWith.version} to {shown.number}
        </p>
      </div>
      {changes.length === 0 ? <p className="ink2 side-p">None: both versions are the same.</p> : null}
      <ul className="diff">
        {changes.map(({ part, before, after }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two parts may share a name; their order is fixed.
          <li key={index}>
            <span className="dim">{part}</span>
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
  API_KEY: { icon: <KeyRound className="ic" />, where: "through the API" },
  ASSISTANT: { icon: <Plug className="ic" />, where: "as an assistant" },
  MEMBER: { icon: <User className="ic" />, where: "in the dashboard" },
};

/** Who created the shown version, and their reason. */
export function ProposedBy({ shown, time }: { shown: RuleVersionView; time: TimeContext }) {
  const { kind, name } = shown.madeBy;
  return (
    <section aria-labelledby="proposed-by">
      <h2 className="h3" id="proposed-by">
        {shown.state === "PROPOSED" ? "Proposed by" : "Created by"}
      </h2>
      <p className="askr">
        <span className="askr-i">{MADE_BY[kind].icon}</span>
        <span>
          <span className={kind === "API_KEY" ? "key askr-n" : "askr-n"}>{name}</span>
          <span className="meta blk">
            <Moment at={shown.madeAt} time={time} />, {MADE_BY[kind].where}
          </span>
        </span>
      </p>
      {shown.reason ? (
        <div className="why-q">
          <Quote words={shown.reason} />
        </div>
      ) : null}
    </section>
  );
}

/** Every version, with author and status. */
export function Versions({ view }: { view: Pick<RuleView, "versions" | "time"> & { shownVersion: number } }) {
  return (
    <Section id="versions" title="Versions">
      <table className="ledger tight">
        <caption className="vh">Versions of this rule, newest first</caption>
        <tbody>
          {view.versions.map((version) => (
            <tr key={version.number}>
              <th scope="row">
                {version.number === view.shownVersion ? (
                  <span aria-current="page">Version {version.number}</span>
                ) : (
                  <Link className="link" href={version.href}>
                    Version {version.number}
                  </Link>
                )}
                <span className="meta blk">
                  <span className={version.madeBy.kind === "API_KEY" ? "key" : undefined}>
                    {version.madeBy.name}
                  </span>
                  {version.madeBy.kind === "ASSISTANT" ? " (assistant)" : null},{" "}
                  <Moment at={version.madeAt} time={view.time} format={formatShortDay} />
                </span>
              </th>
              <td className="num">
                <span className={version.state === "ACTIVE" ? "strong" : "dim"}>
                  {VERSION_STATE_WORDS[version.state]}
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}
