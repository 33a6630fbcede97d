import {
  Children,
  type ComponentProps,
  type ComponentType,
  isValidElement,
  type ReactElement,
  type ReactNode,
} from "react";
import { ConnectClients } from "@/components/parts/assistants/connect-clients";
import { Samples } from "@/components/parts/docs/code-tabs";
import { CopyButton } from "@/components/parts/docs/copy-button";
import { Inline } from "@/components/parts/docs/prose";
import { VERIFICATION_SAMPLES } from "@/components/parts/webhooks/verification";
import { CodeBox } from "@/components/ui/code-box";
import { Ledger } from "@/components/ui/ledger";
import { Link } from "@/components/ui/link";
import { KEY_NAME, LINK, MONO, SECTION_TITLE } from "@/components/ui/text-styles";
import { ERROR_STATUS } from "@/lib/contract/error";
import { ERROR_HELP } from "@/lib/contract/error-help";
import { APPROVABLE_PERMISSIONS, PERMISSION_HELP } from "@/lib/contract/permissions";
import type { ReferenceView, ToolView } from "@/lib/contract/reference";
import { EVENT_HELP, RETRY_DELAYS_MS } from "@/lib/contract/webhooks";

/** What a guide may contain besides Markdown, by name. */
export type GuideParts = Readonly<Record<string, ComponentType<never>>>;

interface Contents {
  children?: ReactNode;
}

const elementsOf = (children: ReactNode) =>
  Children.toArray(children).filter((child): child is ReactElement<Contents> => isValidElement(child));

function textOf(node: ReactNode): string {
  return Children.toArray(node)
    .map((child) => (isValidElement<Contents>(child) ? textOf(child.props.children) : String(child)))
    .join("");
}

/** The first cell of a row names it: as an API name if it is nothing but code. */
function Row({ children }: Contents) {
  const [first, ...others] = elementsOf(children);
  if (first?.type !== "td") return <tr>{elementsOf(children)}</tr>;
  const name = first.props.children;
  return (
    <tr>
      <th scope="row">
        {isValidElement<Contents>(name) ? (
          <span className={`${KEY_NAME} sm:max-lg:wrap-anywhere`}>{name.props.children}</span>
        ) : (
          name
        )}
      </th>
      {others}
    </tr>
  );
}

/** Gives the table inside a name. */
function Facts({ caption, children }: Contents & { caption: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls on phones must be reachable by keyboard
    <section className="max-sm:overflow-x-auto" tabIndex={0} aria-label={caption}>
      <Ledger className="max-sm:[&_thead]:absolute max-sm:[&_thead]:[clip-path:inset(50%)] max-sm:[&_tr]:block max-sm:[&_tr]:py-2.5 max-sm:[&_tr]:px-0 max-sm:[&_tr]:border-b max-sm:[&_tr]:border-rule max-sm:[&_tbody_th]:block max-sm:[&_tbody_th]:py-0.5 max-sm:[&_tbody_th]:px-0 max-sm:[&_tbody_th]:border-0 max-sm:[&_tbody_th]:wrap-anywhere max-sm:[&_td]:block max-sm:[&_td]:py-0.5 max-sm:[&_td]:px-0 max-sm:[&_td]:border-0 max-sm:[&_td]:wrap-anywhere">
        <caption className="sr-only">{caption}</caption>
        {elementsOf(children).flatMap((table) => elementsOf(table.props.children))}
      </Ledger>
    </section>
  );
}

interface GeneratedFactsProps {
  caption: string;
  head: readonly [string, ...string[]];
  rows: readonly (readonly [string, ...string[]])[];
}

/** The same from data. */
function GeneratedFacts({ caption, head, rows }: GeneratedFactsProps) {
  return (
    <Facts caption={caption}>
      <table>
        <thead>
          <tr>
            {head.map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, ...cells]) => (
            <tr key={name}>
              <th scope="row">
                <span className={`${KEY_NAME} sm:max-lg:wrap-anywhere`}>{name}</span>
              </th>
              {cells.map((cell, index) => (
                <td key={head[index + 1] ?? cell}>
                  <Inline text={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Facts>
  );
}

const CAN_ASK = APPROVABLE_PERMISSIONS.map(String);
const STATUS = new Map<string, number>(Object.entries(ERROR_STATUS));

function ErrorCodes() {
  return (
    <GeneratedFacts
      caption="All error codes with their HTTP status"
      head={["Code", "HTTP", "Means", "What to do"]}
      rows={Object.entries(ERROR_HELP).map(
        ([code, { meaning, action }]) => [code, String(STATUS.get(code)), meaning, action] as const,
      )}
    />
  );
}

function Permissions() {
  return (
    <GeneratedFacts
      caption="Permissions"
      head={["Permission", "Lets a key", "Given for"]}
      rows={Object.entries(PERMISSION_HELP).map(
        ([type, { grants, resources }]) =>
          [type, CAN_ASK.includes(type) ? `${grants} Can require approval.` : grants, resources] as const,
      )}
    />
  );
}

function EventTypes() {
  return (
    <GeneratedFacts
      caption="Types of events"
      head={["Type", "When", "Read it with"]}
      rows={Object.entries(EVENT_HELP).map(
        ([type, { when, path }]) => [type, when, `\`GET ${path}\``] as const,
      )}
    />
  );
}

function Retries() {
  return <GeneratedFacts caption="Attempts" head={["Attempt", "When", "Waited"]} rows={listRetries()} />;
}

/** Number, wait and time since the first attempt, in words that need no column heads, which phones hide. */
export function listRetries(): [string, string, string][] {
  let sinceMs = 0;
  return [0, ...RETRY_DELAYS_MS].map((delayMs, index) => {
    sinceMs += delayMs;
    const number = String(index + 1);
    return index === 0
      ? [number, "at once", "nothing yet"]
      : [number, `${inUnits(delayMs)} later`, `${inUnits(sinceMs)} in all`];
  });
}

const UNITS = [
  ["h", 3_600_000],
  ["min", 60_000],
  ["s", 1_000],
] as const;

/** In the two largest units that are not zero: `2 h 35 min`. */
function inUnits(milliseconds: number): string {
  let leftMs = milliseconds;
  const parts = UNITS.flatMap(([unit, unitMs]) => {
    const count = Math.floor(leftMs / unitMs);
    leftMs -= count * unitMs;
    return count > 0 ? [`${count} ${unit}`] : [];
  });
  return parts.slice(0, 2).join(" ");
}

function Tools({ tools }: { tools: readonly ToolView[] }) {
  return <GeneratedFacts caption="Tools" head={["Tool", "What for", "Needs"]} rows={tools.map(toolRow)} />;
}

function toolRow({ name, title, permission, isGuide }: ToolView): [string, string, string] {
  if (isGuide) return [name, `${title}. Says what to do on which page; does nothing itself.`, "Nothing."];
  if (!permission) return [name, title, "Nothing."];
  return [
    name,
    title,
    CAN_ASK.includes(permission) ? `\`${permission}\`, and approval` : `\`${permission}\``,
  ];
}

function Code({ label, text }: { label: string; text: string }) {
  return (
    <div>
      <div className="flex items-center justify-between gap-4 min-h-10">
        <span className="text-sm text-ink-3">{label}</span>
        <CopyButton text={text} />
      </div>
      <CodeBox label={label}>{text}</CodeBox>
    </div>
  );
}

const PARTS: GuideParts = {
  h2: ({ children }: Contents) => <h2 className={SECTION_TITLE}>{children}</h2>,
  a: ({ href = "", children }: ComponentProps<"a">) => (
    <Link className={LINK} href={href}>
      {children}
    </Link>
  ),
  code: ({ children }: Contents) => <span className={MONO}>{children}</span>,
  thead: ({ children }: Contents) => <thead>{elementsOf(children)}</thead>,
  tbody: ({ children }: Contents) => <tbody>{elementsOf(children)}</tbody>,
  tr: Row,
  th: ({ children }: Contents) => <th scope="col">{children}</th>,
  Facts,
  ErrorCodes,
  EventTypes,
  Permissions,
  Retries,
  VerificationSamples: () => (
    <Samples samples={VERIFICATION_SAMPLES.map(({ language, code }) => ({ language, text: code }))} />
  ),
};

/** What Next calls this function in the module that next.config.mjs names. */
export const useMDXComponents = (): GuideParts => PARTS;

/** Parts that show addresses and tools of this installation. */
export function partsOf({ baseUrl, assistants: { mcpUrl, tools } }: ReferenceView): GuideParts {
  const fill = (text: string) => text.replaceAll("{baseUrl}", baseUrl).replaceAll("{mcpUrl}", mcpUrl);
  return {
    Sample: ({ label, children }: Contents & { label: string }) => (
      <Code label={label} text={fill(textOf(children).trimEnd())} />
    ),
    ConnectClients: () => <ConnectClients mcpUrl={mcpUrl} />,
    Tools: () => <Tools tools={tools} />,
  };
}
