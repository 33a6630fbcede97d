-- A dry run keeps how the same run would have started live: the single read and the pages of the run show it.
alter table rule_executions add column live_outlook jsonb;
