import { ruleHref } from "@/lib/contract/rule-hrefs";
import type { ClosingBlocker } from "@/lib/contract/views/account-page-view";
import { ON_ITS_WAY } from "@/lib/core/ledger/on-its-way";
import { SUBJECT_JOINS } from "@/lib/core/shared/subject-columns";
import type { Queryable } from "@/lib/db/transaction";

interface FactsRow {
  balance_in_cents: number;
  on_its_way: number;
  waiting: number;
  cards: number;
  rules: number;
  named_rules: { id: string; name: string }[] | null;
}

/** More rules than this are counted and not named. */
const NAMED_RULES = 10;

/**
 * What keeps a managed account open, in the order in which a person would clear it away. One statement, so one moment:
 * a booking moves a transfer and its balance together, and is seen whole or not at all.
 */
export async function readClosingBlockers(
  database: Queryable,
  organizationId: string,
  accountId: string,
): Promise<ClosingBlocker[]> {
  const { rows } = await database.query<FactsRow>({
    name: "read_closing_blockers",
    text: `
      select l.credits_in_cents - l.debits_in_cents as balance_in_cents,
          (select count(*)::int from (${ON_ITS_WAY}) moving)
            + (select count(*)::int from card_authorizations h
                where h.organization_id = $1 and h.account_id = $2 and h.status = 'AUTHORIZED') as on_its_way,
          (select count(*)::int
             from proposals p ${SUBJECT_JOINS}
             left join rule_versions v
               on v.organization_id = e.organization_id and v.rule_id = e.rule_id and v.version = e.rule_version
            where p.organization_id = $1 and p.state = 'WAITING'
              and ($2::uuid in (t.source_account_id, t.destination_account_id)
                or position($2::text in v.definition::text) > 0)) as waiting,
          (select count(*)::int from cards c
            where c.organization_id = $1 and c.account_id = $2 and c.status <> 'CLOSED') as cards,
          -- An id is found in no other place of a definition than where it is meant.
          coalesce(naming.count, 0) as rules, naming.first as named_rules
        from ledgers l
        cross join lateral (
          select count(*)::int as count,
              json_agg(json_build_object('id', r.id, 'name', r.name) order by r.id) filter (where r.position <= ${NAMED_RULES})
                as first
            from (
              select r.id, r.name, row_number() over (order by r.id) as position
                from rules r
               where r.organization_id = $1 and r.deleted_at is null and r.active_version is not null
                 -- One by one: a join would read every version that there ever was.
                 and (select position($2::uuid::text in v.definition::text) > 0 from rule_versions v
                       where v.organization_id = $1 and v.rule_id = r.id and v.version = r.active_version)) r) naming
       where l.organization_id = $1 and l.id = $2`,
    values: [organizationId, accountId],
  });
  const facts = rows[0];
  if (!facts) throw new Error("A managed account has no ledger");
  const blockers: ClosingBlocker[] = [];
  if (facts.waiting > 0) blockers.push({ kind: "WAITING", count: facts.waiting });
  if (facts.on_its_way > 0) blockers.push({ kind: "ON_ITS_WAY", count: facts.on_its_way });
  if (facts.cards > 0) blockers.push({ kind: "CARDS", count: facts.cards });
  if (facts.rules > 0) {
    const rules = (facts.named_rules ?? []).map(({ id, name }) => ({ href: ruleHref(id), name }));
    blockers.push({ kind: "RULES", count: facts.rules, rules });
  }
  if (facts.balance_in_cents !== 0) {
    blockers.push({ kind: "BALANCE", balanceInCents: facts.balance_in_cents });
  }
  return blockers;
}
