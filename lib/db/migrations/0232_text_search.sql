-- Texts are found by their trigrams, and those of one organization by the same index. Both are trusted extensions, which the
-- owner of a database may create.
create extension if not exists pg_trgm;
create extension if not exists btree_gin;
