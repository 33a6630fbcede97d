import { ClientTabs } from "@/components/parts/docs/code-tabs";
import { CopyButton } from "@/components/parts/docs/copy-button";
import { Inline } from "@/components/parts/docs/prose";
import { buttonClass } from "@/components/ui/button";
import { CodeBox } from "@/components/ui/code-box";
import { Note } from "@/components/ui/note";
import { MONO } from "@/components/ui/text-styles";
import {
  type ConnectSnippet,
  type ConnectWay,
  describeConnectClients,
  isReachableFromClouds,
} from "@/lib/words/keys/connect-clients";

interface ConnectClientsProps {
  mcpUrl: string;
}

/** How to connect each client, with the exact lines to paste. */
export function ConnectClients({ mcpUrl }: ConnectClientsProps) {
  const clients = describeConnectClients(mcpUrl).map(({ id, name, ways }) => ({
    id,
    name,
    panel: ways.map((way) => <Way key={way.title} client={name} way={way} />),
  }));
  return (
    <div className="max-w-180 [&>.notice]:mb-5">
      {isReachableFromClouds(mcpUrl) ? null : <NotFromClouds mcpUrl={mcpUrl} />}
      <ClientTabs clients={clients} />
    </div>
  );
}

function NotFromClouds({ mcpUrl }: ConnectClientsProps) {
  return (
    <Note>
      <b>claude.ai, Claude Desktop and ChatGPT cannot connect to this address.</b> They call from their
      vendor’s servers, which do not reach <span className={MONO}>{new URL(mcpUrl).host}</span>. Start Sluice
      with <span className={MONO}>APP_URL</span> set to a public https address first. Claude Code, Cursor, VS
      Code and the command line call from your own machine and work as they are.
    </Note>
  );
}

function Way({ client, way: { title, steps, snippet, link } }: { client: string; way: ConnectWay }) {
  return (
    <section
      className="pt-6 [&>*+*]:mt-2.5 [&_p]:max-w-[68ch] [&_p]:wrap-anywhere [&_li]:max-w-[68ch] [&_li]:wrap-anywhere [&_ol]:pl-5 [&_ol]:text-ink-2 [&_ol]:list-decimal [&>p]:text-ink-2 [&_li+li]:mt-1.5 [&_.code-box]:text-xs/4.75"
      aria-label={`${client}: ${title}`}
    >
      <h3 className="text-base font-semibold">{title}</h3>
      {link ? (
        <p>
          <a className={buttonClass({ kind: "outlined" })} href={link.href}>
            {link.label}
          </a>
        </p>
      ) : null}
      {steps.length > 1 ? (
        <ol>
          {steps.map((step) => (
            <li key={step}>
              <Inline text={step} />
            </li>
          ))}
        </ol>
      ) : (
        steps.map((step) => (
          <p key={step}>
            <Inline text={step} />
          </p>
        ))
      )}
      {snippet ? <Snippet name={`${client}, ${title}: ${snippet.label}`} snippet={snippet} /> : null}
    </section>
  );
}

/** Distinguishes the boxes for screen readers. */
function Snippet({ name, snippet: { label, text } }: { name: string; snippet: ConnectSnippet }) {
  return (
    <div>
      <div className="flex items-center justify-between gap-4 min-h-10">
        <span className="text-sm text-ink-3">{label}</span>
        <CopyButton text={text} />
      </div>
      <CodeBox label={name}>{text}</CodeBox>
    </div>
  );
}
