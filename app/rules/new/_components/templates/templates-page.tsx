import { ChevronRight, Plus } from "lucide-react";
import { Phrases } from "@/app/rules/_components/rule-sentence";
import { DiscardDraftButton } from "@/app/rules/new/_components/templates/discard-draft-button";
import {
  type Cast,
  castAccounts,
  offeredTemplates,
  type RuleTemplate,
  TEMPLATE_GROUPS,
} from "@/app/rules/new/_components/templates/rule-templates";
import { Crumb } from "@/components/layout/crumb";
import { PageActions, PageHead } from "@/components/layout/page-head";
import { Section } from "@/components/layout/section";
import { branchPaths } from "@/components/parts/rules/network-geometry";
import { CHANNEL_BANKS, DRY_BANKS } from "@/components/parts/rules/network-parts";
import { GATE_LEAF, IDLE_LEAF, WATER } from "@/components/sluice/ink";
import { formatMoment } from "@/components/time/format-instant";
import { buttonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { MAXIMUM_NEW_RULE_DRAFTS } from "@/lib/contract/rules/draft";
import type { RuleTemplatesView } from "@/lib/views/rules/read-rule-editor";

interface TemplatesPageProps {
  view: RuleTemplatesView;
}

/** The start of a new rule: templates with the organization's accounts, and the member's drafts. */
export function TemplatesPage({ view }: TemplatesPageProps) {
  const cast = castAccounts(view.accounts);
  const templates = offeredTemplates(cast);
  return (
    <>
      <Crumb ways={[{ href: "/rules", label: "Rules" }]} here="New rule" />
      <PageHead
        title="Start from a template"
        lede="Each opens as a sentence that you complete. Nothing runs until you activate it."
        actions={
          <PageActions>
            <Link className={buttonClass({ kind: "outlined" })} href="/rules/new/edit">
              <Plus />
              Blank rule
            </Link>
          </PageActions>
        }
      />
      <Drafts view={view} />
      {TEMPLATE_GROUPS.map(({ id, title, fact }) => (
        <Section key={id} id={`templates-${id}`} title={title} fact={fact}>
          <ul className="[&>li]:grid [&>li]:grid-cols-[132px_minmax(0,1fr)_auto] [&>li]:items-center [&>li]:gap-7 [&>li]:py-5 [&>li]:px-0 [&>li]:border-b [&>li]:border-rule [&>li:last-child]:border-b-0 max-sm:[&>li]:grid-cols-[minmax(0,1fr)_auto] max-sm:[&>li]:gap-4 max-sm:[&>li>svg]:hidden">
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
        <h3 className="text-[16px]/6 font-semibold">{template.name}</h3>
        <p className="max-w-[62ch] text-[15px]/6 text-ink-2 text-pretty [&_b]:text-ink">
          <Phrases phrases={template.says(cast)} />
        </p>
      </div>
      <Link
        className={buttonClass({ kind: "outlined", size: "small" })}
        href={`/rules/new/edit?template=${template.id}`}
        aria-label={`Use ${template.name}`}
      >
        Use
        <ChevronRight />
      </Link>
    </li>
  );
}

function Drafts({ view: { drafts, time } }: TemplatesPageProps) {
  if (drafts.length === 0) return null;
  const fact =
    drafts.length < MAXIMUM_NEW_RULE_DRAFTS
      ? "Only visible to you"
      : `Limit of ${MAXIMUM_NEW_RULE_DRAFTS} reached; discard one to start another`;
  return (
    <Section id="drafts" title="Your drafts" fact={fact}>
      <ul className="[&>li]:grid [&>li]:grid-cols-[minmax(0,1fr)_auto] [&>li]:items-center [&>li]:gap-7 [&>li]:py-3.5 [&>li]:px-0 [&>li]:border-b [&>li]:border-rule [&>li:last-child]:border-b-0 max-sm:[&>li]:grid-cols-[minmax(0,1fr)_auto] max-sm:[&>li]:gap-4 max-sm:[&>li>svg]:hidden">
        {drafts.map(({ id, name, keptAt, href }) => (
          <li key={id}>
            <div>
              <h3 className="text-[16px]/6 font-semibold">{name ?? "Unnamed rule"}</h3>
              <p className="text-sm text-ink-3">Saved {formatMoment(keptAt, time)}</p>
            </div>
            <div className="flex items-center gap-2">
              <DiscardDraftButton draftId={id} name={name} />
              <Link
                className={buttonClass({ kind: "outlined", size: "small" })}
                href={href}
                aria-label={`Continue ${name ?? "unnamed rule"}`}
              >
                Continue
                <ChevronRight />
              </Link>
            </div>
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
    <svg
      className="block overflow-visible"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      width={WIDTH}
      height={HEIGHT}
      aria-hidden="true"
    >
      <rect
        className={WATER}
        x="4"
        y={CHANNEL.top}
        width={FORK_X - 4}
        height={CHANNEL.bottom - CHANNEL.top}
      />
      <path
        className={CHANNEL_BANKS}
        d={`M4 ${CHANNEL.top - 0.5}H${FORK_X}M4 ${CHANNEL.bottom + 0.5}H${FORK_X}`}
      />
      <rect
        className={GATE_LEAF}
        x="0"
        y={CHANNEL.top - 3}
        width="4"
        height={CHANNEL.bottom - CHANNEL.top + 6}
      />
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
      className={isDry ? IDLE_LEAF : GATE_LEAF}
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
        <path className={DRY_BANKS} d={line.banks} />
        {node}
      </>
    );
  }
  const paths = branchPaths({ from, to, fromX: FORK_X }, BRANCH_X);
  return (
    <>
      <path className={WATER} d={paths.water} />
      <path className={CHANNEL_BANKS} d={paths.banks} />
      {node}
    </>
  );
}
