-- Documents on proposals: an invoice, a contract. Each is encrypted with a key of its own, so that replacing the product's
-- secret encrypts only the keys again, and nothing may ever change the pieces.
create table transfer_documents (
  organization_id uuid not null,
  id              uuid not null,
  transfer_id     uuid,
  draft_id        uuid,
  expires_at      timestamptz,
  name            text not null check (length(name) between 1 and 100),
  media_type      text not null check (media_type in ('application/pdf', 'image/jpeg', 'image/png')),
  size_bytes      integer not null check (size_bytes between 1 and 5242880),
  sha256          bytea not null check (length(sha256) = 32),
  sealed_key      bytea not null check (length(sealed_key) between 30 and 400),
  added_by_kind   text not null check (added_by_kind in ('API_KEY', 'MEMBER')),
  added_by_id     uuid not null,
  added_by_name   text not null,
  added_at        timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, transfer_id) references transfers (organization_id, id),
  check (num_nonnulls(transfer_id, draft_id) = 1),
  check ((draft_id is null) = (expires_at is null))
);
comment on table transfer_documents is
'What was attached to a proposal while it waited, kept as long as its transfer. Never changed or removed (keep_documents).';
comment on column transfer_documents.draft_id is 'Of a member who has not moved the money yet; null once they have.';
comment on column transfer_documents.expires_at is 'Real time at which a draft''s document is forgotten.';
comment on column transfer_documents.media_type is 'As its own bytes show.';
comment on column transfer_documents.sealed_key is 'Its key, encrypted with the product''s secret.';
comment on column transfer_documents.added_at is 'Business time.';
create index transfer_documents_of_transfer on transfer_documents (organization_id, transfer_id, id)
  where transfer_id is not null;
create index transfer_documents_of_draft on transfer_documents (organization_id, draft_id, id) where draft_id is not null;
create index transfer_documents_by_content on transfer_documents (organization_id, sha256);
create index transfer_documents_by_adder on transfer_documents (organization_id, added_by_id, added_at);
create index transfer_documents_to_forget on transfer_documents (expires_at) where expires_at is not null;
grant select, update (sealed_key) on transfer_documents to :"app_role";

create table document_pieces (
  organization_id uuid not null,
  document_id     uuid not null,
  place           smallint not null check (place between 0 and 9),
  content         bytea not null check (length(content) between 30 and 524400),
  primary key (organization_id, document_id, place),
  foreign key (organization_id, document_id) references transfer_documents (organization_id, id) on delete cascade
);
comment on table document_pieces is 'The content of documents, encrypted with the key of each, half a megabyte in a row.';
-- Ciphertext does not compress.
alter table document_pieces alter column content set storage external;
grant select on document_pieces to :"app_role";
