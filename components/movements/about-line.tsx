import type { ReactNode } from "react";
import { CATEGORY_WORDS } from "@/components/movements/category-words";
import { foreseenTitle } from "@/components/movements/life-timeline";
import { returnWords } from "@/components/movements/return-words";
import { formatInSentence } from "@/components/time/format-in-sentence";
import { formatDate } from "@/components/time/format-instant";
import type { MovementAbout, MovementAsker } from "@/lib/contract/views/movements-view";
import type { TimeContext } from "@/lib/contract/views/time-context";

type AboutOf<Kind extends MovementAbout["kind"]> = Extract<MovementAbout, { kind: Kind }>;

/** The one line under a movement: what is unusual about it, or where it comes from. */
export function AboutLine({ about, time }: { about: MovementAbout; time: TimeContext }) {
  return <span className="meta blk mv-b">{wordsOf(about, time)}</span>;
}

function wordsOf(about: MovementAbout, time: TimeContext): ReactNode {
  switch (about.kind) {
    case "DRY_RUN":
      return (
        <>
          Dry run {about.ruleName === null ? <By by={about.by} /> : <>of {about.ruleName}</>}
          {about.foreseen && about.foreseen.outcome !== "GOES_THROUGH"
            ? `. ${foreseenTitle(about.foreseen)}: ${about.foreseen.sentence}`
            : null}
        </>
      );
    case "ASKED":
      return asked(about);
    case "RULE":
      return withLabel(<>{about.ruleName}, by rule</>, about.label);
    case "DEPOSIT":
      return about.isCheck ? "Check deposit" : "Deposit";
    case "LEAVES":
      return about.at === null || about.at <= time.nowAt
        ? "Leaves for the bank now."
        : `Leaves for the bank ${formatInSentence(about.at, time)}.`;
    case "EXPECTED":
      return `At the bank, expected ${formatDate(about.on, time)}`;
    case "PROBLEM":
      return about.sentence;
    case "RETURNED":
      return about.code === null
        ? "Sent back by the bank"
        : `Sent back by the bank, ${returnWords(about.code)}`;
    case "DENIED":
      return `“${about.note}”`;
    case "CARD":
      return cardWords(about);
    case "OUTSIDE":
      return outsideWords(about);
  }
}

function asked({ by, label }: AboutOf<"ASKED">): ReactNode {
  if (by.kind === "BANK") return "By the bank";
  return withLabel(
    <>
      {by.kind === "MEMBER" ? "Moved " : "Asked "}
      <By by={by} />
    </>,
    label,
  );
}

function withLabel(words: ReactNode, label: string | null): ReactNode {
  if (label === null) return words;
  return (
    <>
      {words}, <span className="mono">{label}</span>
    </>
  );
}

/** `by claude-bookkeeping`. An assistant is called one: it chose its name itself. */
export function By({ by }: { by: MovementAsker }) {
  if (by.kind === "MEMBER") return <>by {by.name}</>;
  return (
    <>
      by {by.kind === "ASSISTANT" ? "the assistant " : null}
      <span className="key">{by.name}</span>
    </>
  );
}

const CARD_KIND_WORDS: Record<AboutOf<"CARD">["subtype"], string> = {
  PURCHASE: "",
  REFUND: "Refund, ",
  PAYOUT: "Payout, counts as income, ",
};

function cardWords({ subtype, cardName, numberEnding }: AboutOf<"CARD">): string {
  return `${CARD_KIND_WORDS[subtype]}${cardName}, ••••${numberEnding}`;
}

function outsideWords({ category, isOwnTransfer, isIncome }: AboutOf<"OUTSIDE">): string {
  if (isOwnTransfer) return "The other side of your own transfer";
  if (isIncome) return "Came in";
  return category === null ? "No category yet" : CATEGORY_WORDS[category];
}
