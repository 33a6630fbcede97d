import { ChevronRight, Plus } from "lucide-react";
import { Phrases } from "@/components/rules/phrases";
import { type Cast, castAccounts } from "@/components/rules/templates/pick-accounts";
import {
  offeredTemplates,
  type RuleTemplate,
  TEMPLATE_GROUPS,
} from "@/components/rules/templates/rule-templates";
import { TemplateDrawing } from "@/components/rules/templates/template-drawing";
import { formatMoment } from "@/components/time/format-instant";
import { buttonClass } from "@/components/ui/button";
import { ChevronIcon } from "@/components/ui/icons";
import { Link } from "@/components/ui/link";
import { PageHead } from "@/components/ui/page-head";
import { Section } from "@/components/ui/section";
import { MAXIMUM_NEW_RULE_DRAFTS } from "@/lib/contract/rules/draft";
import type { RuleTemplatesView } from "@/lib/contract/views/rule-editor-view";

/** What a new rule can start from: sentences with the organization's own accounts, and the reader's drafts. */
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
        title="Start from a rule that works"
        lede="Each opens as a sentence that you finish. Nothing runs until you activate it."
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
      ? "Only you see them"
      : `At most ${MAXIMUM_NEW_RULE_DRAFTS}; discard one to begin another`;
  return (
    <Section id="drafts" title="Your drafts" fact={fact}>
      <ul className="tpl tpl-d">
        {drafts.map(({ id, name, keptAt, href }) => (
          <li key={id}>
            <div>
              <h3 className="tpl-n">{name ?? "A rule without a name"}</h3>
              <p className="meta">Saved {formatMoment(keptAt, time)}</p>
            </div>
            <Link
              className={buttonClass({ kind: "outlined", size: "small" })}
              href={href}
              aria-label={`Go on with ${name ?? "the rule without a name"}`}
            >
              Go on
              <ChevronRight className="ic" />
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  );
}
