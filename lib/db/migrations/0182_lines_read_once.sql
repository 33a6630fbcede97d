alter table reconciliations add column lines_read_at timestamptz, add column whole_read_at timestamptz;
comment on column reconciliations.lines_read_at is 'When the last reading of the statement began that came to its end: later ones go on a week before it.';
comment on column reconciliations.whole_read_at is 'The same, of one that began with the first line.';
