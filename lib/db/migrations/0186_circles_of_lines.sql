alter table reconciliations
  add column lines_mark text check (length(lines_mark) <= 1000),
  add column lines_pages integer not null default 0,
  add column lines_idle integer not null default 0;
comment on column reconciliations.lines_mark is 'A cursor that the bank named before in this reading: if it names it again, its list goes in a circle.';
comment on column reconciliations.lines_pages is 'Pages of this reading.';
comment on column reconciliations.lines_idle is 'Of these, the last ones in a row without a new line.';
