alter table payees validate constraint payees_external_id_check;
alter table payees validate constraint payees_metadata_check;
