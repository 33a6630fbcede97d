import { roleWithArticle } from "@/components/members/role-words";
import { formatInSentence } from "@/components/time/format-in-sentence";
import type { AskingClientView, ConsentView } from "@/lib/contract/views/consent-view";
import { joinWords } from "@/lib/engine/words/key-phrases";

/** One thing that an assistant may, or may never. */
export interface MayLine {
  /** `ASKS`: a person decides each time. */
  kind: "DOES" | "ASKS" | "NEVER";
  title: string;
  detail: string | null;
}

const READS: MayLine = {
  kind: "DOES",
  title: "Read everything here",
  detail: "Accounts, balances, movements, rules and the audit log",
};

/** What it may for a member with this role: the permissions of `permissionsOfRole`, in words. */
export function mayLines({ power, otherDeciders }: Pick<ConsentView, "power" | "otherDeciders">): MayLine[] {
  if (power === "READS") return [READS];
  return [
    READS,
    {
      kind: "ASKS",
      title: "Ask to move money",
      detail: `Each time it asks, ${approvers(otherDeciders)} must approve`,
    },
    { kind: "ASKS", title: "Ask to run a rule", detail: "Each time, with your approval" },
    {
      kind: "DOES",
      title: "Create pods and rules",
      detail: "Pods start empty. Rules stay off until a person activates them",
    },
  ];
}

/** What it may never, and of a member who decides nothing, why. */
export function neverLines({ power, member }: Pick<ConsentView, "power" | "member">): MayLine[] {
  const never = (title: string, detail: string | null = null): MayLine => ({ kind: "NEVER", title, detail });
  const decides = [
    never("Approve anything", power === "ASKS" ? "Not even its own proposals" : null),
    never("Activate a rule"),
    never("Invite people, make keys or issue cards", "It can only point you to the page"),
  ];
  if (power === "ASKS") {
    return [never("Move money by itself", "This cannot be switched on for an assistant"), ...decides];
  }
  return [
    never("Move money, or ask for it", `You are ${roleWithArticle(member.role)}, so it only reads`),
    never("Create pods and rules, or ask to run one", "Only for owners and co-owners"),
    ...decides,
  ];
}

/** `you`; `you or Jonas`; `you, Jonas or Ines`; of many, `you or one of 5 others`. */
function approvers(others: readonly string[]): string {
  if (others.length > 3) return `you or one of ${others.length} others`;
  return joinWords(["you", ...others], "or");
}

/** `First connection`; `Connected before by Mara Okafor on 3 Aug 2026`. */
export function beforeWords({ before, time }: Pick<ConsentView, "before" | "time">): string {
  if (!before) return "First connection";
  const who = before.isByViewer ? "you" : before.byName;
  const since = before.isConnected ? ", and still is" : "";
  return `Connected before by ${who} ${formatInSentence(before.at, time)}${since}`;
}

/** How it is known, in a few words. */
export function knownByWords({ knownBy, idHost }: AskingClientView): string {
  switch (knownBy) {
    case "OPERATOR":
      return "Registered by the operator";
    case "REGISTRATION":
      return "Registered itself, unchecked";
    case "METADATA_DOCUMENT":
      return `Published at ${idHost ?? "its address"}`;
  }
}

/** What of all this was checked, and what is only said. */
export function checkedWords({ knownBy, idHost, isLoopback }: AskingClientView): string {
  const name = "The name is what the program says about itself.";
  if (isLoopback) {
    return `${name} It runs on this machine, and any program here could ask like this: connect only if you have just started it yourself.`;
  }
  switch (knownBy) {
    case "OPERATOR":
      return "Whoever runs this Sluice registered it, with this name and this address.";
    case "REGISTRATION":
      return `${name} Nobody checked who made it. The address is the part that is certain: your browser goes back there, and nowhere else.`;
    case "METADATA_DOCUMENT":
      return `${name} The address is the part that we checked: ${idHost ?? "its publisher"} says that the program goes back there.`;
  }
}
