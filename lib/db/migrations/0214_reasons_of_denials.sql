-- What a person says to the program whose proposal they deny, and what it may not ask again.
alter table proposals
  add column denial_reason text,
  add column denial_text text,
  add column ask_again_after timestamptz,
  add constraint proposals_denial_reason_check check (denial_reason in ('TOO_MUCH', 'WRONG_ACCOUNT', 'NOT_NOW',
    'NEEDS_DOCUMENT', 'DO_NOT_ASK_AGAIN')) not valid,
  add constraint proposals_denial_reason_of_denial_check check (denial_reason is null or state = 'DENIED') not valid,
  add constraint proposals_denial_text_check check (length(denial_text) <= 200 and (denial_text is null or denial_reason
    is not null)) not valid,
  add constraint proposals_ask_again_after_check check ((ask_again_after is not null) = (denial_reason is not distinct
    from 'NOT_NOW')) not valid;
comment on column proposals.denial_reason is 'For the program that requested it, unlike decision_note.';
comment on column proposals.ask_again_after is 'Of NOT_NOW: until then the same request is refused.';

create table denied_requests (
  organization_id uuid not null,
  api_key_id      uuid not null,
  request         text not null check (length(request) <= 200),
  proposal_id     uuid not null,
  ends_at         timestamptz,
  primary key (organization_id, api_key_id, request)
);
comment on table denied_requests is
'What a person asked a key not to request again: route and amount of a transfer, or rule and incoming amount of a run.';
comment on column denied_requests.request is 'As hold_denied_request writes it.';
comment on column denied_requests.proposal_id is 'The denied one, which has the reason.';
comment on column denied_requests.ends_at is 'Null: for good.';
grant select on denied_requests to :"app_role";
