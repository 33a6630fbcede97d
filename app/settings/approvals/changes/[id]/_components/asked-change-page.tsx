import { Check, Minus } from "lucide-react";
import { KeyPhrases } from "@/app/settings/_components/key-phrases";
import { SignAskedChange } from "@/app/settings/approvals/changes/[id]/_components/sign-asked-change";
import { COLUMNS } from "@/components/layout/columns";
import { Section } from "@/components/layout/section";
import { SideColumn } from "@/components/layout/side-column";
import { Signatures } from "@/components/parts/approvals/signatures";
import { formatAfterWord, formatInSentence } from "@/components/time/format-instant";
import { formatTimeLeft } from "@/components/time/time-left";
import { FactLine } from "@/components/ui/fact-line";
import { GateClosedIcon } from "@/components/ui/icons";
import { Status } from "@/components/ui/status";
import { LEDE, PAGE_TITLE, SPOKEN } from "@/components/ui/text-styles";
import type { AskedChangeView } from "@/lib/views/policies/read-asked-change";

/** A change that several people sign: what it was and would be, and whose signatures it has. */
export function AskedChangePage({ view }: { view: AskedChangeView }) {
  const { words, askedBy, askedAt, time, state } = view;
  const isWaiting = state === "WAITING";
  return (
    <div className={COLUMNS}>
      <div>
        <FactLine as="div" className="mb-5">
          <StateOf view={view} />
          <span>
            Asked for by {askedBy.isViewer ? "you" : askedBy.name} {formatAfterWord(askedAt, time)}
          </span>
          {isWaiting ? <span className="sm:hidden!">{leftOf(view)}</span> : null}
        </FactLine>
        <h1 className={`${PAGE_TITLE} wrap-anywhere`}>
          {words.title}
          {isWaiting ? "?" : null}
        </h1>
        <p className={`${LEDE} mt-3`}>{isWaiting ? words.follows : endWords(view)}</p>
        <Section id="change" title="What changes">
          <FromTo view={view} />
        </Section>
        {view.keySays ? (
          <Section id="says" title="What it can do">
            <p className={SPOKEN}>
              It <KeyPhrases phrases={view.keySays} />
            </p>
          </Section>
        ) : null}
        {view.signing ? <Signatures signing={view.signing} time={time} verb="sign for it" /> : null}
      </div>
      <SideColumn as="div" gap="wide">
        {isWaiting ? <SignAskedChange view={view} left={leftOf(view)} /> : null}
        {isWaiting ? (
          <section>
            <h2 className="text-base font-semibold">Until then</h2>
            <p className="text-ink-2">
              {view.keySays
                ? "The secret opens nothing. Anyone who decides can deny this request, and who asked can withdraw it."
                : "It stays as it is. Anyone who decides can make it stricter at any time; that ends this request."}
            </p>
          </section>
        ) : null}
      </SideColumn>
    </div>
  );
}

function leftOf({ expiresAt, time }: AskedChangeView): string {
  return `${formatTimeLeft(Date.parse(expiresAt) - Date.parse(time.nowAt))} left`;
}

function StateOf({ view: { state, viewer } }: { view: AskedChangeView }) {
  if (state === "WAITING") {
    return (
      <Status tone="amber" icon={<GateClosedIcon />}>
        {viewer.maySign ? "Needs your signature" : "Waiting for signatures"}
      </Status>
    );
  }
  return state === "DONE" ? (
    <Status tone="teal" icon={<Check />}>
      In force
    </Status>
  ) : (
    <Status tone="mute" icon={<Minus />}>
      {STATE[state]}
    </Status>
  );
}

const STATE = {
  DENIED: "Denied",
  WITHDRAWN: "Withdrawn",
  REPLACED: "Replaced",
  OUTDATED: "Outdated",
  EXPIRED: "Expired",
} as const;

function endWords({ state, endedAt, endedByName, expiresAt, words, time }: AskedChangeView): string {
  const on = endedAt === null ? "" : ` ${formatInSentence(endedAt, time)}`;
  switch (state) {
    case "DONE":
      return `${endedByName ?? "The last signer"} gave the last signature${on}.`;
    case "DENIED":
      return `${endedByName ?? "Someone who decides"} denied it${on}. It stayed at ${words.before}.`;
    case "WITHDRAWN":
      return endedByName === null
        ? "Who asked for it no longer decides, so it ended. Ask for it again."
        : `${endedByName} withdrew it${on}.`;
    case "REPLACED":
      return `${endedByName ?? "Someone"} asked for another change of it${on}.`;
    case "OUTDATED":
      return `It was changed itself${on} while this waited, so these signatures count no more. Ask for it again.`;
    default:
      return `Not everyone signed until ${formatInSentence(expiresAt, time)}. It stayed at ${words.before}.`;
  }
}

function FromTo({ view: { words, state } }: { view: AskedChangeView }) {
  const [was, is] =
    state === "WAITING"
      ? ["Now", "With the last signature"]
      : ["Before", state === "DONE" ? "Since then" : "Was asked for"];
  return (
    <dl className="grid grid-cols-2 gap-x-6 border-y border-rule py-4 max-sm:grid-cols-1 max-sm:gap-y-3">
      <div>
        <dt className="text-sm text-ink-3">{was}</dt>
        <dd className="font-display text-xl/7 text-ink-2 wrap-anywhere">{words.before}</dd>
      </div>
      <div>
        <dt className="text-sm text-ink-3">{is}</dt>
        <dd className="font-display text-xl/7 font-semibold wrap-anywhere">{words.after}</dd>
      </div>
    </dl>
  );
}
