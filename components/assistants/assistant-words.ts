import { roleWithArticle } from "@/components/members/role-words";
import { formatInSentence } from "@/components/time/format-in-sentence";
import type { AssistantView } from "@/lib/contract/views/assistants-view";
import type { TimeContext } from "@/lib/contract/views/time-context";
import { type Phrase, strong } from "@/lib/engine/words/key-phrases";

/** What a connected assistant does, by the role that its member has now: the part that matters most is strong. */
export function powerWords({ power, memberRole, connectedByName, isOwn }: AssistantView): Phrase[] {
  switch (power) {
    case "ASKS":
      return ["Reads everything, ", strong("asks"), " to move money and to run rules."];
    case "READS": {
      const who = isOwn ? "you are" : `${firstName(connectedByName)} is`;
      return [
        strong("Reads only"),
        memberRole === null ? "." : `, because ${who} ${roleWithArticle(memberRole)}.`,
      ];
    }
    case "NOTHING":
      return [strong("Can do nothing"), `, because ${firstName(connectedByName)} is no member any more.`];
  }
}

/** How its connection ended: `Disconnected by Mara Okafor today, 11:26.` */
export function endedWords({ state }: Pick<AssistantView, "state">, time: TimeContext): string | null {
  if (state.kind === "CONNECTED") return null;
  const at = formatInSentence(state.at, time);
  switch (state.because) {
    case "MEMBER":
      return `Disconnected by ${state.byName ?? "a former member"} ${at}.`;
    case "OPERATOR":
      return `Disconnected by the operator ${at}.`;
    case "EXPIRED":
      return `Its access ran out ${at}, because nobody used it or its year was over.`;
    case "CLIENT":
      return `It gave its access back ${at}.`;
    case "REUSE":
      return `Disconnected by Sluice ${at}: its access was used twice, so somebody may have had a copy.`;
  }
}

function firstName(name: string): string {
  return name.split(" ")[0] ?? name;
}
