-- Answers over everything that an organization ever moved, which of a big one take seconds: worked out once for every
-- process, kept with the moment that they are of, and shown with it. Each is exact for that moment. Only reports;
-- nothing that moves money, or decides whether it may, reads this table.

create table kept_answers (
  organization_id uuid not null references organizations (id),
  name            text not null check (length(name) between 1 and 100),
  -- Business time that it is of.
  made_at         timestamptz not null,
  answer          jsonb not null,
  -- Real time, as below: when it was worked out, and when somebody last looked at it. What nobody looks at is made again
  -- seldom (lib/core/profile/keep-profiles-ready.ts).
  worked_out_at   timestamptz not null,
  looked_at       timestamptz not null,
  leased_until    timestamptz,
  primary key (organization_id, name)
);
create index kept_answers_by_age on kept_answers (worked_out_at);

grant select, insert, update, delete on kept_answers to :"app_role";
