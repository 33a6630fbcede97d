-- The kinds of notices are those of lib/contract/notifications.ts: a new one needs no migration.
-- while serving: dropping a check reads nothing
alter table notices drop constraint notices_kind_check;
