-- What a member marked in a review of proposals, for a day. Only the confirmation at its end decides.
create table review_marks (
  organization_id uuid not null,
  user_id         uuid not null,
  proposal_id     uuid not null,
  mark            text not null check (mark in ('APPROVE', 'DENY', 'SKIPPED')),
  digest          text not null check (length(digest) <= 8000),
  marked_at       timestamptz not null,
  primary key (organization_id, user_id, proposal_id),
  foreign key (organization_id, user_id) references memberships (organization_id, user_id) on delete cascade
);
create index review_marks_by_time on review_marks (marked_at);
comment on table review_marks is 'What a member marked in a review. Nobody else sees it, and it decides nothing.';
comment on column review_marks.digest is 'Identifies what was shown when it was marked (lib/core/approvals/digest.ts).';
comment on column review_marks.marked_at is 'Business time. Counts for a day.';
grant delete, insert, select, update on review_marks to :"app_role";
