import type { ReactNode } from "react";
import { foreseenTitle } from "@/app/transfers/_components/life-timeline";
import type { MovementListedRow } from "@/app/transfers/_components/movement-table";
import { formatDate, formatInSentence, formatListMoment } from "@/components/time/format-instant";
import { Moment } from "@/components/time/moment";
import { KEY_NAME, MONO } from "@/components/ui/text-styles";
import type { TimeContext } from "@/lib/contract/time-context";
import { returnWords } from "@/lib/contract/transfer";
import type { MovementListView } from "@/lib/views/movements/list-member-movements";
import type { MovementAbout, MovementRequester } from "@/lib/views/movements/movement-rows";
import { CATEGORY_WORDS } from "@/lib/words/category-words";

type AboutOf<Kind extends MovementAbout["kind"]> = Extract<MovementAbout, { kind: Kind }>;

/** The rows as the table shows them, with words for their times. */
export function listRows({ rows, time }: Pick<MovementListView, "rows" | "time">): MovementListedRow[] {
  return rows.map(({ at, about, ...row }) => ({
    ...row,
    when: <Moment at={at} time={time} format={formatListMoment} />,
    aboutWords: aboutWords(about, time),
  }));
}

function aboutWords(about: MovementAbout, time: TimeContext): ReactNode {
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
        ? "Going to the bank now."
        : `Goes to the bank ${formatInSentence(about.at, time)}.`;
    case "EXPECTED":
      return `At the bank, expected ${formatDate(about.on, time)}`;
    case "PROBLEM":
      return about.sentence;
    case "RETURNED":
      return about.code === null
        ? "Returned by the bank"
        : `Returned by the bank, ${returnWords(about.code)}`;
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
      {by.kind === "MEMBER" ? "Moved " : "Requested "}
      <By by={by} />
    </>,
    label,
  );
}

function withLabel(words: ReactNode, label: string | null): ReactNode {
  if (label === null) return words;
  return (
    <>
      {words}, <span className={MONO}>{label}</span>
    </>
  );
}

/** `by claude-bookkeeping`. Assistants are labeled, since they choose their own names. */
function By({ by }: { by: MovementRequester }) {
  if (by.kind === "MEMBER") return <>by {by.name}</>;
  return (
    <>
      by {by.kind === "ASSISTANT" ? "the assistant " : null}
      <span className={`${KEY_NAME} sm:max-lg:wrap-anywhere`}>{by.name}</span>
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
  if (isOwnTransfer) return "Counterpart of your own transfer";
  if (isIncome) return "Incoming";
  return category === null ? "Uncategorized" : CATEGORY_WORDS[category];
}
