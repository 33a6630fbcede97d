-- SHA-256 of the texts in order, each encoded as a netstring: "5:hello," with the length in bytes of UTF-8; null is
-- "-,". No two lists share an encoding, and any language can reproduce it without a library. Locks nothing.
create or replace function audit_digest(variadic p_texts text[]) returns bytea
language sql immutable as $$
  select sha256(convert_to(string_agg(
      case when t.text is null then '-,'
        else octet_length(convert_to(t.text, 'UTF8')) || ':' || t.text || ',' end, '' order by t.ordinal), 'UTF8'))
    from unnest(p_texts) with ordinality as t(text, ordinal)
$$;
