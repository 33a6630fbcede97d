-- A text with the length of its UTF-8 in bytes: "5:hello,"; null is "-,". No two lists of texts share an encoding. Simple
-- enough to be inlined into the statements that call it. Locks nothing.
create or replace function netstring(p_text text) returns text
language sql stable as $$
  select case when p_text is null then '-,'
    else octet_length(convert_to(p_text, 'UTF8')) || ':' || p_text || ',' end
$$;
