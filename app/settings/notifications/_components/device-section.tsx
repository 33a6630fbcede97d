"use client";

import { useCallback, useEffect, useState } from "react";
import {
  endSubscription,
  findOwnMark,
  pushStateOf,
  subscribeHere,
} from "@/app/settings/notifications/_components/push-browser";
import { registerDevice, removeDevice, testDevice } from "@/app/settings/notifications/actions";
import { outcomeUnknown } from "@/components/act/answer-lost";
import { RefusalNote } from "@/components/act/refusal-note";
import { useAction } from "@/components/act/use-action";
import { Section } from "@/components/layout/section";
import { formatDay, formatInSentence } from "@/components/time/format-instant";
import { Button } from "@/components/ui/button";
import { SettingActions, SettingList } from "@/components/ui/setting-list";
import { Switch } from "@/components/ui/switch";
import type { Refused } from "@/lib/contract/refused";
import type { TimeContext } from "@/lib/contract/time-context";
import type { DevicesView, DeviceView } from "@/lib/views/notifications/read-notifications";

interface DeviceSectionProps {
  view: DevicesView;
  /** Gets proposals. */
  isDecider: boolean;
  /** Real time. */
  time: TimeContext;
}

/** What this browser allows; null until it was asked. */
type HereState = { push: ReturnType<typeof pushStateOf>; mark: string | null } | null;

const TEST_UNKNOWN = outcomeUnknown("the test may or may not be sent. Send it again if it does not arrive.");

export function DeviceSection({ view, isDecider, time }: DeviceSectionProps) {
  const { here, look } = useHere();
  const own = here?.mark ? (view.devices.find(({ mark }) => mark === here.mark) ?? null) : null;
  const turningOn = useAction((_input, shown) => turnOn(view.publicKey, shown), {
    onDone: look,
    onRefused: look,
  });
  const removing = useAction(removeDevice, {
    refreshesWhenRefused: true,
    onDone: (_result, { deviceId }) => {
      if (deviceId === own?.id) void endSubscription().then(look);
    },
  });
  const testing = useAction(testDevice, { whenLost: TEST_UNKNOWN, refreshesWhenRefused: true });
  const canSwitch = here?.push === "READY";

  return (
    <Section id="devices" title="Devices" fact="For you, in every organization">
      <SettingList>
        <li>
          <div>
            <b>This device</b>
            <p className="text-sm text-ink-3" role="status">
              {aboutHere(here, own !== null, isDecider)}
            </p>
          </div>
          {canSwitch ? (
            <SettingActions>
              <Switch
                isOn={own !== null}
                busy={turningOn.isBusy || removing.isBusy}
                aria-label="Notifications on this device"
                onSwitch={(isOn) => {
                  removing.forget();
                  if (isOn) turningOn.run();
                  else if (own) removing.run({ deviceId: own.id });
                }}
              />
            </SettingActions>
          ) : null}
        </li>
        {view.devices.map((device) => (
          <DeviceRow
            key={device.id}
            device={device}
            isHere={device.id === own?.id}
            time={time}
            isTested={testing.result !== null && testing.input?.deviceId === device.id}
            isBusy={testing.isBusy || removing.isBusy}
            onTest={() => testing.run({ deviceId: device.id })}
            onRemove={() => removing.run({ deviceId: device.id })}
          />
        ))}
      </SettingList>
      <RefusalNote message={turningOn.message ?? removing.message ?? testing.message} />
      <p className="mt-3 text-sm text-ink-3">
        A device shows amounts, names and who asks, on its lock screen too. Signing out there ends its
        notifications.
      </p>
    </Section>
  );
}

interface DeviceRowProps {
  device: DeviceView;
  isHere: boolean;
  time: TimeContext;
  isTested: boolean;
  isBusy: boolean;
  onTest: () => void;
  onRemove: () => void;
}

function DeviceRow({ device, isHere, time, isTested, isBusy, onTest, onRemove }: DeviceRowProps) {
  return (
    <li>
      <div>
        <b>{upperFirst(device.name)}</b>
        {isHere ? <span className="text-sm text-ink-3"> This device</span> : null}
        <p className="text-sm text-ink-3">
          Added {lowerFirst(formatDay(device.createdAt, time))}.{" "}
          {device.deliveredAt
            ? `Last notified ${formatInSentence(device.deliveredAt, time)}.`
            : "Not notified yet."}
        </p>
        <p className="text-sm text-ink-3" role="status">
          {isTested ? "Test sent. It arrives within seconds." : null}
        </p>
      </div>
      <SettingActions>
        <Button
          kind="outlined"
          size="small"
          busy={isBusy}
          aria-label={`Send a test to ${device.name}`}
          onClick={onTest}
        >
          Send a test
        </Button>
        <Button
          kind="quiet"
          size="small"
          busy={isBusy}
          aria-label={`Remove ${device.name}`}
          onClick={onRemove}
        >
          Remove
        </Button>
      </SettingActions>
    </li>
  );
}

/** Asks the browser after hydration, and again after each change. */
function useHere(): { here: HereState; look: () => Promise<void> } {
  const [here, setHere] = useState<HereState>(null);
  const look = useCallback(async () => {
    const mark = await findOwnMark();
    setHere({ push: pushStateOf(), mark });
  }, []);
  useEffect(() => {
    void look();
  }, [look]);
  return { here, look };
}

function aboutHere(here: HereState, isOn: boolean, isDecider: boolean): string {
  switch (here?.push) {
    case undefined:
      return "Checking what this browser allows.";
    case "INSECURE":
      return "Notifications need a secure connection (https).";
    case "HOME_SCREEN":
      return "On iPhone and iPad, add Sluice to the home screen first: press Share, then Add to Home Screen, and open it from there.";
    case "UNSUPPORTED":
      return "This browser does not support notifications.";
    case "BLOCKED":
      return "Notifications are blocked. Allow them for this site in the browser’s settings, then reload the page.";
    case "READY":
      return isOn ? onWords(isDecider) : offWords(isDecider);
  }
}

function onWords(isDecider: boolean): string {
  return isDecider
    ? "On. Proposals arrive as notifications that open the approval."
    : "On. It shows what you choose above.";
}

function offWords(isDecider: boolean): string {
  return isDecider
    ? "Off. Turn it on to get proposals as notifications."
    : "Off. Turn it on to choose notifications for it above.";
}

async function turnOn(publicKey: string, shown: string): Promise<{ kind: "DONE" } | Refused> {
  const subscribed = await subscribeHere(publicKey);
  return subscribed.kind === "REFUSED"
    ? subscribed
    : registerDevice({ subscription: subscribed.subscription }, shown);
}

const upperFirst = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);
const lowerFirst = (words: string) => words.charAt(0).toLowerCase() + words.slice(1);
