-- Successful reads of the audit log may leave for files once they are old; the chain of seals stays whole.
create table audit_archives (
  organization_id uuid not null,
  first_sequence  bigint not null check (first_sequence >= 1),
  last_sequence   bigint not null,
  entry_count     integer not null check (entry_count >= 0),
  file_name       text,
  sha256          bytea check (length(sha256) = 32),
  archived_at     timestamptz not null,
  primary key (organization_id, first_sequence),
  check (last_sequence >= first_sequence),
  check ((entry_count = 0) = (file_name is null)),
  check ((file_name is null) = (sha256 is null))
);
comment on table audit_archives is
'One row per stretch of an organization''s chain whose successful reads are in a file instead of audit_entries. The
stretches follow one another without gaps from the first seal.';
comment on column audit_archives.file_name is 'In the folder audit-archives; null: the stretch had no such entries.';
comment on column audit_archives.sha256 is 'Of the file''s lines, before compression.';
comment on column audit_archives.archived_at is 'Real time.';
grant select on audit_archives to :"app_role";
