import { Check, CircleDashed, Minus } from "lucide-react";
import { formatAfterWord } from "@/components/time/format-instant";
import { GateClosedIcon } from "@/components/ui/icons";
import { Initials } from "@/components/ui/initials";
import { Status } from "@/components/ui/status";
import { SUBLINE } from "@/components/ui/text-styles";
import type { TimeContext } from "@/lib/contract/time-context";
import type { SignerView } from "@/lib/views/policies/describe-signers";

const STATE = {
  SIGNED: { tone: "teal", icon: <Check />, word: "Signed", about: "" },
  MISSING: {
    tone: "amber",
    icon: <GateClosedIcon />,
    word: "Missing",
    about: "Their signature completes it",
  },
  OPEN: { tone: "mute", icon: <CircleDashed />, word: "Open", about: "Can sign now" },
  LATER: { tone: "mute", icon: <CircleDashed />, word: "Not now", about: "Not needed now" },
  CANNOT: { tone: "mute", icon: <Minus />, word: "Cannot sign", about: "Does not count here" },
} as const;

/** Whose signatures a policy or a mandate has, and whose are missing. */
export function Signers({ people, time }: { people: readonly SignerView[]; time: TimeContext }) {
  return (
    <ul>
      {people.map((person) => (
        <Signer key={person.id} person={person} time={time} />
      ))}
    </ul>
  );
}

function Signer({ person, time }: { person: SignerView; time: TimeContext }) {
  const { tone, icon, word, about } = STATE[person.state];
  return (
    <li className="grid grid-cols-[30px_minmax(0,1fr)_auto] items-center gap-x-3 py-3 border-b border-rule last:border-b-0">
      <Initials name={person.name} />
      <span className="min-w-0 wrap-anywhere">
        <b className="font-medium">{person.isViewer ? "You" : person.name}</b>
        <span className={SUBLINE}>
          {person.signedAt === null ? about : `Signed ${formatAfterWord(person.signedAt, time)}`}
        </span>
      </span>
      <Status tone={tone} icon={icon}>
        {word}
      </Status>
    </li>
  );
}
