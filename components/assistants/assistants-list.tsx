import { Tally } from "@/components/approvals/tally";
import { endedWords, powerWords } from "@/components/assistants/assistant-words";
import { assistantsTitle } from "@/components/assistants/assistants-title";
import { ConnectAnother } from "@/components/assistants/connect-another";
import { DisconnectAssistant } from "@/components/assistants/disconnect-assistant";
import { Said } from "@/components/keys/said";
import { formatDay } from "@/components/time/format-instant";
import { Moment } from "@/components/time/moment";
import { Empty } from "@/components/ui/empty";
import { Link } from "@/components/ui/link";
import { PageHead } from "@/components/ui/page-head";
import type { AssistantsView, AssistantView, DisconnectActions } from "@/lib/contract/views/assistants-view";

interface AssistantsListProps {
  view: AssistantsView;
  actions: DisconnectActions;
}

/** Every assistant with who let it in, what it does here and what became of what it asked; and how to connect one. */
export function AssistantsList({ view, actions }: AssistantsListProps) {
  const { assistants, viewer, mcpUrl } = view;
  const isNone = !assistants.some(({ state }) => state.kind === "CONNECTED");
  return (
    <>
      <PageHead
        title={assistantsTitle(assistants, viewer.canDecide)}
        lede="Each sees what the person who connected it may see. Nothing moves without an approval."
      />
      {assistants.length > 0 ? (
        <AssistantsTable view={view} actions={actions} />
      ) : (
        <NoAssistants view={view} />
      )}
      <EndedLine view={view} />
      <ConnectAnother mcpUrl={mcpUrl} isFirst={isNone} />
    </>
  );
}

function NoAssistants({ view: { viewer } }: { view: AssistantsView }) {
  return (
    <Empty title="Claude, ChatGPT, Cursor and others can work with your money here">
      {viewer.canDecide
        ? "They read what you read, ask you before anything moves, and write rules that stay off until you activate them. Connect one below: a page here shows what it may do, and you agree, or not."
        : "Connected by you, one reads what you read, and nothing else. Connect one below: a page here shows what it may do, and you agree, or not."}
    </Empty>
  );
}

function AssistantsTable({ view, actions }: AssistantsListProps) {
  return (
    <table className="ledger asst-t">
      <caption className="vh">Assistants</caption>
      <thead>
        <tr>
          <th scope="col">Assistant</th>
          <th scope="col">What it does here</th>
          <th scope="col" className="hide-s">
            Last use
          </th>
          <th scope="col" className="hide-s">
            Proposals approved
          </th>
          <th scope="col">
            <span className="vh">Disconnect</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {view.assistants.map((assistant) => (
          <AssistantRow key={assistant.id} assistant={assistant} view={view} actions={actions} />
        ))}
      </tbody>
    </table>
  );
}

function AssistantRow({
  assistant,
  view: { time },
  actions,
}: AssistantsListProps & { assistant: AssistantView }) {
  const ended = endedWords(assistant, time);
  const lastUse = assistant.lastUsedAt ? <Moment at={assistant.lastUsedAt} time={time} /> : "Never used";
  return (
    <tr>
      <th scope="row">
        <bdi>{assistant.name}</bdi>
        <span className="meta blk">{assistant.host}</span>
        <span className="meta only-s blk">{lastUse}</span>
      </th>
      <td>
        <span className="ink2 asst-w">
          Connected by {assistant.isOwn ? "you" : assistant.connectedByName} on{" "}
          <Moment at={assistant.connectedAt} time={time} format={formatDay} />.{" "}
          {ended ?? <Said phrases={powerWords(assistant)} />}
        </span>
      </td>
      <td className="ink2 nowrap hide-s">{lastUse}</td>
      <td className="hide-s">
        <Approved assistant={assistant} />
      </td>
      <td className="asst-a">
        {assistant.canDisconnect ? <DisconnectAssistant assistant={assistant} actions={actions} /> : null}
      </td>
    </tr>
  );
}

function Approved({
  assistant: { approvedCount, decidedCount, recent, power },
}: {
  assistant: AssistantView;
}) {
  if (decidedCount === 0) {
    return <span className="dim">{power === "ASKS" ? "None yet" : "Cannot ask"}</span>;
  }
  return (
    <>
      <span className="nowrap">
        {approvedCount} of {decidedCount}
      </span>
      <span className="key-n">
        <Tally recent={recent} />
      </span>
    </>
  );
}

function EndedLine({ view }: { view: AssistantsView }) {
  if (view.endedCount === 0) return null;
  const [noun, verb] = view.endedCount === 1 ? ["assistant is", "it"] : ["assistants are", "them"];
  return (
    <p className="pager">
      <span>
        {view.endedCount} disconnected {noun} kept for the audit log.{" "}
        <Link className="link" href={view.toggleEndedHref} scroll={false}>
          {view.showsEnded ? `Hide ${verb}` : `Show ${verb}`}
        </Link>
      </span>
    </p>
  );
}
