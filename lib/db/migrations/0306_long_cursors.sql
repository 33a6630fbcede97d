-- A bank's cursor is whatever it likes, as long as an address can carry it: one that was not kept stopped the reading.
alter table reconciliations drop constraint reconciliations_lines_cursor_check;
alter table reconciliations add constraint reconciliations_lines_cursor_check check (length(lines_cursor) <= 10000) not valid;
alter table reconciliations drop constraint reconciliations_lines_mark_check;
alter table reconciliations add constraint reconciliations_lines_mark_check check (length(lines_mark) <= 10000) not valid;
