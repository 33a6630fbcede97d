import { UnreadableRuleButton } from "@/app/rules/[id]/_components/rule-buttons";
import { Versions } from "@/app/rules/[id]/_components/version-sections";
import { Crumb } from "@/components/layout/crumb";
import { PageActions, PageHeadRow } from "@/components/layout/page-head";
import { formatDay } from "@/components/time/format-instant";
import { Moment } from "@/components/time/moment";
import { Link } from "@/components/ui/link";
import { LINK, PAGE_LEDE, PAGE_TITLE } from "@/components/ui/text-styles";
import type { UnreadableRuleView } from "@/lib/views/rules/read-rule-page";

interface UnreadableRuleProps {
  view: UnreadableRuleView;
}

/** A rule that cannot be shown: deleted, or written by a newer version of Sluice. It can still be deactivated. */
export function UnreadableRule({ view }: UnreadableRuleProps) {
  const { id, name, viewer, deletedAt } = view;
  const mayAct = viewer.canDecide && view.kind === "UNREADABLE";
  return (
    <div className="max-sm:[&_:is(td,th)_a]:inline-flex max-sm:[&_:is(td,th)_a]:items-center max-sm:[&_:is(td,th)_a]:min-h-11">
      <Crumb ways={[{ href: "/rules", label: "Rules" }]} here={name} />
      <PageHeadRow className="mb-5">
        <div className="min-w-0">
          <h1 className={`${PAGE_TITLE} wrap-anywhere`}>
            {deletedAt ? `${name} was deleted` : `${name} can’t be shown`}
          </h1>
          <p className={PAGE_LEDE}>
            {deletedAt ? (
              <>
                On <Moment at={deletedAt} time={view.time} format={formatDay} />. Its runs stay readable.
              </>
            ) : (
              `This version of Sluice can’t read version ${view.shownVersion} of the rule, so it doesn’t run. Update Sluice or create the rule again.`
            )}
          </p>
        </div>
        {mayAct ? (
          <PageActions className="flex-wrap justify-end max-sm:justify-start">
            <UnreadableRuleButton view={view} />
          </PageActions>
        ) : null}
      </PageHeadRow>
      <p>
        <Link className={LINK} href={`/rules/${id}/runs`}>
          View runs
        </Link>
      </p>
      {view.kind === "UNREADABLE" ? <Versions view={view} /> : null}
    </div>
  );
}
