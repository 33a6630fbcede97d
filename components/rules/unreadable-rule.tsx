import { UnreadableRuleButton } from "@/components/rules/rule-buttons";
import { Versions } from "@/components/rules/version-sections";
import { formatDay } from "@/components/time/format-instant";
import { Moment } from "@/components/time/moment";
import { ChevronIcon } from "@/components/ui/icons";
import { Link } from "@/components/ui/link";
import type { RuleActions, UnreadableRuleView } from "@/lib/contract/views/rule-view";

interface UnreadableRuleProps {
  view: UnreadableRuleView;
  actions: RuleActions;
}

/** A rule that cannot be shown: deleted, or written by a newer version of Sluice. It can still be deactivated. */
export function UnreadableRule({ view, actions }: UnreadableRuleProps) {
  const { id, name, viewer, deletedAt } = view;
  const mayAct = viewer.canDecide && view.kind === "UNREADABLE";
  return (
    <div className="rulep">
      <p className="crumb">
        <Link href="/rules">Rules</Link>
        <ChevronIcon />
        <span>{name}</span>
      </p>
      <div className="page-h">
        <div>
          <h1 className="h1">{deletedAt ? `${name} was deleted` : `${name} can’t be shown`}</h1>
          <p className="lede">
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
          <div className="page-a rule-a">
            <UnreadableRuleButton view={view} actions={actions} />
          </div>
        ) : null}
      </div>
      <p>
        <Link className="link" href={`/rules/${id}/runs`}>
          View runs
        </Link>
      </p>
      {view.kind === "UNREADABLE" ? <Versions view={view} /> : null}
    </div>
  );
}
