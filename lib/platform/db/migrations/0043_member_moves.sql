-- Which transfer a member's draft became: one draft moves money once, however often its confirmation is sent. The
-- transfer has an id of its own, made when it is confirmed, so that ids stay in the order of creation (a draft may be
-- an hour old by then).
create table member_moves (
  organization_id uuid not null,
  draft_id        uuid not null,
  transfer_id     uuid not null,
  moved_by        uuid not null references users (id),
  moved_at        timestamptz not null,
  primary key (organization_id, draft_id),
  -- Written before the transfer, so that rivals wait here and not in the middle of the books.
  foreign key (organization_id, transfer_id) references transfers (organization_id, id)
    deferrable initially deferred
);

grant select, insert on member_moves to :"app_role";
