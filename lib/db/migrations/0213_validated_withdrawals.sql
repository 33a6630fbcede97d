alter table proposals validate constraint proposals_state_check;
