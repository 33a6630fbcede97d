-- Who is told of what, by which way (decisions page, "Notifications").

-- What a member has chosen about a topic. Null, as a row that is not there: the default of contract/notifications.ts.
-- What is not theirs to choose there stays so, whatever stands here.
create table notification_preferences (
  organization_id uuid not null,
  user_id         uuid not null,
  topic           text not null
    check (topic in ('APPROVALS', 'DECISIONS', 'RETURNS', 'RULE_RUNS', 'ENDPOINTS', 'SECURITY')),
  email           boolean,
  sms             boolean,
  primary key (organization_id, user_id, topic),
  foreign key (organization_id, user_id) references memberships (organization_id, user_id) on delete cascade
);
grant select, insert, update on notification_preferences to :"app_role";
