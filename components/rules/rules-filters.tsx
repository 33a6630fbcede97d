import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { RULE_STATES, rulesHref } from "@/lib/contract/rules-search";
import type { RuleState, RulesView } from "@/lib/contract/views/rules-view";

const STATES: Record<(typeof RULE_STATES)[number], { state: RuleState; label: string }> = {
  active: { state: "ACTIVE", label: "Active" },
  paused: { state: "PAUSED", label: "Paused" },
  inactive: { state: "INACTIVE", label: "Inactive" },
};

/** By state, with how many there are, and by name. Links and a form: it works without script. */
export function RulesFilters({ view: { search, counts } }: { view: RulesView }) {
  const all = counts.ACTIVE + counts.PAUSED + counts.INACTIVE;
  const choices = [
    { value: null, label: "All", count: all },
    ...RULE_STATES.map((value) => ({
      value,
      label: STATES[value].label,
      count: counts[STATES[value].state],
    })),
  ];
  return (
    <search className="filters rules-f" aria-label="Filter rules">
      <span className="seg">
        {choices.map(({ value, label, count }) => (
          <Link
            key={label}
            href={rulesHref({ ...search, state: value, page: 1 })}
            scroll={false}
            aria-current={value === search.state ? "true" : undefined}
          >
            {label} {count}
          </Link>
        ))}
      </span>
      <form action="/rules" className="rules-q">
        {search.state === null ? null : <input type="hidden" name="state" value={search.state} />}
        <input
          className="in"
          type="search"
          name="q"
          aria-label="Name of a rule"
          placeholder="Name of a rule"
          maxLength={100}
          defaultValue={search.q ?? ""}
        />
        <Button kind="outlined" size="small" type="submit">
          Find
        </Button>
      </form>
      {search.state !== null || search.q !== null ? (
        <Link className="link" href="/rules" scroll={false}>
          Clear filters
        </Link>
      ) : null}
    </search>
  );
}
