-- SHA-256 of the texts in order, each as a netstring, so a verifier in another language needs no library. Locks nothing.
create or replace function audit_digest(variadic p_texts text[]) returns bytea
language sql immutable as $$
  select sha256(convert_to(string_agg(netstring(t.text), '' order by t.ordinal), 'UTF8'))
    from unnest(p_texts) with ordinality as t(text, ordinal)
$$;
