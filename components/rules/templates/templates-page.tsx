import { ChevronRight, Plus } from "lucide-react";
import { branchPaths } from "@/components/rules/network-geometry";
import { Phrases } from "@/components/rules/rule-sentence";
import {
  type Cast,
  castAccounts,
  offeredTemplates,
  type RuleTemplate,
  TEMPLATE_GROUPS,
} from "@/components/rules/templates/rule-templates";
import { formatMoment } from "@/components/time/format-instant";
import { buttonClass } from "@/components/ui/button";
import { ChevronIcon } from "@/components/ui/icons";
import { Link } from "@/components/ui/link";
import { PageHead } from "@/components/ui/page-head";
import { Section } from "@/components/ui/section";
import { MAXIMUM_NEW_RULE_DRAFTS } from "@/lib/contract/rules/draft";
import type { RuleTemplatesView } from "@/lib/contract/views/rule-editor-view";

/** The start of a new rule: templates with the organization's accounts, and the member's drafts. */
export function TemplatesPage({ view }: { view: RuleTemplatesView }) {
  const cast = castAccounts(view.accounts);
  const templates = offeredTemplates(cast);
  return (
    <>
      <p className="crumb">
        <Link href="/rules">Rules</Link>
        <ChevronIcon />
        <span>New rule</span>
      </p>
      <PageHead
        title="Start from a template"
        lede="Each opens as a sentence that you complete. Nothing runs until you activate it."
        actions={
          <div className="page-a">
            <Link className={buttonClass({ kind: "outlined" })} href="/rules/new/edit">
              <Plus className="ic" />
              Blank rule
            </Link>
          </div>
        }
      />
      <Drafts view={view} />
      {TEMPLATE_GROUPS.map(({ id, title, fact }) => (
        <Section key={id} id={`templates-${id}`} title={title} fact={fact}>
          <ul className="tpl">
            {templates
              .filter(({ group }) => group === id)
              .map((template) => (
                <TemplateRow key={template.id} template={template} cast={cast} />
              ))}
          </ul>
        </Section>
      ))}
    </>
  );
}

function TemplateRow({ template, cast }: { template: RuleTemplate; cast: Cast }) {
  return (
    <li>
      <TemplateDrawing shares={template.shares} />
      <div>
        <h3 className="tpl-n">{template.name}</h3>
        <p className="say">
          <Phrases phrases={template.says(cast)} />
        </p>
      </div>
      <Link
        className={buttonClass({ kind: "outlined", size: "small" })}
        href={`/rules/new/edit?template=${template.id}`}
        aria-label={`Use ${template.name}`}
      >
        Use
        <ChevronRight className="ic" />
      </Link>
    </li>
  );
}

function Drafts({ view: { drafts, time } }: { view: RuleTemplatesView }) {
  if (drafts.length === 0) return null;
  const fact =
    drafts.length < MAXIMUM_NEW_RULE_DRAFTS
      ? "Only visible to you"
      : `Limit of ${MAXIMUM_NEW_RULE_DRAFTS} reached; discard one to start another`;
  return (
    <Section id="drafts" title="Your drafts" fact={fact}>
      <ul className="tpl tpl-d">
        {drafts.map(({ id, name, keptAt, href }) => (
          <li key={id}>
            <div>
              <h3 className="tpl-n">{name ?? "Unnamed rule"}</h3>
              <p className="meta">Saved {formatMoment(keptAt, time)}</p>
            </div>
            <Link
              className={buttonClass({ kind: "outlined", size: "small" })}
              href={href}
              aria-label={`Continue ${name ?? "unnamed rule"}`}
            >
              Continue
              <ChevronRight className="ic" />
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  );
}

const WIDTH = 132;
const HEIGHT = 64;
const CHANNEL = { top: 18, bottom: 46 };
const FORK_X = 52;
const BRANCH_X = 124;
const MARGIN = 6;

interface TemplateDrawingProps {
  /** Percentage of the channel; the rest stays. */
  shares: readonly number[];
}

/** A template drawn to its shares; the sentence beside it says the same in text. */
function TemplateDrawing({ shares }: TemplateDrawingProps) {
  const stays = Math.max(0, 100 - shares.reduce((sum, share) => sum + share, 0));
  const scale = (CHANNEL.bottom - CHANNEL.top) / 100;
  const parts = stays > 0 ? [...shares, stays] : [...shares];
  const gap = parts.length > 1 ? (HEIGHT - 2 * MARGIN - 100 * scale) / (parts.length - 1) : 0;
  let taken = CHANNEL.top;
  let placed = parts.length > 1 ? MARGIN : CHANNEL.top;
  const drawn = parts.map((part, index) => {
    const height = part * scale;
    const from = { top: taken, bottom: taken + height };
    const to = { top: placed, bottom: placed + height };
    taken = from.bottom;
    placed = to.bottom + gap;
    return { from, to, isDry: stays > 0 && index === parts.length - 1 };
  });
  return (
    <svg className="net" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width={WIDTH} height={HEIGHT} aria-hidden="true">
      <rect className="dw" x="4" y={CHANNEL.top} width={FORK_X - 4} height={CHANNEL.bottom - CHANNEL.top} />
      <path className="db" d={`M4 ${CHANNEL.top - 0.5}H${FORK_X}M4 ${CHANNEL.bottom + 0.5}H${FORK_X}`} />
      <rect className="nd2" x="0" y={CHANNEL.top - 3} width="4" height={CHANNEL.bottom - CHANNEL.top + 6} />
      {drawn.map(({ from, to, isDry }) => (
        <Branch key={from.top} from={from} to={to} isDry={isDry} />
      ))}
    </svg>
  );
}

interface Span {
  top: number;
  bottom: number;
}

function Branch({ from, to, isDry }: { from: Span; to: Span; isDry: boolean }) {
  const node = (
    <rect
      className={isDry ? "nd2 dry" : "nd2"}
      x={BRANCH_X}
      y={to.top - 2}
      width="4"
      height={to.bottom - to.top + 4}
    />
  );
  if (isDry) {
    const middle = ({ top, bottom }: Span) => (top + bottom) / 2;
    const line = branchPaths(
      {
        from: { top: middle(from), bottom: middle(from) },
        to: { top: middle(to), bottom: middle(to) },
        fromX: FORK_X,
      },
      BRANCH_X,
    );
    return (
      <>
        <path className="db dry" d={line.banks} />
        {node}
      </>
    );
  }
  const paths = branchPaths({ from, to, fromX: FORK_X }, BRANCH_X);
  return (
    <>
      <path className="dw" d={paths.water} />
      <path className="db" d={paths.banks} />
      {node}
    </>
  );
}
