comment on index transfers_that_reached_outside is
'Money that reached an outside account since its bank last reported its balance. Only transfers across the border
can.';
