-- Telephone numbers that their members verify, and the log of what was sent.

-- The one code that a member may still enter for their number: gone when it was entered, replaced, or has run out.
create table phone_codes (
  user_id    uuid primary key references users (id),
  -- Where it was sent: it verifies no other number.
  phone      text not null check (phone ~ '^\+[1-9][0-9]{6,14}$'),
  -- argon2id over member, number and code: a fast hash of six digits would hide nothing.
  code_hash  text not null,
  -- Real time.
  expires_at timestamptz not null,
  -- Counted before each is looked at.
  tries      integer not null default 0 check (tries >= 0)
);
create index phone_codes_by_expiry on phone_codes (expires_at);
grant select, insert, update, delete on phone_codes to :"app_role";

alter table messages
  -- Of a message that holds a code. Real time: it is not sent after this, and holds no text once it was sent or given up.
  add column good_until timestamptz,
  -- Older than the log: without text, and kept only where the history of a proposal tells of it.
  add column is_forgotten boolean not null default false,
  add constraint messages_keep_no_code check (good_until is null or status = 'QUEUED' or body_text = ''),
  add constraint messages_forget_their_text check (
    not is_forgotten or (body_text = '' and num_nonnulls(body_html, subject, last_error) = 0));

-- The log of an organization and of one member, newest first, and from its other end what is to be forgotten.
create index messages_newest on messages (organization_id, created_at desc, id desc) where not is_forgotten;
create index messages_of_member on messages (organization_id, user_id, created_at desc, id desc) where not is_forgotten;
-- Deleting a message looks for the proposals that it told of.
create index message_proposals_by_message on message_proposals (organization_id, message_id);
grant update (body_text, body_html, subject, is_forgotten), delete on messages to :"app_role";
