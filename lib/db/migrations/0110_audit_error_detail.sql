-- Which field of a refused request was wrong, and what was sent. Sealed like the rest of the entry.
alter table audit_entries add column error_detail text;
