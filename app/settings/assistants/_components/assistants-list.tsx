import { KeyPhrases } from "@/app/settings/_components/key-phrases";
import { DisconnectAssistant } from "@/app/settings/assistants/_components/disconnect-assistant";
import { SECRET_LINE } from "@/components/act/secret-line";
import { PageHead } from "@/components/layout/page-head";
import { PagerRow } from "@/components/layout/pager-link";
import { Section } from "@/components/layout/section";
import { Table } from "@/components/layout/table";
import { RecentDecisions } from "@/components/parts/approvals/recent-decisions";
import { ConnectClients } from "@/components/parts/assistants/connect-clients";
import { CopyButton } from "@/components/parts/docs/copy-button";
import { roleWithArticle } from "@/components/parts/members/role-words";
import { formatDay, formatInSentence } from "@/components/time/format-instant";
import { Moment } from "@/components/time/moment";
import { Breakable } from "@/components/ui/breakable";
import { Empty } from "@/components/ui/empty";
import { Link } from "@/components/ui/link";
import { LINK, SUBLINE } from "@/components/ui/text-styles";
import type { TimeContext } from "@/lib/contract/time-context";
import type { AssistantsView, AssistantView } from "@/lib/views/assistants/list-assistants";
import { type Phrase, strong } from "@/lib/words/keys/key-phrases";
import { lookAlikeWords } from "@/lib/words/look-alike-words";
import { FORMER_MEMBER } from "@/lib/words/names";
import { numberWords } from "@/lib/words/rules/number-words";
import { capitalized } from "@/lib/words/rules/phrases";

interface AssistantsListProps {
  view: AssistantsView;
}

/** Every assistant: who connected it, what it may do, what became of its proposals; and how to connect one. */
export function AssistantsList({ view }: AssistantsListProps) {
  const { assistants, viewer, mcpUrl } = view;
  const isNone = !assistants.some(({ state }) => state.kind === "CONNECTED");
  return (
    <>
      <PageHead
        title={assistantsTitle(assistants, viewer.canDecide)}
        lede="Each sees what the person who connected it may see. Nothing moves without an approval."
      />
      {assistants.length > 0 ? <AssistantsTable view={view} /> : <NoAssistants view={view} />}
      <EndedLine view={view} />
      <ConnectAnother mcpUrl={mcpUrl} isFirst={isNone} />
    </>
  );
}

function NoAssistants({ view: { viewer } }: { view: AssistantsView }) {
  return (
    <Empty title="Claude, ChatGPT, Cursor and others can work with your money here">
      {viewer.canDecide
        ? "They read what you can read, ask you before anything moves, and write rules that stay off until you activate them. Connect one below; a page shows what it may do before you agree."
        : "An assistant that you connect can only read what you can read. Connect one below; a page shows what it may do before you agree."}
    </Empty>
  );
}

function AssistantsTable({ view: { assistants, time } }: AssistantsListProps) {
  return (
    <Table
      className="[&_tbody_th_span]:font-normal [&_tbody_th]:max-w-60 [&_tbody_th]:wrap-anywhere [&_tbody_th]:align-top [&_td]:align-top max-sm:[&_thead_th:last-child]:pl-0 max-sm:[&_td:last-child]:pl-0 max-sm:[&_tbody_th]:min-w-24"
      caption="Assistants"
      rows={assistants}
      columns={[
        {
          head: "Assistant",
          header: true,
          cell: ({ name, host, lookAlike }) => (
            <>
              <bdi>{name}</bdi>
              <span className={SUBLINE}>{host}</span>
              {lookAlike === null ? null : (
                <span className={SUBLINE}>{lookAlikeWords([lookAlike]).text}</span>
              )}
            </>
          ),
        },
        {
          head: "What it does here",
          phone: "BELOW",
          cell: (assistant) => <Does assistant={assistant} time={time} />,
        },
        {
          head: "Last use",
          kind: "MOMENT",
          phone: "BELOW",
          className: "text-ink-2",
          cell: ({ lastUsedAt }) => (lastUsedAt ? <Moment at={lastUsedAt} time={time} /> : "Never used"),
        },
        {
          head: "Proposals approved",
          phone: "HIDDEN",
          cell: (assistant) => <Approved assistant={assistant} />,
        },
        {
          head: "Disconnect",
          isHeadHidden: true,
          className: "text-right [&_.notice]:mt-2 [&_.notice]:text-left",
          cell: (assistant) =>
            assistant.canDisconnect ? <DisconnectAssistant assistant={assistant} /> : null,
        },
      ]}
    />
  );
}

function Does({ assistant, time }: { assistant: AssistantView; time: TimeContext }) {
  return (
    <span className="block max-w-[48ch] text-ink-2 [&_b]:font-[550] [&_b]:text-ink">
      Connected by {assistant.isOwn ? "you" : assistant.connectedByName} on{" "}
      <Moment at={assistant.connectedAt} time={time} format={formatDay} />.{" "}
      {endedWords(assistant, time) ?? <KeyPhrases phrases={powerWords(assistant)} />}
    </span>
  );
}

function Approved({
  assistant: { approvedCount, decidedCount, recent, power },
}: {
  assistant: AssistantView;
}) {
  if (decidedCount === 0) {
    return <span className="text-ink-3">{power === "ASKS" ? "None yet" : "Cannot ask"}</span>;
  }
  return (
    <>
      <span className="whitespace-nowrap">
        {approvedCount} of {decidedCount}
      </span>
      <span className="block mt-1">
        <RecentDecisions recent={recent} />
      </span>
    </>
  );
}

function EndedLine({ view }: { view: AssistantsView }) {
  if (view.endedCount === 0) return null;
  const [noun, verb] = view.endedCount === 1 ? ["assistant is", "it"] : ["assistants are", "them"];
  return (
    <PagerRow>
      <span>
        {view.endedCount} disconnected {noun} kept for the audit log.{" "}
        <Link className={LINK} href={view.toggleEndedHref} scroll={false}>
          {view.showsEnded ? `Hide ${verb}` : `Show ${verb}`}
        </Link>
      </span>
    </PagerRow>
  );
}

interface ConnectAnotherProps {
  mcpUrl: string;
  isFirst: boolean;
}

/** The MCP address, and what to do in each client. */
function ConnectAnother({ mcpUrl, isFirst }: ConnectAnotherProps) {
  return (
    <Section
      id="connect"
      title={isFirst ? "Connect an assistant" : "Connect another"}
      fact="Any client that speaks MCP"
    >
      <div className={`${SECRET_LINE} mt-4 max-w-160`}>
        <code>
          <Breakable text={mcpUrl} />
        </code>
        <CopyButton text={mcpUrl} label="Copy address" size={null} />
      </div>
      <p className="mt-3 mb-7 [&+div]:mt-7 max-w-[70ch] text-sm text-ink-3">
        Give the client this address. It opens a page that shows what it may do before you agree.{" "}
        <Link className={LINK} href="/docs/assistants">
          Read the guide
        </Link>
      </p>
      <ConnectClients mcpUrl={mcpUrl} />
    </Section>
  );
}

/** The title of the list as a statement: `One assistant can ask you, one only reads`. */
export function assistantsTitle(
  assistants: readonly Pick<AssistantView, "power" | "state">[],
  canDecide: boolean,
): string {
  const connected = assistants.filter(({ state }) => state.kind === "CONNECTED");
  const count = (power: AssistantView["power"]) => connected.filter((one) => one.power === power).length;
  const parts = [
    {
      count: count("ASKS"),
      one: canDecide ? "can ask you" : "can ask",
      many: canDecide ? "can ask you" : "can ask",
    },
    { count: count("READS"), one: "only reads", many: "only read" },
    { count: count("NOTHING"), one: "can do nothing", many: "can do nothing" },
  ].filter((part) => part.count > 0);
  if (parts.length === 0) return "No assistant is connected";
  const words = parts.map(({ count, one, many }, index) => {
    const noun = index > 0 ? "" : count === 1 ? " assistant" : " assistants";
    return `${numberWords(count)}${noun} ${count === 1 ? one : many}`;
  });
  return capitalized(words.join(", "));
}

/** By its member's present role; the part that matters most is strong. */
function powerWords({ power, memberRole, connectedByName, isOwn }: AssistantView): Phrase[] {
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
      return [strong("Can do nothing"), `, because ${firstName(connectedByName)} is no longer a member.`];
  }
}

/** `Disconnected by Mara Okafor today, 11:26.` */
function endedWords({ state }: Pick<AssistantView, "state">, time: TimeContext): string | null {
  if (state.kind === "CONNECTED") return null;
  const at = formatInSentence(state.at, time);
  switch (state.because) {
    case "MEMBER":
      return `Disconnected by ${state.byName ?? FORMER_MEMBER} ${at}.`;
    case "OPERATOR":
      return `Disconnected by the operator ${at}.`;
    case "EXPIRED":
      return `Its access ran out ${at}, because it was unused or a year old.`;
    case "CLIENT":
      return `It gave up its access ${at}.`;
    case "REUSE":
      return `Disconnected by Sluice ${at}: its access was used twice, so someone may have copied it.`;
  }
}

function firstName(name: string): string {
  return name.split(" ")[0] ?? name;
}
