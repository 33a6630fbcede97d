"use client";

import { useState } from "react";
import { topicWords } from "@/app/settings/notifications/_components/topic-words";
import { savePreference } from "@/app/settings/notifications/actions";
import { outcomeUnknown } from "@/components/act/answer-lost";
import { RefusalNote } from "@/components/act/refusal-note";
import { useAction } from "@/components/act/use-action";
import { Section } from "@/components/layout/section";
import { Table } from "@/components/layout/table";
import { Switch } from "@/components/ui/switch";
import { SUBLINE } from "@/components/ui/text-styles";
import type { ChannelSetting } from "@/lib/contract/notifications";
import type { NotificationsView, TopicView } from "@/lib/views/notifications/read-notifications";

type Choice = Parameters<typeof savePreference>[0];

interface TopicsSectionProps {
  view: Pick<NotificationsView, "topics" | "phone" | "devices" | "isDecider">;
  organizationName: string;
}

export function TopicsSection({ view, organizationName }: TopicsSectionProps) {
  const { topics, message, choose } = useTopics(view.topics);
  const hasNumber = view.phone.kind === "VERIFIED";
  const hasDevice = view.devices.devices.length > 0;
  return (
    <Section id="topics" title="Notifications" fact={`For you, in ${organizationName}`}>
      <Table
        className="[&_[role='switch']]:align-middle max-sm:[&_[role='switch']]:before:absolute max-sm:[&_[role='switch']]:before:inset-x-0 max-sm:[&_[role='switch']]:before:-inset-y-2.5 max-sm:[&_[role='switch']]:before:content-[''] [&_thead_th:not(:first-child)]:w-32 max-sm:[&_thead_th:not(:first-child)]:w-18 max-sm:[&_thead_th:not(:first-child)]:whitespace-normal"
        caption="Notifications by email, by SMS and on devices"
        rows={topics.map((row) => ({ ...row, ...topicWords(row.topic, view.isDecider) }))}
        keyOf={({ topic }) => topic}
        columns={[
          {
            head: "When",
            header: true,
            cell: ({ when, about }) => (
              <>
                {when}
                {about ? <span className={SUBLINE}>{about}</span> : null}
              </>
            ),
          },
          {
            head: "Email",
            kind: "NUMBER",
            cell: ({ topic, when, email }) => (
              <Setting
                setting={email}
                label={`${when}: by email`}
                onChoose={(isOn) => choose({ topic, channel: "EMAIL", isOn })}
              />
            ),
          },
          {
            head: view.phone.kind === "VERIFIED" ? `SMS to ••${view.phone.masked.slice(-2)}` : "SMS",
            kind: "NUMBER",
            cell: ({ topic, when, sms }) =>
              hasNumber ? (
                <Setting
                  setting={sms}
                  label={`${when}: by SMS`}
                  onChoose={(isOn) => choose({ topic, channel: "SMS", isOn })}
                />
              ) : (
                <Dash meaning="not without a verified number" />
              ),
          },
          {
            head: "Devices",
            kind: "NUMBER",
            cell: ({ topic, when, push }) =>
              hasDevice ? (
                <Setting
                  setting={push}
                  label={`${when}: on devices`}
                  onChoose={(isOn) => choose({ topic, channel: "PUSH", isOn })}
                />
              ) : (
                <Dash meaning="not without a device" />
              ),
          },
        ]}
      />
      <p className="text-sm text-ink-3 mt-3">
        {view.isDecider
          ? "Requests for decisions and security messages always come by email."
          : `You can view ${organizationName}, not decide, so you are only notified about your own account.`}
        {hasNumber ? null : " SMS needs a verified number."}
      </p>
      <RefusalNote message={message} />
    </Section>
  );
}

interface SettingProps {
  setting: ChannelSetting;
  label: string;
  onChoose: (isOn: boolean) => void;
}

function Setting({ setting, label, onChoose }: SettingProps) {
  if (setting === "ALWAYS") return <span className="text-[13px] text-ink-3">Always</span>;
  if (setting === "NEVER") return <Dash meaning="never" />;
  return <Switch isOn={setting === "ON"} aria-label={label} onSwitch={onChoose} />;
}

function Dash({ meaning }: { meaning: string }) {
  return (
    <span className="text-ink-3">
      <span aria-hidden="true">–</span>
      <span className="sr-only">{meaning}</span>
    </span>
  );
}

const FIELDS = { EMAIL: "email", SMS: "sms", PUSH: "push" } as const;

const UNKNOWN = outcomeUnknown("this may or may not be saved. Reload the page to check.");

/** Optimistic; reverted if the server did not save it. */
function useTopics(saved: TopicView[]) {
  const [topics, setTopics] = useState(saved);
  const show = ({ topic, channel, isOn }: Choice) =>
    setTopics((shown) =>
      shown.map((one) => (one.topic === topic ? { ...one, [FIELDS[channel]]: isOn ? "ON" : "OFF" } : one)),
    );
  const saving = useAction(savePreference, {
    whenLost: UNKNOWN,
    isRepeatable: true,
    onRefused: (_refused, choice) => show({ ...choice, isOn: !choice.isOn }),
    afterwards: null,
  });
  const choose = (choice: Choice) => {
    show(choice);
    saving.run(choice);
  };
  return { topics, message: saving.message, choose };
}
