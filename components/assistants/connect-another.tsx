import { ConnectClients } from "@/components/assistants/connect-clients";
import { CopyButton } from "@/components/docs/copy-button";
import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/section";

interface ConnectAnotherProps {
  mcpUrl: string;
  /** Nothing is connected. */
  isFirst: boolean;
}

/** The address that a client is given, and what to do in each. */
export function ConnectAnother({ mcpUrl, isFirst }: ConnectAnotherProps) {
  return (
    <Section
      id="connect"
      title={isFirst ? "Connect an assistant" : "Connect another"}
      fact="Any client that speaks MCP"
    >
      <div className="secret asst-u">
        <code>{mcpUrl}</code>
        <CopyButton text={mcpUrl} label="Copy address" size={null} />
      </div>
      <p className="meta asst-h">
        Give the client this address. It opens a page here where you see what it may do and agree, or not.{" "}
        <Link className="link" href="/docs/assistants">
          Read the guide
        </Link>
      </p>
      <ConnectClients mcpUrl={mcpUrl} />
    </Section>
  );
}
