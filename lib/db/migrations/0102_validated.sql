-- Added unvalidated while an older version served; a database that the baseline takes over may hold them so.
alter table proposals validate constraint proposals_cap_check;
alter table proposals validate constraint proposals_cap_whole_check;
alter table proposals validate constraint proposals_cap_of_a_key_check;
alter table notices validate constraint notices_kind_check;
