-- Notifications by web push, to the devices that people register.
create table push_devices (
  id                uuid not null,
  user_id           uuid not null,
  session_id        uuid not null,
  endpoint_hash     bytea not null check (length(endpoint_hash) = 32),
  subscription      bytea not null check (length(subscription) <= 4096),
  browser_hash      bytea check (length(browser_hash) = 32),
  user_agent        text not null check (length(user_agent) <= 400),
  created_at        timestamptz not null,
  last_delivered_at timestamptz,
  primary key (id),
  unique (endpoint_hash),
  foreign key (user_id) references users (id),
  foreign key (session_id) references sessions (id)
);
comment on table push_devices is 'Browsers and installed apps that show a person notifications of all their organizations.';
comment on column push_devices.session_id is
  'A device ends when this session is revoked: by signing out, a reset or a removal. The next sign-in in the same browser
takes over.';
comment on column push_devices.endpoint_hash is 'SHA-256 of the endpoint, which is unguessable. A browser has one, so it notifies one person.';
comment on column push_devices.subscription is 'Endpoint and keys, encrypted: they suffice to send to the device.';
comment on column push_devices.browser_hash is 'The browser''s id of this person, as in known_browsers; null: it kept none.';
comment on column push_devices.created_at is 'Real time.';
create index push_devices_by_user on push_devices (user_id);
create index push_devices_by_browser on push_devices (browser_hash);
grant delete, insert, select, update on push_devices to :"app_role";

alter table notification_preferences add column push boolean;

alter table messages add column device_id uuid;
comment on column messages.device_id is 'Of a push message. No foreign key: the log outlives the device.';
-- while serving: messages are deleted after 90 days; the check reads the rest in under a second
alter table messages drop constraint messages_channel_check,
  add constraint messages_channel_check check (channel in ('EMAIL', 'SMS', 'PUSH'));
